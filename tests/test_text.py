"""The drawings: that a person finds on them what the position string says, and the status line."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import quincunx
from quincunx import _core, reference
from quincunx.game_type import game_type
from quincunx.text import draw, option_text, title_of


def state_of(game: str, position: str | None = None, **parameters: Any) -> reference.State[Any]:
    return reference.load_game(game, **parameters).new_initial_state(position)


def drawing(game: str, position: str | None = None, **parameters: Any) -> str:
    return draw(state_of(game, position, **parameters))


def lines(text: str) -> str:
    return text.strip("\n")


def status(text: str) -> str:
    return text.split("\n")[-1]


def legend(text: str) -> str:
    return text.split("\n")[-2]


# ---- pictures


def test_a_hexagon_with_its_coordinates() -> None:
    position = "...ox/....../......./......../x...o...x/......../......./....../o...x b place"
    assert drawing("unmergo", position) == lines("""
     i  . . . o x
    h  . . . . . .
   g  . . . . . . .
  f  . . . . . . . .
 e  x . . . o . . . x
  d  . . . . . . . . 9
   c  . . . . . . . 8
    b  . . . . . . 7
     a  o . . . x 6
         1 2 3 4 5

o White (player 0), x Black (player 1)
Unmergo: Black is to place a stone.
""")


def test_stacks_with_owner_and_height() -> None:
    assert drawing("impedio", "w10,b2/.,.,./.,w3 b", size=2) == lines("""
   c  w10 b2
 b   .   .   .
   a   .  w3   3
         1   2

w White (player 0), b Black (player 1); the number is the height
Impedio: Black is to move.
""")


def test_high_stacks_do_not_break_the_columns() -> None:
    assert drawing("impedio", "w100,b99/.,.,./.,w3 b", size=2).split("\n")[:4] == [
        "    c  w100  b99",
        " b   .     .     .",
        "    a   .    w3     3",
        "           1     2",
    ]


def test_a_grid_with_its_coordinates() -> None:
    assert drawing("unane", "oxo/x.x/oxo/xox x - -", size="3x4") == lines("""
 4 o x o
 3 x . x
 2 o x o
 1 x o x
   a b c

x Black (player 0), o White (player 1)
Ūnane: Black is to move.
""")


def test_marked_stones_and_no_column_i() -> None:
    assert drawing("meigo", "........./xX.....oO o 2 1 m -", size="9x2") == lines("""
 2 . . . . . . . . .
 1 x X . . . . . o O
   a b c d e f g h j

x Black (player 0), o White (player 1); capitals X, O are marked stones
Meigo: White is to play or to hold; prison: 2 black, 1 white; last stone: marked.
""")


def test_a_large_grid_has_coordinates_all_around() -> None:
    rows = drawing("meigo", size="19x19").split("\n")
    letters = "   a b c d e f g h j k l m n o p q r s t"
    assert rows[0] == rows[20] == letters
    assert rows[1] == "19 " + ". " * 19 + "19"
    assert rows[19] == " 1 " + ". " * 19 + " 1"


def test_the_fano_plane() -> None:
    assert drawing("fano330", "s/S/Sc/c/./C/. 0") == lines("""
                        3:c/S
                        / | \\
                      /   |   \\
                    /     |     \\
                  / ·  ·  |  ·  · \\
                / ·       |       · \\
             2:S          |          4:c
            /·    ` - .   |   . - '    ·\\
          / ·            7:.            · \\
        /    ·    . - '   |   ` - .    ·    \\
      /     . -·'         |         `·- .     \\
    / . - '       ·  ·    |    ·  ·       ` - . \\
 5:. ------------------- 1:s ------------------- 6:C

S coin, s ring: silver (player 0); C coin, c ring: copper (player 1); s/C: s is on top of C
Fano330-R-Morris: the game is over, silver (player 0) has won.
""")


@pytest.mark.parametrize("size", range(2, 9))
def test_every_cell_of_a_hexagon_is_where_its_coordinates_say(size: int) -> None:
    # A single stone is found again by its row's letter and by walking down its diagonal.
    start = state_of("unmergo", size=size)
    for action in start.legal_actions():
        rows = draw(start.child(action)).split("\n")[: 2 * size]
        # The letter of the row is the first character; there may be a row o.
        (row,) = (number for number, text in enumerate(rows) if "o" in text.lstrip()[1:])
        column = rows[row].rindex("o")
        letter = rows[row].split()[0]
        below = row + 1
        while rows[below][column + below - row : column + below - row + 1] == ".":
            below += 1
        number = re.match(r"\d+", rows[below][column + below - row :])
        assert number is not None
        assert letter + number[0] == start.action_to_string(action)


@pytest.mark.parametrize("size", ["2x2", "3x4", "8x9", "10x3", "16x16"])
@pytest.mark.parametrize("game", ["meigo", "unane"])
def test_every_point_of_a_grid_is_where_its_coordinates_say(game: str, size: str) -> None:
    state = state_of(game, size=size)
    for action in state.legal_actions()[:60]:
        text = state.action_to_string(action)
        before, after = draw(state).split("\n"), draw(state.child(action)).split("\n")
        letters = before[before.index("") - 1]
        changed = {
            letters[column] + rows[0].split()[0]
            for rows in zip(before[: before.index("")], after, strict=False)
            for column in range(3, len(letters), 2)
            if rows[0][column] != rows[1][column]
        }
        assert changed == set(re.findall(r"[a-z]\d+", text.replace("x", " ")))


# ---- what the last lines say


def test_unmergo_tells_the_step_of_the_turn() -> None:
    assert status(drawing("unmergo", "../.x./o. w move", size=2)) == (
        "Unmergo: White has placed and may now move one black stone, or end the turn."
    )
    assert status(drawing("unmergo", ".o/o../.o w place", size=2)).endswith("and must pass.")


def test_unane_tells_of_the_swap() -> None:
    state = state_of("unane", size="4x4")
    state.apply_action(state.string_to_action("a1xa2"))
    assert status(draw(state)) == "Ūnane: White is to move, or to swap colours."
    state.apply_action(state.string_to_action("swap"))
    assert legend(draw(state)) == "o White (player 0), x Black (player 1)"
    assert status(draw(state)) == "Ūnane: White is to move; the players have swapped colours."


def test_unane_tells_who_has_won_after_a_swap() -> None:
    assert status(drawing("unane", "x./.. o - s", size="2x2")) == (
        "Ūnane: the game is over, Black (player 1) has won."
    )


def test_fano_tells_what_is_in_hand_and_the_phase() -> None:
    assert status(drawing("fano330", "S/./././././. 1")) == (
        "Fano330-R-Morris: copper is to place a piece; in hand: silver Sss, copper CCcc."
    )
    assert "in hand: silver -, copper c." in status(drawing("fano330", "Sc/sC/s/S/C/./. 1"))
    assert status(drawing("fano330", "Sc/sC/s/S/Cc/./. 0")).endswith("silver is to move a piece.")


def test_meigo_tells_the_first_turns_and_the_auction() -> None:
    state = state_of("meigo", size="3x3", auction=True)
    seen = []
    for action in ("prison 2", "black", "a1"):
        seen.append((legend(draw(state)).split(";")[0], status(draw(state)).split(";")[0]))
        state.apply_action(state.string_to_action(action))
    assert seen == [
        (
            "x Black, o White",
            "Meigo: player 0 is to choose how many black stones start in the prison",
        ),
        ("x Black, o White", "Meigo: player 1 is to choose black or white"),
        (
            "o White (player 0), x Black (player 1)",
            "Meigo: Black is to place an unmarked stone, the first turn",
        ),
    ]
    assert status(draw(state)) == (
        "Meigo: White is to place an unmarked stone, the first turn;"
        " prison: 2 black, 0 white; last stone: unmarked."
    )


def test_a_draw_is_told() -> None:
    state = state_of("fano330", max_plies=1)
    state.apply_action(0)
    assert status(draw(state)) == "Fano330-R-Morris: the game is over, a draw."


def test_the_core_tells_how_a_game_ended() -> None:
    state = quincunx.load_game("unane", size="2x2").new_initial_state("x./.. o - -")
    assert status(draw(state)) == (
        f"Ūnane: the game is over, Black (player 0) has won: {state.ending()}."
    )


# ---- the whole


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("fano330", {}),
        ("impedio", {"size": 3}),
        ("meigo", {"size": "5x4"}),
        ("meigo", {"size": "3x3", "auction": True}),
        ("unane", {"size": "6x5"}),
        ("unmergo", {"size": 4}),
    ],
)
def test_core_and_reference_are_drawn_alike(game: str, parameters: dict[str, Any]) -> None:
    core = quincunx.load_game(game, **parameters).new_initial_state()
    mirror = reference.load_game(game, **parameters).new_initial_state()
    rng = random.Random(game)
    for _ in range(60):
        if core.is_terminal():
            # Only the core tells how a game ended.
            assert draw(core).startswith(draw(mirror).removesuffix("."))
            break
        assert draw(core) == draw(mirror)
        text = core.action_to_string(rng.choice(core.legal_actions()))
        for state in (core, mirror):
            state.apply_action(state.string_to_action(text))


@pytest.mark.parametrize("game", ["fano330", "impedio", "meigo", "unane", "unmergo"])
def test_drawings_are_plain_text(game: str) -> None:
    text = drawing(game)
    assert text.isprintable() or set(text) - {"\n"} == {c for c in text if c.isprintable()}
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert status(text).startswith(f"{title_of(game)}: ")


def test_str_of_a_state_is_its_drawing() -> None:
    for game in quincunx.registered_names():
        state = quincunx.load_game(game).new_initial_state()
        assert str(state) == draw(state)


def test_titles_are_those_of_the_core() -> None:
    assert {name: title_of(name) for name in quincunx.registered_names()} == {
        name: title for name, title, _, _ in _core._game_infos()
    }


def test_option_text_is_what_a_command_line_takes() -> None:
    values = [True, False, 7, "ring", "9x9", (8, 7), ["d4", "f6"], []]
    texts = ["true", "false", "7", "ring", "9x9", "8x7", "d4,f6", ""]
    assert [option_text(value) for value in values] == texts
    for name in quincunx.registered_names():
        game = quincunx.load_game(name)
        given = {key: option_text(value) for key, value in game.parameters.items()}
        assert quincunx.load_game(name, **given) == game


def test_game_type_has_openspiels_fields() -> None:
    kind = game_type(quincunx.load_game("unane", size="4x4"))
    assert (kind.short_name, kind.long_name) == ("unane", "Ūnane")
    assert kind.dynamics is kind.Dynamics.SEQUENTIAL
    assert kind.chance_mode is kind.ChanceMode.DETERMINISTIC
    assert kind.information is kind.Information.PERFECT_INFORMATION
    assert kind.utility is kind.Utility.ZERO_SUM
    assert kind.reward_model is kind.RewardModel.TERMINAL
    assert kind.min_num_players == kind.max_num_players == 2
    assert kind.provides_observation_string
    assert kind.provides_observation_tensor
    assert kind.provides_information_state_string
    assert kind.provides_information_state_tensor
    assert kind.parameter_specification == {"size": "8x8", "pie": True}
    assert kind == game_type(reference.load_game("unane"))
    assert kind == quincunx.load_game("unane").get_type()
    assert hash(kind) == hash(game_type(quincunx.load_game("unane")))
