"""Ūnane, sentence by sentence. Most cases use the smallest boards: 2x3 (two columns, three rows)
starts as drawn, 2x2 as its lower two rows.

    xo   a3 b3
    ox   a2 b2
    xo   a1 b1
"""

import pytest

from engines import (
    FIELDS,
    FIRST_WINS,
    SECOND_WINS,
    assert_explained,
    assert_id_illegal,
    assert_illegal,
    assert_malformed,
    assert_over,
    assert_running,
    legal,
    play,
    states_of,
)

unane = states_of("unane")

ROWS = "field 'rows'|position, board"
PLAYER = "field 'player'|position, to move"
PIE = "field 'pie'|position, pie"
SWAPPED = "field 'swapped'|position, swapped"


# ---- the board and the start


def test_the_default_board_is_8x8_and_full_with_colours_alternating_and_a1_black(unane):
    state = unane()
    assert state.position() == (
        "oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo x - -"
    )
    assert state == unane(size="8x8", pie=True)


def test_the_4x4_start_is_the_example_of_the_rules(unane):
    state = unane(size="4x4")
    assert state.position() == "oxox/xoxo/oxox/xoxo x - -"
    assert unane("oxox/xoxo/oxox/xoxo x - -", size="4x4") == state


@pytest.mark.parametrize(
    ("size", "position"),
    [
        ("2x2", "ox/xo x - -"),
        ("2x3", "xo/ox/xo x - -"),  # the width comes first
        ("3x2", "oxo/xox x - -"),
        ((4, 3), "xoxo/oxox/xoxo x - -"),
        ("3x4", "oxo/xox/oxo/xox x - -"),
    ],
)
def test_oblong_boards_with_an_even_number_of_cells(unane, size, position):
    assert unane(size=size).position() == position


def test_black_moves_first_and_is_player_0(unane):
    assert_running(unane(), 0)


@pytest.mark.parametrize("size", ["3x3", "5x7", (3, 3), "1x2", "2x1", "0x8", "17x2", "2x17"])
def test_odd_boards_and_sides_outside_2_to_16_are_refused(unane, size):
    with pytest.raises(ValueError, match="size"):
        unane(size=size)


@pytest.mark.parametrize("size", ["", "8", "8x", "x8", "8x8x8", "8*8", "axb", 8, (8,), (8, 8, 8)])
def test_malformed_sizes_are_refused(unane, size):
    with pytest.raises(ValueError, match="size"):
        unane(size=size)


@pytest.mark.parametrize("pie", ["yes", "", 2, "True "])
def test_pie_is_true_or_false(unane, pie):
    with pytest.raises(ValueError, match="pie"):
        unane(pie=pie)


def test_unknown_parameters_are_refused(unane):
    with pytest.raises(ValueError, match="komi"):
        unane(komi=1)


# ---- action ids and texts


@pytest.mark.parametrize(
    ("size", "text", "action"),
    [
        ("8x8", "a1xb1", 0),
        ("8x8", "a1xa2", 1),
        ("8x8", "b1xa1", 4 + 2),
        ("8x8", "a2xa1", 4 * 8 + 3),
        ("8x8", "h8xg8", 4 * 63 + 2),
        ("8x8", "-a1", 256),
        ("8x8", "-c3", 256 + 18),
        ("8x8", "-h8", 319),
        ("8x8", "swap", 320),
        ("2x3", "b2xb3", 4 * 3 + 1),
        ("2x3", "-a3", 24 + 4),
        ("2x3", "swap", 30),
        ("3x2", "b2xc2", 4 * 4),
        ("3x2", "-a2", 24 + 3),
        ("16x2", "i1xj1", 4 * 8),  # plain letters: i is one of them
        ("16x2", "-p2", 4 * 32 + 31),
        ("2x16", "a10xa11", 4 * 18 + 1),
        ("2x16", "-a16", 4 * 32 + 30),
        ("16x16", "-p16", 4 * 256 + 255),
        ("16x16", "swap", 1280),
    ],
)
def test_ids_capture_is_4_cell_plus_direction_remove_4a_plus_cell_swap_5a(
    unane, size, text, action
):
    state = unane(size=size)
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text


@pytest.mark.parametrize(
    ("size", "pie", "actions"),
    [("2x2", True, 21), ("2x3", True, 31), ("8x8", True, 321), ("8x8", False, 321)],
)
def test_there_are_5a_plus_1_actions(unane, size, pie, actions):
    assert unane(size=size, pie=pie).num_distinct_actions() == actions


@pytest.mark.parametrize(
    "text",
    [
        *("", "a1", "-", "-i1", "-a9", "-a0", "-a01", "--a1", "- a1", "-A1", "A1xA2", "a1-a2"),
        *("a1xa3", "a1xb2", "a1xa1", "a1x", "xa1", "a1xa2xa3", "pass", "Swap", "SWAP", "end"),
    ],
)
def test_texts_of_no_action_are_refused(unane, text):
    assert_malformed(unane(), text)


def test_captures_off_the_board_are_never_legal(unane):
    state = unane(size="2x2")
    for action in (2, 3, 4 * 3, 4 * 3 + 1):  # a1 to W and S, b2 to E and N
        assert_id_illegal(state, action)


# ---- capturing and removing


def test_the_start_has_one_capture_for_each_pair_of_adjacent_stones(unane):
    # One pair in each of three rows, two pairs in each of two columns: seven.
    assert legal(unane(size="2x3")) == {
        *("a1xb1", "a1xa2", "b2xa2", "b2xb1", "b2xb3", "a3xb3", "a3xa2"),
    }


def test_a_capture_moves_the_stone_onto_the_enemy_stone_which_is_gone(unane):
    state = play(unane(size="2x3"), "b2xb3")
    assert state.position() == "xx/o./xo o p -"


def test_white_captures_likewise(unane):
    state = play(unane("xx/o./xo o - -", size="2x3"), "a2xa3")
    assert state.position() == "ox/../xo x - -"


@pytest.mark.parametrize("capture", ["a2xb2", "a2xa3", "a2xa1"])
def test_a_stone_captures_in_each_orthogonal_direction_to_the_east_north_and_south(unane, capture):
    assert capture in legal(unane("xo/ox/xo o - -", size="2x3"))


def test_a_stone_captures_to_the_west(unane):
    assert "b2xa2" in legal(unane(size="2x3"))


def test_a_diagonal_capture_is_no_action(unane):
    assert_malformed(unane(size="2x3"), "a1xb2")


def test_own_stones_and_empty_cells_are_not_captured(unane):
    # Black a3, b3 and a1; White a2 and b1.
    state = unane("xx/o./xo x - -", size="2x3")
    assert legal(state) == {"a3xa2", "a1xa2", "a1xb1", "-b3"}
    assert_illegal(state, "a3xb3", "b3")
    assert_illegal(state, "b3xb2", "b2")


def test_only_own_stones_capture(unane):
    state = unane("xx/o./xo x - -", size="2x3")
    assert_illegal(state, "a2xa3", "a2")
    assert_illegal(state, "b2xb3", "b2")


def test_a_stone_is_removed_only_without_an_orthogonally_adjacent_enemy_stone(unane):
    # Black's a3 and a1 have no neighbours at all, c3 has White's d3 beside it.
    state = unane("x.xo/..../x.o. x - -", size="4x3")
    assert legal(state) == {"-a3", "-a1", "c3xd3"}
    assert_illegal(state, "-c3", "c3", "d3")
    assert play(state, "-a3").position() == "..xo/..../x.o. o - -"


def test_white_removes_likewise(unane):
    # White's c1 is alone; d3 has Black's c3 beside it.
    state = unane("x.xo/..../x.o. o - -", size="4x3")
    assert legal(state) == {"-c1", "d3xc3"}
    assert_illegal(state, "-d3", "d3", "c3")


def test_a_stone_beside_its_own_colour_only_may_be_removed(unane):
    state = unane("xx.o/..../x..o x - -", size="4x3")
    assert legal(state) == {"-a3", "-b3", "-a1"}


def test_diagonally_adjacent_enemies_do_not_prevent_a_removal(unane):
    state = unane("x.x/.o./..o/... x - -", size="3x4")
    assert {"-a4", "-c4"} <= legal(state)


def test_neither_enemy_stones_nor_empty_cells_are_removed(unane):
    state = unane("x.xo/..../x.o. x - -", size="4x3")
    assert_illegal(state, "-c1", "c1")
    assert_illegal(state, "-b2", "b2")


def test_there_is_no_passing(unane):
    assert_malformed(unane("x.xo/..../x.o. x - -", size="4x3"), "pass")


# ---- the end


def test_exactly_one_group_wins_by_a_capture(unane):
    # Black's a1, a2 and a3 are one group; White's b1 and b3 are two.
    state = play(unane(size="2x3"), "b2xa2")
    assert state.position() == "xo/x./xo o - -"
    assert_over(state, FIRST_WINS)


def test_exactly_one_group_wins_by_a_removal(unane):
    # Black is left with d2, while White has d3 and a1.
    assert_over(play(unane("x..o/...x/o... x - -", size="4x3"), "-a3"), FIRST_WINS)


def test_white_wins_with_one_group_too(unane):
    assert_over(play(unane("x..o/...x/o... o - -", size="4x3"), "-a1"), SECOND_WINS)


def test_a_group_is_connected_orthogonally_not_diagonally(unane):
    # Black b3 and a1 do not meet over the corners; nor do White a3 and b1.
    assert_running(unane("ox/../xo x - -", size="2x3"), 0)
    assert_running(unane("x.x/.x./o.o/... x - -", size="3x4"), 0)


def test_white_can_win_on_a_move_of_black(unane):
    # Black's capture of b1 leaves White with a3 only, and Black with b3 and b1 apart.
    assert_over(play(unane("ox/../xo x - -", size="2x3"), "a1xb1"), SECOND_WINS)


def test_black_can_win_on_a_move_of_white(unane):
    assert_over(play(unane("xo/../ox o - -", size="2x3"), "a1xb1"), FIRST_WINS)


def test_if_both_have_one_group_the_mover_wins_here_black(unane):
    # Black's b1 and b2 against White's a2.
    state = play(unane(size="2x2"), "a1xb1")
    assert state.position() == "ox/.x o - -"
    assert_over(state, FIRST_WINS)


def test_if_both_have_one_group_the_mover_wins_here_white(unane):
    # White's a1 and b1 against Black's b2.
    state = play(unane("ox/xo o - -", size="2x2"), "a2xa1")
    assert_over(state, SECOND_WINS)


def test_nothing_can_be_played_after_the_end(unane):
    state = play(unane(size="2x2"), "a1xb1")
    for text in ("a2xb2", "-a2", "swap"):
        assert_illegal(state, text, "over")


# ---- the pie rule


def test_swap_is_one_more_action_on_whites_first_turn(unane):
    state = play(unane(size="2x3"), "b2xb3")
    assert_running(state, 1)
    assert legal(state) == {"a2xa1", "a2xa3", "b1xa1", "swap"}


def test_swap_is_not_for_black(unane):
    assert_illegal(unane(size="2x3"), "swap", "Black", "first")


def test_a_swap_exchanges_the_colours_and_who_now_has_white_moves(unane):
    state = play(unane(size="2x3"), "b2xb3 swap")
    assert state.position() == "xx/o./xo o - s"  # the stones stay, White is still to move
    assert_running(state, 0)  # and person 0 has White
    assert legal(state) == {"a2xa1", "a2xa3", "b1xa1"}
    assert_running(play(state, "a2xa3"), 1)
    assert state.position() == "ox/../xo x - s"


def test_after_a_swap_a_win_of_white_is_one_of_person_0(unane):
    assert_over(play(unane(size="2x3"), "b2xb3 swap a2xa3 a1xb1"), FIRST_WINS)
    assert_over(play(unane(size="2x3"), "b2xb3 swap a2xa1"), FIRST_WINS)


def test_after_a_swap_a_win_of_black_is_one_of_person_1(unane):
    # White's capture of b1 leaves Black with a3 only.
    assert_over(play(unane("xo/../ox o - s", size="2x3"), "a1xb1"), SECOND_WINS)


def test_without_a_swap_whites_win_is_one_of_person_1(unane):
    assert_over(play(unane(size="2x3"), "b2xb3 a2xa3 a1xb1"), SECOND_WINS)


def test_there_is_no_swap_once_white_has_moved_nor_a_second_one(unane):
    moved = play(unane(size="4x4"), "a1xa2 b1xb2")
    assert moved.position() == "oxox/xoxo/xoox/..xo x - -"
    assert_illegal(moved, "swap")
    assert_illegal(play(moved, "d4xd3"), "swap")
    assert_illegal(play(unane(size="4x4"), "a1xa2 swap"), "swap")
    assert_illegal(play(unane(size="4x4"), "a1xa2 swap b1xb2"), "swap")


def test_there_is_no_swap_if_the_first_move_ended_the_game(unane):
    state = play(unane(size="2x2"), "a1xb1")
    assert state.position().endswith(" o - -")
    assert_illegal(state, "swap")


def test_the_swap_needs_a_full_board_before_blacks_move(unane):
    # The board has a hole already, so this is not Black's first move.
    state = play(unane("x.xo/..../x.o. x - -", size="4x3"), "-a1")
    assert state.position() == "x.xo/..../..o. o - -"
    assert_illegal(state, "swap")


def test_any_full_board_will_do(unane):
    # Black's b3, a2 and b1 stay apart, as do White's b2 and a1.
    state = play(unane("xo/xo/ox x - -", size="2x3"), "a3xb3")
    assert state.position() == ".x/xo/ox o p -"
    assert "swap" in legal(state)


def test_whites_move_from_a_full_board_offers_no_swap(unane):
    state = play(unane("xo/ox/xo o - -", size="2x3"), "a2xa1")
    assert state.position() == "xo/.x/oo x - -"
    assert_illegal(state, "swap")


def test_the_pie_field_alone_says_whether_the_swap_is_available(unane):
    assert "swap" in legal(unane("xx/o./xo o p -", size="2x3"))
    assert "swap" not in legal(unane("xx/o./xo o - -", size="2x3"))


def test_pie_false_removes_the_swap(unane):
    state = play(unane(size="2x3", pie=False), "b2xb3")
    assert state.position() == "xx/o./xo o - -"
    assert legal(state) == {"a2xa1", "a2xa3", "b1xa1"}
    assert_illegal(state, "swap", "pie")


def test_pie_is_read_from_text_too(unane):
    assert "swap" in legal(play(unane(size="2x3", pie="true"), "b2xb3"))
    assert "swap" not in legal(play(unane(size="2x3", pie="false"), "b2xb3"))


# ---- the length


def test_every_move_but_the_swap_removes_exactly_one_stone(unane):
    state = unane(size="2x3")
    stones = [6]
    for text in ("b2xb3", "swap", "a2xa3", "a1xb1"):
        rows = play(state, text).position().split()[0]
        stones.append(rows.count("x") + rows.count("o"))
    assert stones == [6, 5, 5, 4, 3]


@pytest.mark.parametrize(
    ("parameters", "plies"),
    [
        ({}, 62),
        ({"pie": False}, 61),
        ({"size": "2x3"}, 4),
        ({"size": "2x3", "pie": False}, 3),
    ],
)
def test_a_game_lasts_at_most_a_minus_3_plies_and_one_with_a_swap(unane, parameters, plies):
    assert unane(**parameters).get_game().max_game_length() == plies


def test_the_bounds_are_reached(unane):
    for pie, game in ((False, "b2xb3 a2xa3 a1xb1"), (True, "b2xb3 swap a2xa3 a1xb1")):
        state = play(unane(size="2x3", pie=pie), game)
        assert state.is_terminal()
        assert state.move_number() == state.get_game().max_game_length()


# ---- position strings


@pytest.mark.parametrize(
    "position",
    [
        "xo/ox/xo x - -",
        "xo/ox/xo o - -",
        "xx/o./xo o p -",
        "xx/o./xo o - s",
        "ox/../xo x - s",
        "ox/../xo o - -",  # the side to move is never inferred from the counts
        "ox/../xo x - -",
        "xx/xx/.. x - -",
        "../../oo o - s",
    ],
)
def test_positions_read_and_written_are_the_same(unane, position):
    assert unane(position, size="2x3").position() == position


@pytest.mark.parametrize("player", ["x", "o"])
@pytest.mark.parametrize(
    ("rows", "returns"),
    [
        ("xo/x./xo", FIRST_WINS),
        ("xo/.o/xo", SECOND_WINS),
        ("xx/../..", FIRST_WINS),  # the other colour is absent
        ("../../.o", SECOND_WINS),
        ("oo/oo/oo", SECOND_WINS),
    ],
)
def test_a_colour_with_exactly_one_group_has_won_whoever_is_to_move(unane, rows, returns, player):
    assert_over(unane(f"{rows} {player} - -", size="2x3"), returns)


def test_with_one_group_each_the_player_not_to_move_has_won(unane):
    assert_over(unane("xx/oo x - -", size="2x2"), SECOND_WINS)
    assert_over(unane("xx/oo o - -", size="2x2"), FIRST_WINS)


def test_with_one_group_each_after_a_swap_the_person_not_to_move_has_won(unane):
    # Black is to move, so White won, whom person 0 has.
    assert_over(unane("xx/o. x - s", size="2x2"), FIRST_WINS)
    assert_over(unane("xx/o. o - s", size="2x2"), SECOND_WINS)


@pytest.mark.parametrize("rows", ["../../..", "xx/../xx", "o./.o/.."])
@pytest.mark.parametrize("player", ["x", "o"])
def test_a_colour_absent_while_the_other_has_no_or_several_groups_is_refused(unane, rows, player):
    with pytest.raises(ValueError, match=ROWS):
        unane(f"{rows} {player} - -", size="2x3")


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("xx/o./xo x p -", "Black is to move"),
        ("ox/../xo o p -", "two cells are empty"),
        ("xo/ox/xo o p -", "no cell is empty"),
        ("xx/o./xo o p s", "the players have swapped"),
        ("xo/x./xo o p -", "Black has won"),
        ("xo/.o/xo o p -", "White has won"),
    ],
)
def test_p_is_refused_unless_white_may_swap_now(unane, position, reason):
    with pytest.raises(ValueError, match=PIE):
        unane(position, size="2x3")


@pytest.mark.parametrize("player", ["x", "o"])
def test_s_is_refused_on_a_full_board(unane, player):
    with pytest.raises(ValueError, match=SWAPPED):
        unane(f"xo/ox/xo {player} - s", size="2x3")


def test_p_and_s_are_refused_without_the_pie_rule(unane):
    with pytest.raises(ValueError, match=PIE):
        unane("xx/o./xo o p -", size="2x3", pie=False)
    with pytest.raises(ValueError, match=SWAPPED):
        unane("ox/../xo x - s", size="2x3", pie=False)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ("", FIELDS),
        ("xo/ox/xo x -", FIELDS),
        ("xo/ox/xo x - - -", FIELDS),
        ("xo/ox/xo  x - -", FIELDS),
        (" xo/ox/xo x - -", FIELDS),
        ("xo/ox/xo x - - ", FIELDS),
        ("xo/ox x - -", ROWS),
        ("xo/ox/xo/ox x - -", ROWS),
        ("xo/oxo/xo x - -", ROWS),
        ("xo/o/xo x - -", ROWS),
        ("xo/o1/xo x - -", ROWS),
        ("Xo/ox/xo x - -", ROWS),
        ("xo/ow/xo x - -", ROWS),
        ("xo/ox/xo b - -", PLAYER),
        ("xo/ox/xo X - -", PLAYER),
        ("xo/ox/xo 0 - -", PLAYER),
        ("xx/o./xo o P -", PIE),
        ("xx/o./xo o s -", PIE),
        ("xx/o./xo o - p", SWAPPED),
        ("xx/o./xo o - S", SWAPPED),
    ],
)
def test_malformed_positions_are_refused_naming_the_field(unane, position, field):
    with pytest.raises(ValueError, match=field):
        unane(position, size="2x3")


def test_a_position_of_the_board_on_its_side_is_refused(unane):
    with pytest.raises(ValueError, match=ROWS):
        unane("xo/ox/xo x - -", size="3x2")


# ---- explanations


def test_the_explanation_of_a_refused_removal_names_the_stone_and_an_enemy_beside_it(unane):
    assert_explained(unane("x..o/...x/o... x - -", size="4x3"), "-d2", "d2", "d3")
    assert unane("x..o/...x/o... x - -", size="4x3").explain("-a3") is None
