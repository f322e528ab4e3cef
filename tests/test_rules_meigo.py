"""Meigo, sentence by sentence. Most cases are on the board of 3x3, with a1 at the bottom left:

    ...   a3 b3 c3
    ...   a2 b2 c2
    ...   a1 b1 c1

Small letters are unmarked stones, capitals are marked ones.
"""

import pytest

from engines import (
    DRAW,
    FIELDS,
    FIRST_WINS,
    SECOND_WINS,
    assert_explained,
    assert_illegal,
    assert_malformed,
    assert_over,
    assert_running,
    legal,
    play,
    states_of,
)

meigo = states_of("meigo")

START = ".../.../... x 0 0 - xo"
ROWS = "field 'rows'|position, board"
PLAYER = "field 'player'|position, player to move"
BLACK_PRISON = "black in prison"
WHITE_PRISON = "white in prison"
LAST_STONE = "last stone"
FIRST_TURNS = "first turns"
AUCTION = "field 'auction'|position, auction"


def on_3x3(make_state, position=None, **parameters):
    return make_state(position, size="3x3", **parameters)


def after(make_state, position, actions, **parameters):
    """Return the position string after actions on the board of 3x3."""
    return play(on_3x3(make_state, position, **parameters), actions).position()


# ---- the board, ids and texts


def test_the_default_board_is_9x9_and_starts_empty_with_black_to_move(meigo):
    state = meigo()
    assert state.position() == "/".join(["........."] * 9) + " x 0 0 - xo"
    assert state == meigo(size="9x9")
    assert_running(state, 0)
    assert state.num_distinct_actions() == 82


def test_the_3x3_start_is_the_example_of_the_rules(meigo):
    assert on_3x3(meigo).position() == START
    assert on_3x3(meigo, START) == on_3x3(meigo)


@pytest.mark.parametrize("size", ["2x2", "19x19", "2x19", "19x2", (3, 5)])
def test_sizes_from_2_to_19_each_way(meigo, size):
    width, height = size if isinstance(size, tuple) else map(int, size.split("x"))
    state = meigo(size=size)
    assert state.legal_actions() == list(range(width * height))
    assert state.position().startswith("/".join(["." * width] * height) + " ")


@pytest.mark.parametrize("size", ["1x9", "9x1", "20x9", "9x20", "", "9", "9x", 9, (9, 9, 9)])
def test_other_sizes_are_refused(meigo, size):
    with pytest.raises(ValueError, match="size"):
        meigo(size=size)


def test_unknown_parameters_are_refused(meigo):
    with pytest.raises(ValueError, match="komi"):
        meigo(komi=7)


@pytest.mark.parametrize(
    ("size", "text", "action"),
    [
        ("9x9", "a1", 0),
        ("9x9", "d4", 30),
        ("9x9", "h1", 7),
        ("9x9", "j1", 8),  # i is skipped
        ("9x9", "j9", 80),
        ("9x9", "hold", 81),
        ("19x19", "t19", 360),
        ("19x19", "j10", 9 * 19 + 8),
        ("3x2", "a2", 3),  # three columns
        ("3x2", "c2", 5),
        ("3x2", "hold", 6),
        ("2x3", "b2", 3),
    ],
)
def test_ids_are_the_point_row_by_row_then_hold(meigo, size, text, action):
    state = meigo(size=size)
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text


def test_the_letters_of_the_columns_skip_i(meigo):
    state = meigo(size="19x2")
    assert "".join(state.action_to_string(point)[0] for point in range(19)) == "abcdefghjklmnopqrst"
    assert_malformed(state, "i1")
    assert_malformed(state, "u1")


def test_points_are_read_in_either_case_and_written_in_lower_case(meigo):
    state = meigo()
    assert state.string_to_action("D4") == state.string_to_action("d4") == 30
    assert state.string_to_action("J9") == 80
    assert_malformed(state, "I5")
    assert state.action_to_string(80) == "j9"


@pytest.mark.parametrize(
    "text",
    [
        *("", "d", "4", "d0", "d10", "k1", "d04", "d4 ", "dd4", "4d", "pass", "Hold", "resign"),
        *("prison 1", "black", "white", "prison"),  # these belong to the auction
    ],
)
def test_texts_of_no_action_are_refused(meigo, text):
    assert_malformed(meigo(), text)


# ---- first turns


def test_the_first_turn_of_each_player_places_an_unmarked_stone(meigo):
    state = play(on_3x3(meigo), "a1")
    assert state.position() == ".../.../x.. o 0 0 u o"
    assert_running(state, 1)
    assert play(state, "b2").position() == ".../.o./x.. x 0 0 u -"


def test_any_empty_point_will_do_for_the_first_turn(meigo):
    state = on_3x3(meigo)
    assert state.legal_actions() == list(range(9))
    play(state, "b2")
    assert state.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert_illegal(state, "b2", "b2")


def test_the_first_turn_cannot_be_a_hold(meigo):
    # Three black stones are in the prison, and still White's first turn is a placement.
    state = on_3x3(meigo, prison_black=3)
    assert_illegal(state, "hold", "first")
    play(state, "a1")
    assert_illegal(state, "hold", "first")
    play(state, "c3 b3")
    assert "hold" in legal(state)


def test_a_first_turn_has_no_liberty_test(meigo):
    # White's a1 has no liberty between a2 and b1.
    state = on_3x3(meigo, ".../x../.x. o 0 0 u o")
    assert play(state, "a1").position() == ".../x../ox. x 0 0 u -"


def test_a_first_turn_captures_nothing(meigo):
    # White fills the last point: neither the black chain nor White's stone has a liberty left.
    state = play(meigo("xx/x. o 0 0 u o", size="2x2"), "b1")
    assert state.position() == "xx/xo x 0 0 u -"


def test_whites_first_turn_is_unmarked_though_it_reaches_no_friendly_stone(meigo):
    # A later turn would mark the stone.
    assert after(meigo, ".../.../x.. o 0 0 u o", "c3") == "..o/.../x.. x 0 0 u -"
    assert after(meigo, ".../.../x.. o 0 0 u -", "c3") == "..O/.../x.. x 0 0 m -"


# ---- holding


def test_a_hold_removes_one_enemy_stone_from_the_prison(meigo):
    state = on_3x3(meigo, ".../.x./.o. x 0 2 u -")
    assert play(state, "hold").position() == ".../.x./.o. o 0 1 u -"
    assert_running(state, 1)


def test_white_holds_with_a_black_prisoner(meigo):
    assert after(meigo, ".../.x./.o. o 3 0 u -", "hold") == ".../.x./.o. x 2 0 u -"


@pytest.mark.parametrize("position", [".../.x./.o. x 2 0 u -", ".../.x./.o. o 0 2 u -"])
def test_stones_of_ones_own_in_the_prison_allow_no_hold(meigo, position):
    assert_illegal(on_3x3(meigo, position), "hold", "prison")


def test_a_hold_leaves_the_last_stone_placed_as_it_was(meigo):
    assert after(meigo, "..X/.x./.o. x 0 1 m -", "hold").endswith(" m -")
    assert after(meigo, "..X/.x./.o. x 0 1 u -", "hold").endswith(" u -")


def test_a_turn_is_a_play_or_a_hold(meigo):
    assert legal(on_3x3(meigo, ".../xxx/ooo x 0 1 u -")) == {"a3", "b3", "c3", "hold"}


# ---- marking


def test_a_stone_that_reaches_no_friendly_stone_is_marked(meigo):
    assert after(meigo, ".../.o./... x 0 0 u -", "a1") == ".../.o./X.. o 0 0 m -"


def test_a_stone_that_reaches_a_marked_friendly_stone_is_marked(meigo):
    assert after(meigo, "..X/.../... x 0 0 m -", "a1") == "..X/.../X.. o 0 0 m -"


def test_a_stone_that_reaches_unmarked_friendly_stones_only_is_unmarked(meigo):
    assert after(meigo, "..x/.../... x 0 0 u -", "a1") == "..x/.../x.. o 0 0 u -"


def test_a_stone_that_reaches_both_is_marked(meigo):
    assert after(meigo, "..X/.../..x x 0 0 u -", "a1") == "..X/.../X.x o 0 0 m -"


def test_white_stones_are_marked_likewise(meigo):
    assert after(meigo, "..x/.../... o 0 0 u -", "a1") == "..x/.../O.. x 0 0 m -"
    assert after(meigo, "..O/.../... o 0 0 m -", "a1") == "..O/.../O.. x 0 0 m -"
    assert after(meigo, "..o/.../... o 0 0 u -", "a1") == "..o/.../o.. x 0 0 u -"


# ---- reaching


@pytest.mark.parametrize(
    ("rows", "result", "reason"),
    [
        ("..x/ooo/...", "X", "a wall of unmarked enemy stones blocks the path"),
        ("..x/oo./...", "x", "the path goes through the gap"),
        ("..x/OOO/...", "x", "marked enemy stones may be stepped on"),
        ("..x/oOo/...", "x", "one of them is enough"),
        ("..X/oOo/...", "X", "and what lies beyond is a marked friend"),
        ("..x/XXX/...", "X", "marked friends are reached"),
        ("..X/xxx/...", "x", "unmarked friends are reached but block the marked one beyond"),
        ("xo./Oo./..o", "x", "the only path to a3 is the marked a2"),
        ("xo./oo./..o", "X", "there is none"),
    ],
)
def test_a_path_from_a1_steps_on_empty_points_and_marked_stones_but_on_no_unmarked_one(
    meigo, rows, result, reason
):
    mark = "m" if result == "X" else "u"
    expected = f"{rows[:-3]}{result}{rows[-2:]} o 0 0 {mark} -"
    last = "u" if set(rows) & {"x", "o"} else "m"
    assert after(meigo, f"{rows} x 0 0 {last} -", "a1") == expected


def test_paths_go_along_the_lines_not_diagonally(meigo):
    # From a1 only b1 can be stepped on: c2 touches b1 at the corner.
    assert after(meigo, ".../oox/..o x 0 0 u -", "a1") == ".../oox/X.o o 0 0 m -"


def test_reach_any_is_the_default(meigo):
    for reach in ({}, {"reach": "any"}):
        assert after(meigo, "..x/OOO/... x 0 0 m -", "a1", **reach).startswith("..x/OOO/x..")


def test_under_reach_friendly_marked_enemy_stones_block_the_path(meigo):
    friendly = {"reach": "friendly"}
    assert after(meigo, "..x/OOO/... x 0 0 m -", "a1", **friendly).startswith("..x/OOO/X..")
    # Marked friends do not: a1 reaches c3 through c2, and is marked by both.
    assert after(meigo, "..x/OOX/... x 0 0 m -", "a1", **friendly).startswith("..x/OOX/X..")
    # Empty points do not either.
    assert after(meigo, "..x/OO./... x 0 0 m -", "a1", **friendly).startswith("..x/OO./x..")


@pytest.mark.parametrize("reach", ["", "Any", "all", 1])
def test_other_reaches_are_refused(meigo, reach):
    with pytest.raises(ValueError, match="reach"):
        meigo(reach=reach)


# ---- unmarking


def test_adjacent_to_a_marked_and_an_unmarked_friend_all_marked_friends_reached_are_unmarked(meigo):
    # a2 lies between a1 and a3; c3 is reached over the empty points.
    assert after(meigo, "X.X/.../x.. x 0 0 m -", "a2") == "x.x/x../x.. o 0 0 u -"


def test_white_unmarks_white_stones_only(meigo):
    assert after(meigo, "O.X/.../o.O o 0 0 m -", "a2") == "o.X/o../o.o x 0 0 u -"


def test_a_marked_friend_that_is_not_reached_stays_marked(meigo):
    # The unmarked white stones of column c block the way to d3.
    state = meigo("X.oX/..o./x.o. x 0 0 m -", size="4x3")
    assert play(state, "a2").position() == "x.oX/x.o./x.o. o 0 0 u -"


def test_the_stones_to_unmark_are_reached_through_marked_enemy_stones(meigo):
    position = "X.OX/..O./x.O. x 0 0 m -"
    assert play(meigo(position, size="4x3"), "a2").position() == "x.Ox/x.O./x.O. o 0 0 u -"
    state = play(meigo(position, size="4x3", reach="friendly"), "a2")
    assert state.position() == "x.OX/x.O./x.O. o 0 0 u -"


def test_reaching_both_kinds_without_being_adjacent_to_both_unmarks_nothing(meigo):
    # b1 is adjacent to a1 only; c3 is reached and marks the new stone.
    assert after(meigo, "..X/.../x.. x 0 0 u -", "b1") == "..X/.../xX. o 0 0 m -"


def test_adjacent_to_marked_friends_only_unmarks_nothing(meigo):
    assert after(meigo, "X../.../X.x x 0 0 m -", "a2") == "X../X../X.x o 0 0 m -"


def test_adjacent_to_unmarked_friends_only_unmarks_nothing(meigo):
    assert after(meigo, "x.X/.../x.. x 0 0 m -", "a2") == "x.X/X../x.. o 0 0 m -"


def test_adjacent_stones_of_the_enemy_unmark_nothing(meigo):
    assert after(meigo, "o.X/.../X.. x 0 0 m -", "a2") == "o.X/X../X.. o 0 0 m -"


# ---- capturing


def test_an_enemy_chain_without_liberties_goes_to_the_prison_with_all_its_stones(meigo):
    # a1 and b1 are one chain, marked or not; c1 was its last liberty.
    assert after(meigo, ".../xx./oO. x 0 0 u -", "c1") == ".../xx./..x o 0 2 u -"


def test_white_captures_black_stones(meigo):
    assert after(meigo, ".../oo./xX. o 1 0 u -", "c1") == ".../oo./..o x 3 0 u -"


def test_chains_are_connected_along_the_lines_not_diagonally(meigo):
    # a1 is captured, b2 is not of its chain.
    assert after(meigo, ".../xo./o.. x 0 0 u -", "b1") == ".../xo./.x. o 0 1 u -"


def test_several_chains_are_captured_at_once(meigo):
    assert after(meigo, ".xo/.x./xo. x 0 0 u -", "c1") == ".xo/.x./x.x o 0 1 u -"
    assert after(meigo, "xo./xx./o.. x 0 0 u -", "b1") == "xo./xx./.x. o 0 1 u -"
    assert after(meigo, "x../ox./.ox x 0 0 u -", "a1") == "x../.x./X.x o 0 2 m -"


def test_a_chain_with_a_liberty_left_is_not_captured(meigo):
    assert after(meigo, ".../.x./oO. x 0 0 u -", "c1") == ".../.x./oOx o 0 0 u -"


def test_captures_come_before_the_liberty_test(meigo):
    # b1 has no liberty until a1, which has none either, is taken.
    assert after(meigo, ".../xo./o.o x 0 0 u -", "b1") == ".../xo./.Xo o 0 1 m -"


def test_a_play_without_a_liberty_is_illegal(meigo):
    # The same, but a1 has a liberty on a2.
    assert_illegal(on_3x3(meigo, ".../.o./o.o x 0 0 u -"), "b1", "b1", "liberty")


def test_the_liberty_may_be_one_of_the_chain_that_the_stone_joins(meigo):
    assert after(meigo, ".../.o./x.o x 0 0 u -", "b1") == ".../.o./xxo o 0 0 u -"
    assert_illegal(on_3x3(meigo, ".../oo./x.o x 0 0 u -"), "b1", "b1", "liberty")


def test_the_liberty_may_come_from_a_chain_captured_away_from_the_stone(meigo):
    # White's a2 has no liberty on a custom position, and b1 sweeps it from the board: that gives
    # the chain a1 b1 b2 its only liberty.
    assert after(meigo, "xo./oxo/x.o x 0 0 u -", "b1") == "xo./.xo/xxo o 0 1 u -"
    # With a black stone on a2 there is none.
    assert_illegal(on_3x3(meigo, "xo./xxo/x.o x 0 1 u -"), "b1", "b1", "liberty")


def test_an_illegal_play_leaves_no_trace(meigo):
    # Black's b1 would unmark c1 before it turns out to be suicide: White's chain has c3.
    state = on_3x3(meigo, "oo./ooo/x.X x 0 1 m -")
    assert_illegal(state, "b1", "b1", "liberty")
    assert state.position() == "oo./ooo/x.X x 0 1 m -"
    assert legal(state) == {"hold"}


def test_a_marked_enemy_stone_about_to_be_captured_still_carries_the_path(meigo):
    # a1 takes a2 and b1 and reaches Black's stones through them: it is unmarked.
    assert after(meigo, "x../Ox./.Ox x 0 0 u -", "a1") == "x../.x./x.x o 0 2 u -"


def test_an_unmarked_enemy_stone_about_to_be_captured_still_blocks_the_path(meigo):
    assert after(meigo, "x../ox./.ox x 0 0 u -", "a1") == "x../.x./X.x o 0 2 m -"


def test_flips_come_before_captures(meigo):
    # b1, between a1 and c1, takes b2 and unmarks c1. Behind b2 is Black's marked b3: not reached
    # while b2 stands, it stays marked.
    assert after(meigo, ".X./xox/x.X x 0 0 u -", "b1") == ".X./x.x/xxx o 0 1 u -"


def test_all_enemy_chains_without_liberties_are_captured_wherever_they_are(meigo):
    # White's c3 has no liberty on a custom position; Black plays far away from it.
    assert after(meigo, ".xo/..x/... x 0 0 u -", "a1") == ".x./..x/x.. o 0 1 u -"


def test_own_chains_without_liberties_elsewhere_stay(meigo):
    # Black's c3 has none, but neither does Black's play take it nor does it make it illegal.
    state = play(on_3x3(meigo, ".ox/..o/... x 0 0 u -"), "a1")
    assert state.position() == ".ox/..o/X.. o 0 0 m -"
    # It is White's next play that takes it.
    assert play(state, "c1").position() == ".o./..o/X.o x 1 0 u -"


def test_a_handicap_can_leave_a_chain_without_liberties_for_the_next_play(meigo):
    # White's first turn a1 stays without a liberty until Black plays.
    state = on_3x3(meigo, handicap="a2,b1")
    assert play(state, "a1").position() == ".../x../ox. x 0 0 u -"
    assert play(state, "c3").position() == "..x/x../.x. o 0 1 u -"


# ---- a marked stone may not capture a marked one after a marked one


# b1 is marked, since it reaches a2 through a1; it captures the marked a1.
RESTRICTED = ".../Xo./O.o x 0 0 m -"


def test_a_marked_stone_may_not_capture_a_marked_one_if_the_last_stone_was_marked(meigo):
    assert_illegal(on_3x3(meigo, RESTRICTED), "b1", "b1", "a1", "marked")


def test_the_restriction_holds_for_white_too(meigo):
    assert_illegal(on_3x3(meigo, ".../Ox./X.x o 0 0 m -"), "b1", "b1", "a1", "marked")


def test_it_may_if_the_last_stone_was_unmarked(meigo):
    position = RESTRICTED.replace(" m ", " u ")
    assert after(meigo, position, "b1") == ".../Xo./.Xo o 0 1 m -"


def test_an_unmarked_stone_may_capture_a_marked_one(meigo):
    # Only a2 differs: reaching just that, b1 is unmarked.
    assert after(meigo, ".../xo./O.o x 0 0 m -", "b1") == ".../xo./.xo o 0 1 u -"


def test_a_marked_stone_may_capture_unmarked_ones(meigo):
    # Only a1 differs; b1 reaches nothing and is marked.
    position = ".../Xo./o.o x 0 0 m -"
    assert after(meigo, position, "b1") == ".../Xo./.Xo o 0 1 m -"


def test_a_marked_stone_may_be_placed_without_a_capture(meigo):
    # c3 reaches a2 over the empty points.
    assert after(meigo, RESTRICTED, "c3") == "..X/Xo./O.o o 0 0 m -"


def test_one_marked_stone_among_those_captured_is_enough(meigo):
    # The chain a1 a2 is taken from b1, which is adjacent to the marked b2.
    assert_illegal(on_3x3(meigo, "X../oX./O.. x 0 0 m -"), "b1", "a1")
    assert_illegal(on_3x3(meigo, "X../OX./o.. x 0 0 m -"), "b1", "a2")
    assert after(meigo, "X../oX./o.. x 0 0 m -", "b1") == "X../.X./.X. o 0 2 m -"
    assert after(meigo, "X../oX./O.. x 0 0 u -", "b1") == "X../.X./.X. o 0 2 m -"


def test_the_last_stone_placed_may_be_ones_own_when_the_opponent_held(meigo):
    # Black's c3 is marked, White holds, and Black is bound by its own stone.
    state = on_3x3(meigo, ".../Xo./O.o x 1 0 u -")
    assert "b1" in legal(state)
    assert play(state, "c3 hold").position() == "..X/Xo./O.o x 0 0 m -"
    assert_illegal(state, "b1", "a1", "marked")


# ---- the end


def test_a_player_who_can_neither_play_nor_hold_loses(meigo):
    assert_over(meigo("xx/xo x 0 0 u -", size="2x2"), SECOND_WINS)
    assert_over(meigo("oo/ox o 0 0 u -", size="2x2"), FIRST_WINS)


def test_suicide_points_are_no_plays(meigo):
    # White's two eyes leave Black nothing.
    assert_over(on_3x3(meigo, ".o./ooo/ooo x 0 0 u -"), SECOND_WINS)


def test_the_last_player_to_play_wins(meigo):
    # By the letter White's first turn fills the board.
    assert_over(play(meigo("xx/x. o 0 0 u o", size="2x2"), "b1"), SECOND_WINS)


def test_the_last_player_to_hold_wins(meigo):
    state = meigo("xx/xo x 0 1 u -", size="2x2")
    assert legal(state) == {"hold"}
    assert_over(play(state, "hold"), FIRST_WINS)


def test_holds_are_spent_in_turn_until_one_player_has_none(meigo):
    # Two white prisoners for Black, one black one for White.
    state = meigo("xx/xo x 1 2 u -", size="2x2")
    assert_over(play(state, "hold hold hold"), FIRST_WINS)
    assert state.position() == "xx/xo o 0 0 u -"


def test_a_hold_keeps_a_player_without_a_play_in_the_game(meigo):
    assert_running(on_3x3(meigo, ".o./ooo/ooo x 0 1 u -"), 0)


def test_nothing_can_be_played_after_the_end(meigo):
    state = on_3x3(meigo, ".o./ooo/ooo x 0 0 u -")
    for text in ("a3", "b2", "hold"):
        assert_illegal(state, text, "over")


# ---- the fairness devices


def test_prison_black_starts_with_black_stones_in_the_prison(meigo):
    assert on_3x3(meigo, prison_black=2).position() == ".../.../... x 2 0 - xo"
    assert on_3x3(meigo).position() == on_3x3(meigo, prison_black=0).position()


def test_each_black_prisoner_is_one_hold_for_white(meigo):
    state = play(on_3x3(meigo, prison_black=2), "a1 c3 b1 hold c1 hold a2")
    assert state.position().endswith(" o 0 0 u -")
    assert_illegal(state, "hold", "prison")


@pytest.mark.parametrize("prison_black", [-1, "x", 1.5, None])
def test_prison_black_is_a_number_from_0(meigo, prison_black):
    with pytest.raises(ValueError, match="prison_black"):
        meigo(prison_black=prison_black)


@pytest.mark.parametrize("handicap", [["a1", "c3"], ("a1", "c3"), "a1,c3", "C3,A1", ["A1", "c3"]])
def test_a_handicap_is_blacks_first_turn_and_whites_is_next(meigo, handicap):
    state = on_3x3(meigo, handicap=handicap)
    assert state.position() == "..x/.../x.. o 0 0 u o"
    assert_running(state, 1)
    assert state.legal_actions() == [1, 2, 3, 4, 5, 6, 7]
    assert play(state, "b2").position() == "..x/.o./x.. x 0 0 u -"


@pytest.mark.parametrize("handicap", [[], (), ""])
def test_an_empty_handicap_is_none(meigo, handicap):
    assert on_3x3(meigo, handicap=handicap).position() == START


def test_a_handicap_and_black_prisoners_go_together(meigo):
    state = on_3x3(meigo, handicap="b2", prison_black=1)
    assert state.position() == ".../.x./... o 1 0 u o"


@pytest.mark.parametrize(
    "handicap",
    [
        "a1,a1",
        ["a1", "A1"],
        "a1,a2,a3,b1,b2,b3,c1,c2",  # one point is left
        "a1,a2,a3,b1,b2,b3,c1,c2,c3",
        "d1",
        "a4",
        "i1",
        "a1,,b2",
        "a1 b2",
        [1, 2],
        5,
        None,
    ],
)
def test_handicaps_with_duplicates_too_many_or_no_points_are_refused(meigo, handicap):
    with pytest.raises(ValueError, match="handicap"):
        on_3x3(meigo, handicap=handicap)


def test_a_handicap_may_leave_two_points(meigo):
    state = on_3x3(meigo, handicap="a1,a2,a3,b1,b2,b3,c1")
    assert state.position() == "xx./xx./xxx o 0 0 u o"
    assert legal(state) == {"c2", "c3"}


# ---- the auction


def test_player_0_first_chooses_how_many_black_stones_are_in_the_prison(meigo):
    state = on_3x3(meigo, auction=True)
    assert state.position() == ".../.../... x 0 0 - xo k"
    assert_running(state, 0)
    assert legal(state) == {f"prison {k}" for k in range(10)}
    for text in ("a1", "hold", "black", "white"):
        assert_illegal(state, text, "prison")


def test_then_player_1_chooses_a_colour(meigo):
    state = play(on_3x3(meigo, auction=True), ["prison 3"])
    assert state.position() == ".../.../... x 3 0 - xo c"
    assert_running(state, 1)
    assert legal(state) == {"black", "white"}
    for text in ("a1", "hold", "prison 3"):
        assert_illegal(state, text, "black", "white")


def test_after_black_player_1_has_black_and_opens(meigo):
    state = play(on_3x3(meigo, auction=True), ["prison 3", "black"])
    assert state.position() == ".../.../... x 3 0 - xo s"
    assert_running(state, 1)
    play(state, "a1")
    assert state.position() == ".../.../x.. o 3 0 u o s"
    assert_running(state, 0)


def test_after_white_player_0_has_black_and_opens(meigo):
    state = play(on_3x3(meigo, auction=True), ["prison 0", "white"])
    assert state.position() == ".../.../... x 0 0 - xo -"
    assert_running(state, 0)
    assert_running(play(state, "a1"), 1)


def test_each_choice_is_a_turn(meigo):
    state = on_3x3(meigo, auction=True)
    assert state.turns() == [f"prison {k}" for k in range(10)]
    state.apply_turn("prison 3")
    assert state.turns() == ["black", "white"]
    state.apply_turn("black")
    assert state.position() == ".../.../... x 3 0 - xo s"


def test_the_auction_is_over_after_the_choices(meigo):
    state = play(on_3x3(meigo, auction=True), ["prison 1", "white"])
    assert legal(state) == {"a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"}
    for text in ("prison 1", "black", "white"):
        assert_illegal(state, text, "auction")


def test_returns_belong_to_the_persons(meigo):
    # Black, who can neither play nor hold, has lost: player 0 without, player 1 with the exchange.
    position = "xx/xo x 0 0 u -"
    assert_over(meigo(f"{position} -", size="2x2", auction=True), SECOND_WINS)
    assert_over(meigo(f"{position} s", size="2x2", auction=True), FIRST_WINS)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("c3", 8),
        ("hold", 9),
        ("prison 0", 10),
        ("prison 9", 19),
        ("black", 20),
        ("white", 21),
    ],
)
def test_ids_with_the_auction(meigo, text, action):
    state = on_3x3(meigo, auction=True)
    assert state.num_distinct_actions() == 22
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text


@pytest.mark.parametrize(
    "text", ["prison", "prison 10", "prison -1", "prison 01", "prison  1", "Black", "WHITE"]
)
def test_other_choices_are_no_actions(meigo, text):
    assert_malformed(on_3x3(meigo, auction=True), text)


def test_without_the_auction_there_are_a_plus_1_actions(meigo):
    assert on_3x3(meigo).num_distinct_actions() == 10
    assert on_3x3(meigo, auction=False) == on_3x3(meigo)
    assert on_3x3(meigo, auction="false") == on_3x3(meigo)


@pytest.mark.parametrize("other", [{"prison_black": 1}, {"handicap": "a1"}])
def test_the_auction_goes_with_neither_of_the_other_two(meigo, other):
    with pytest.raises(ValueError, match="auction"):
        on_3x3(meigo, auction=True, **other)


# ---- the ko, repetition and the number of plies

KO = "....../.xo.../xo.o../.xo.../....../...... x 0 0 u -"


def test_by_the_letter_a_plain_ko_never_ends(meigo):
    # c4 reaches no friend and is marked; b4 reaches White's stones through it and is not.
    state = play(meigo(KO, size="6x6"), "c4")
    assert state.position() == "....../.xo.../x.Xo../.xo.../....../...... o 0 1 m -"
    play(state, "b4")
    assert state.position() == "....../.xo.../xo.o../.xo.../....../...... x 1 1 u -"
    play(state, "hold hold")
    assert state.position() == KO
    assert_running(state, 0)


def test_under_reach_friendly_the_immediate_retake_is_illegal(meigo):
    state = play(meigo(KO, size="6x6", reach="friendly"), "c4")
    assert_illegal(state, "b4", "b4", "c4")


def test_repetition_is_off_by_default(meigo):
    assert_running(play(meigo(KO, size="6x6"), " ".join(["c4 b4 hold hold"] * 6)), 0)
    assert_running(play(meigo(KO, size="6x6", repetition=0), " ".join(["c4 b4"] * 6)), 0)


def test_repetition_ignores_the_prison(meigo):
    # After c4 b4 there is one more prisoner of each colour.
    state = play(meigo(KO, size="6x6", repetition=2), "c4 b4")
    assert state.position().endswith(" x 1 1 u -")
    assert_over(state, DRAW)


@pytest.mark.parametrize("repetition", [2, 3, 4])
def test_the_nth_occurrence_is_a_draw(meigo, repetition):
    state = meigo(KO, size="6x6", repetition=repetition)
    for _ in range(repetition - 1):
        assert_running(state, 0)
        play(state, "c4 b4")
    assert_over(state, DRAW)


def test_a_position_with_the_other_mover_is_no_repetition(meigo):
    # One hold leaves the board as it is, but White is to move; the second brings Black back.
    state = meigo(KO.replace("0 0", "5 5"), size="6x6", repetition=2)
    assert_running(play(state, "hold"), 1)
    assert_over(play(state, "hold"), DRAW)


def test_positions_that_differ_in_the_last_stone_are_no_repetition(meigo):
    # The marked f1 takes no part. At first the last stone is marked, after b4 it is not; only
    # the position after c4, ply 1, comes back on ply 3.
    start = "....../.xo.../xo.o../.xo.../....../.....O x 0 0 m -"
    state = play(meigo(start, size="6x6", repetition=2), "c4 b4")
    assert state.position() == start.replace("0 0 m", "1 1 u")
    assert_running(state, 0)
    assert_over(play(state, "c4"), DRAW)


def test_positions_that_differ_in_the_marks_are_no_repetition(meigo):
    # Over the marked b4 Black's c4 reaches the marked a4 and is marked, so that White's stone
    # retakes unmarked: on ply 2 only the mark of b4 has changed. Black's c4 reaches nothing now,
    # is marked again, and the position after ply 1 is back.
    start = "....../.xo.../XO.o../.xo.../....../...... x 0 0 u -"
    state = play(meigo(start, size="6x6", repetition=2), "c4")
    assert state.position() == "....../.xo.../X.Xo../.xo.../....../...... o 0 1 m -"
    play(state, "b4")
    assert state.position() == "....../.xo.../Xo.o../.xo.../....../...... x 1 1 u -"
    assert_running(state, 0)
    assert_over(play(state, "c4"), DRAW)


@pytest.mark.parametrize("repetition", [1, -1, "x", 2.5, None])
def test_repetition_1_and_what_is_no_count_is_refused(meigo, repetition):
    with pytest.raises(ValueError, match="repetition"):
        meigo(repetition=repetition)


def test_max_plies_is_a_draw_when_reached(meigo):
    state = play(on_3x3(meigo, max_plies=3), "a1 c3")
    assert_running(state, 0)
    assert_over(play(state, "b2"), DRAW)


def test_holds_are_plies_too(meigo):
    state = on_3x3(meigo, ".../.x./.o. x 1 1 u -", max_plies=2)
    assert_over(play(state, "hold hold"), DRAW)


def test_a_player_with_no_play_and_no_hold_loses_even_at_the_cap(meigo):
    state = meigo("xx/xo x 0 1 u -", size="2x2", max_plies=1)
    assert_over(play(state, "hold"), FIRST_WINS)
    state = meigo("xx/x. o 0 0 u o", size="2x2", max_plies=1)
    assert_over(play(state, "b1"), SECOND_WINS)


def test_auction_actions_count(meigo):
    state = play(on_3x3(meigo, auction=True, max_plies=3), ["prison 2", "white"])
    assert_running(state, 0)
    assert_over(play(state, "a1"), DRAW)
    assert_over(play(on_3x3(meigo, auction=True, max_plies=2), ["prison 2", "black"]), DRAW)
    assert_over(play(on_3x3(meigo, auction=True, max_plies=1), ["prison 2"]), DRAW)


@pytest.mark.parametrize(("size", "plies"), [("9x9", 1620), ("3x3", 180), ("3x2", 120)])
def test_max_plies_is_20_a_point_by_default(meigo, size, plies):
    game = meigo(size=size).get_game()
    assert game.parameters["max_plies"] == plies
    assert game.max_game_length() == plies


# The ko on a small board: Black takes b2 from c2. A round is four plies, the cap 20 * 12.
SMALL_KO = ".xo./xo.o/.xo. x 0 0 u -"


def test_the_default_cap_ends_the_ko_as_a_draw(meigo):
    state = meigo(SMALL_KO, size="4x3")
    for _ in range(60):
        assert_running(state, 0)
        assert state.position() == SMALL_KO
        play(state, "c2 b2 hold hold")
    assert_over(state, DRAW)


def test_max_plies_0_is_none(meigo):
    assert meigo(max_plies=0).get_game().max_game_length() == 0
    state = meigo(SMALL_KO, size="4x3", max_plies=0)
    assert_running(play(state, " ".join(["c2 b2 hold hold"] * 61)), 0)


@pytest.mark.parametrize("max_plies", [-1, "x", 2.5])
def test_max_plies_below_0_or_no_number_is_refused(meigo, max_plies):
    with pytest.raises(ValueError, match="max_plies"):
        meigo(max_plies=max_plies)


# ---- position strings


@pytest.mark.parametrize(
    "position",
    [
        START,
        ".../.../... x 2 0 - xo",
        "..x/.../x.. o 0 0 u o",
        "xXo/O../... o 0 12 m -",
        "xXo/O../... x 300 70000 u -",  # prison counts pass 255 and 65535
        "xxx/x../... x 0 0 u -",  # stone counts are not tested against each other
        "o../.../... o 0 0 u -",
        ".o./ooo/ooo x 0 0 u -",  # a finished game
    ],
)
def test_positions_read_and_written_are_the_same(meigo, position):
    assert on_3x3(meigo, position).position() == position


@pytest.mark.parametrize(
    "position",
    [
        ".../.../... x 0 0 - xo k",
        ".../.../... x 0 0 - xo c",
        ".../.../... x 9 0 - xo c",
        ".../.../... x 4 0 - xo s",
        ".../.../... x 4 0 - xo -",
        ".../.../x.. o 0 0 u o s",
        ".../.o./x.. x 0 0 u - s",
    ],
)
def test_positions_with_the_auction_have_a_seventh_field(meigo, position):
    assert on_3x3(meigo, position, auction=True).position() == position
    with pytest.raises(ValueError, match=FIELDS):
        on_3x3(meigo, position)


def test_a_game_with_the_auction_refuses_six_fields(meigo):
    with pytest.raises(ValueError, match=FIELDS):
        on_3x3(meigo, START, auction=True)


def test_a_game_that_begins_with_a_handicap_reads_any_other_position(meigo):
    assert on_3x3(meigo, START, handicap="b2").position() == START


@pytest.mark.parametrize(
    ("position", "field"),
    [
        (".../.o./x.. x 0 0 m -", LAST_STONE),  # no marked stone
        (".../.../... x 0 0 m -", LAST_STONE),
        (".../.O./X.. x 0 0 u -", LAST_STONE),  # no unmarked stone
        (".../.../... x 0 0 u -", LAST_STONE),
        (".../.o./x.. x 0 0 - -", LAST_STONE),  # a stone is on the board
        (".../.../X.. o 0 0 - -", LAST_STONE),
        (".../.../x.. x 0 0 u xo", FIRST_TURNS),  # not empty
        (".../.../... o 0 0 - xo", FIRST_TURNS),  # not Black's turn
        (".../.../x.. x 0 0 u o", FIRST_TURNS),  # not White's turn
        (".../.o./x.. o 0 0 u o", FIRST_TURNS),  # a white stone
        (".../.x./X.. o 0 0 m o", FIRST_TURNS),  # a marked one
    ],
)
def test_impossible_last_stones_and_first_turns_are_refused(meigo, position, field):
    with pytest.raises(ValueError, match=field):
        on_3x3(meigo, position)


@pytest.mark.parametrize(
    "position",
    [
        ".../.../x.. o 0 0 u o k",
        ".../.../x.. o 0 0 u o c",
        ".../.o./x.. x 0 0 u - k",
        ".../.../... x 1 0 - xo k",  # k is still to be chosen
        ".../.../... x 10 0 - xo c",  # more than the board has points
        ".../.../... x 0 1 - xo k",
        ".../.../... x 0 1 - xo c",
        ".../.../... x 0 0 - xo x",
        ".../.../... x 0 0 - xo K",
    ],
)
def test_impossible_auctions_are_refused(meigo, position):
    with pytest.raises(ValueError, match=f"{AUCTION}|in prison"):
        on_3x3(meigo, position, auction=True)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ("", FIELDS),
        (".../.../... x 0 0 -", FIELDS),
        (".../.../... x 0 0 - xo -", FIELDS),
        (".../.../...  x 0 0 - xo", FIELDS),
        (" .../.../... x 0 0 - xo", FIELDS),
        (".../... x 0 0 - xo", ROWS),
        (".../.../.../... x 0 0 - xo", ROWS),
        ("../.../... x 0 0 - xo", ROWS),
        ("..../.../... x 0 0 - xo", ROWS),
        ("b../.../... x 0 0 u -", ROWS),
        ("3/.../... x 0 0 - xo", ROWS),
        (".../.../... b 0 0 - xo", PLAYER),
        (".../.../... X 0 0 - xo", PLAYER),
        (".../.../... x -1 0 - xo", BLACK_PRISON),
        (".../.../... x 01 0 - xo", BLACK_PRISON),
        (".../.../... x a 0 - xo", BLACK_PRISON),
        (".../.../... x 1.5 0 - xo", BLACK_PRISON),
        (".../.../... x 99999999999999999999 0 - xo", BLACK_PRISON),
        (".../.../... x 0 -1 - xo", WHITE_PRISON),
        (".../.../... x 0 00 - xo", WHITE_PRISON),
        (".../.../... x 0 +1 - xo", WHITE_PRISON),
        (".../.../... x 0 0 x xo", LAST_STONE),
        (".../.../x.. x 0 0 U -", LAST_STONE),
        (".../.../... x 0 0 - x", FIRST_TURNS),
        (".../.../... x 0 0 - ox", FIRST_TURNS),
        (".../.../... x 0 0 - XO", FIRST_TURNS),
        (".../.../... x 0 0 - xo\n", FIRST_TURNS),
    ],
)
def test_malformed_positions_are_refused_naming_the_field(meigo, position, field):
    with pytest.raises(ValueError, match=field):
        on_3x3(meigo, position)


# ---- explanations


def test_a_legal_action_needs_no_explanation(meigo):
    assert meigo().explain("d4") is None
    assert meigo().explain("D4") is None


def test_the_explanation_of_the_restriction_names_the_stones_captured(meigo):
    assert_explained(on_3x3(meigo, "X../OX./O.. x 0 0 m -"), "b1", "b1", "a1", "a2", "marked")
