"""Unmergo, sentence by sentence. On the board with two cells a side (drawn below) most rules
show: b2 touches all others, and every other cell touches b2 and its two neighbours on the rim.

      c2 c3
    b1 b2 b3
      a1 a2
"""

import pytest

from engines import (
    DRAW,
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

unmergo = states_of("unmergo")

START = "...../....../......./......../........./......../......./....../..... w place"
ROWS = "field 'rows'|position, board"
PLAYER = "field 'player'|position, to move"
PHASE = "field 'phase'|position, phase"


# ---- the board


def test_default_board_has_five_cells_a_side_and_starts_empty_with_white_to_place(unmergo):
    state = unmergo()
    assert state.position() == START
    assert unmergo(START) == state
    assert state == unmergo(size=5)


def test_white_is_player_0_and_black_player_1(unmergo):
    assert_running(unmergo(START), 0)
    assert_running(unmergo(START.replace("w", "b")), 1)


def test_cells_are_named_by_row_letter_and_diagonal_number_and_indexed_row_by_row(unmergo):
    state = unmergo()
    assert state.legal_actions() == list(range(61))
    assert " ".join(state.action_to_string(cell) for cell in range(61)) == (
        "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6 c1 c2 c3 c4 c5 c6 c7 d1 d2 d3 d4 d5 d6 d7 d8"
        " e1 e2 e3 e4 e5 e6 e7 e8 e9 f2 f3 f4 f5 f6 f7 f8 f9 g3 g4 g5 g6 g7 g8 g9"
        " h4 h5 h6 h7 h8 h9 i5 i6 i7 i8 i9"
    )


@pytest.mark.parametrize(
    ("size", "cells"), [(2, 7), (3, 19), (4, 37), (5, 61), (6, 91), (7, 127), (8, 169)]
)
def test_sizes_2_to_8_have_3nn_minus_3n_plus_1_cells_and_7c_plus_2_actions(unmergo, size, cells):
    state = unmergo(size=size)
    assert state.legal_actions() == list(range(cells))
    assert state.num_distinct_actions() == 7 * cells + 2


@pytest.mark.parametrize("size", [0, 1, 9, -5, "", "five", "5x5", None])
def test_other_sizes_are_refused(unmergo, size):
    with pytest.raises(ValueError, match="size"):
        unmergo(size=size)


def test_unknown_parameters_are_refused(unmergo):
    with pytest.raises(ValueError, match="pie"):
        unmergo(pie=True)


@pytest.mark.parametrize(
    ("stone", "neighbours"),
    [
        ("e5", "e6 f6 f5 e4 d4 d5"),  # the example in the rules
        ("a1", "a2 b2 b1"),
        ("a5", "b6 b5 a4"),
        ("e1", "e2 f2 d1"),
        ("e9", "f9 e8 d8"),
        ("i5", "i6 h4 h5"),
        ("i9", "i8 h8 h9"),
        ("a3", "a4 b4 b3 a2"),
        ("c1", "c2 d2 d1 b1"),
        ("c7", "d8 d7 c6 b6"),
        ("g3", "g4 h4 f2 f3"),
        ("g9", "h9 g8 f8 f9"),
        ("i7", "i8 i6 h6 h7"),
        ("d8", "e9 e8 d7 c7"),
        ("f2", "f3 g3 e1 e2"),
    ],
)
def test_neighbours_in_the_order_e_ne_nw_w_sw_se(unmergo, stone, neighbours):
    # White c3, Black's stone, White g6: now White may move Black's stone to any neighbour.
    state = play(unmergo(), ["c3", stone, "end", "g6"])
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        *(f"{stone}-{neighbour}" for neighbour in neighbours.split()),
        "end",
    ]


# ---- action ids and texts


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("a1", 0),
        ("e5", 30),  # 5 + 6 + 7 + 8 cells below row e, then e1 to e4
        ("i9", 60),
        ("a1-a2", 61),
        ("a1-b1", 61 + 2),
        ("d4-e4", 61 + 6 * 21 + 2),
        ("e5-e6", 61 + 6 * 30),
        ("e5-d5", 61 + 6 * 30 + 5),
        ("i9-h9", 61 + 6 * 60 + 5),
        ("end", 427),
        ("pass", 428),
    ],
)
def test_ids_place_is_cell_move_is_c_plus_6_cell_plus_direction_then_end_and_pass(
    unmergo, text, action
):
    state = unmergo()
    assert state.num_distinct_actions() == 429
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text


@pytest.mark.parametrize(("text", "action"), [("b2", 3), ("b2-c3", 26), ("end", 49), ("pass", 50)])
def test_ids_on_the_smallest_board(unmergo, text, action):
    state = unmergo(size=2)
    assert state.num_distinct_actions() == 51
    assert state.string_to_action(text) == action


@pytest.mark.parametrize(
    "text",
    [
        *("", "a6", "a0", "e10", "f1", "j5", "E5", "e05", "e5 ", "5e", "e5-", "-e5", "e5-e7"),
        *("e5-e5", "e5-e6-e7", "e5xe6", "END", "Pass", "swap", "none"),
    ],
)
def test_texts_of_no_action_are_refused(unmergo, text):
    assert_malformed(unmergo(), text)


def test_moves_off_the_board_are_never_legal(unmergo):
    state = unmergo(".../..../.o.../..../x.. w move", size=3)
    assert legal(state) == {"a1-a2", "a1-b2", "a1-b1", "end"}
    for direction in (3, 4, 5):  # W, SW and SE of a1
        assert_id_illegal(state, 19 + direction)


# ---- step 1: placing


def test_a_stone_is_placed_on_an_empty_cell_only(unmergo):
    state = unmergo("../o.x/.. w place", size=2)
    assert legal(state) == {"a1", "a2", "b2", "c2", "c3"}
    assert_illegal(state, "b1", "b1")
    assert_illegal(state, "b3", "b3")


def test_a_placed_stone_has_the_colour_of_its_player(unmergo):
    state = play(unmergo(size=2), "b2")
    assert state.position() == "../.o./.. b place"
    assert play(state, "a1").position() == "../.o./x. b move"


@pytest.mark.parametrize(("own", "player"), [("o", "w"), ("x", "b")])
def test_a_placement_that_would_join_two_own_groups_is_refused(unmergo, own, player):
    # c2 and a2 are apart, and only b2 touches both.
    state = unmergo(f"{own}./.../.{own} {player} place", size=2)
    assert legal(state) == {"a1", "b1", "b3", "c3"}
    assert_illegal(state, "b2", "b2", "a2", "c2")


def test_a_placement_that_would_join_three_own_groups_is_refused(unmergo):
    # c2, b3 and a1: b2 touches all, and every other empty cell touches two.
    state = unmergo("o./..o/o. w place", size=2)
    for cell in ("b2", "c3", "a2", "b1"):
        assert_illegal(state, cell, cell)


def test_groups_of_the_enemy_may_be_joined_by_an_own_stone(unmergo):
    assert "b2" in legal(unmergo("o./.../.o b place", size=2))


def test_touching_several_stones_of_one_group_is_fine(unmergo):
    state = unmergo(".o/..o/.. w place", size=2)
    assert legal(state) == {"a1", "a2", "b1", "b2", "c2"}


def test_touching_one_group_from_two_sides_is_fine(unmergo):
    # b1-c1-d2-d3-d4-c4-b3 is one group; b2 touches its ends b1 and b3 and nothing between.
    state = unmergo(".../ooo./o..o./o.o./... w place", size=3)
    assert len(legal(state)) == 12
    assert {"b2", "c2", "c3", "d5", "a2"} <= legal(state)


def test_touching_the_same_stones_is_a_merge_once_they_are_two_groups(unmergo):
    # Without d3 the two ends belong to different groups: b2 and d3 itself would join them.
    state = unmergo(".../o.o./o..o./o.o./... w place", size=3)
    assert len(legal(state)) == 11
    assert_illegal(state, "b2", "b2", "b1", "b3")
    assert_illegal(state, "d3", "d3", "d2", "d4")


# ---- step 2: moving an enemy stone


def test_the_first_turn_ends_by_itself_as_there_is_no_enemy_stone(unmergo):
    assert_running(play(unmergo(), "e5"), 1)


def test_after_a_placement_the_same_player_may_move_an_enemy_stone_or_end(unmergo):
    state = play(unmergo("../x../.. w place", size=2), "b3")
    assert_running(state, 0)
    assert state.position() == "../x.o/.. w move"
    # Black's b1 has the neighbours b2, c2 and a1, all empty.
    assert legal(state) == {"b1-b2", "b1-c2", "b1-a1", "end"}


def test_a_stone_moves_to_an_adjacent_cell_and_the_turn_is_over(unmergo):
    state = play(unmergo("../x../.. w place", size=2), "b3 b1-a1")
    assert state.position() == "../..o/x. b place"
    assert_running(state, 1)


def test_black_moves_white_stones_likewise(unmergo):
    state = play(unmergo("../o../.. b place", size=2), "b3 b1-b2")
    assert state.position() == "../.ox/.. w place"


def test_end_declines_the_stone_move(unmergo):
    state = play(unmergo("../x../.. w place", size=2), "b3 end")
    assert state.position() == "../x.o/.. b place"


def test_a_stone_moves_only_to_an_empty_cell(unmergo):
    # Black b1; b2 is White's and c2 Black's own.
    state = unmergo("x./xo./.. w move", size=2)
    assert legal(state) == {"b1-a1", "c2-c3", "end"}
    assert_illegal(state, "b1-b2", "b2")
    assert_illegal(state, "b1-c2", "c2")


def test_only_an_enemy_stone_is_moved(unmergo):
    state = unmergo("../x.o/.. w move", size=2)
    assert_illegal(state, "b3-b2", "b3")
    assert_illegal(state, "c2-c3", "c2")


def test_the_stone_just_placed_cannot_be_moved_and_blocks_its_cell(unmergo):
    state = play(unmergo("../.../x. w place", size=2), "a2")
    assert legal(state) == {"a1-b1", "a1-b2", "end"}
    assert_illegal(state, "a2-b2", "a2")
    assert_illegal(state, "a1-a2", "a2")


def test_a_stone_move_may_join_enemy_groups(unmergo):
    state = play(unmergo("x./.../ox w move", size=2), "c2-b2")
    assert state.position() == "../.x./ox b place"


def test_a_stone_move_may_split_an_enemy_group(unmergo):
    # c2-b2-a2 is one group; with b2 gone to b3 the stone on c2 is alone, and Black may not
    # play b2, which joins it to the group of a2.
    state = play(unmergo("x./ox./.x w move", size=2), "b2-b3")
    assert state.position() == "x./o.x/.x b place"
    assert_illegal(state, "b2", "a2", "c2")


def test_moving_an_enemy_stone_leaves_the_own_groups_as_they_are(unmergo):
    # White's c2 and a2 stay two groups when Black's b2 between them goes to b3.
    state = play(unmergo("o./.x./.o w move", size=2), "b2-b3 b1 end")
    assert_illegal(state, "b2", "a2", "c2")


@pytest.mark.parametrize(
    ("position", "placement", "after"),
    [
        # Black's only stone a1 is shut in by a2, b2 and b1.
        ("../oo./x. w place", "a2", "../oo./xo b place"),
        # The same, with another empty cell for White.
        ("../xx./o. b place", "a2", "../xx./ox w place"),
    ],
)
def test_the_turn_ends_by_itself_when_no_enemy_stone_has_an_adjacent_empty_cell(
    unmergo, position, placement, after
):
    state = play(unmergo(position, size=2), placement)
    assert state.position() == after


def test_a_placement_comes_before_the_stone_move(unmergo):
    state = unmergo("../x.o/.. w place", size=2)
    assert_illegal(state, "b1-b2", "placement")
    assert_illegal(state, "end", "placement")


def test_only_one_stone_is_placed_a_turn(unmergo):
    state = unmergo("../x.o/.. w move", size=2)
    assert_illegal(state, "a1")
    assert_illegal(state, "pass")


# ---- passing


def test_without_a_placement_pass_is_the_only_action(unmergo):
    # Only a1 is empty: it touches White's b1 and a2, two groups, but of Black just b2.
    state = unmergo("xx/oxx/.o w place", size=2)
    assert_running(state, 0)
    assert legal(state) == {"pass"}
    assert state.legal_actions() == [50]
    assert_illegal(state, "a1", "a1", "b1", "a2")


def test_black_without_a_placement_passes_too(unmergo):
    state = unmergo("oo/xoo/.x b place", size=2)
    assert_running(state, 1)
    assert legal(state) == {"pass"}


def test_a_pass_ends_the_turn_without_a_stone_move(unmergo):
    # Black's b2 could go to a1, but there is no stone move after a pass.
    state = play(unmergo("xx/oxx/.o w place", size=2), "pass")
    assert state.position() == "xx/oxx/.o b place"
    assert_running(state, 1)


def test_two_passes_never_follow_each_other(unmergo):
    state = play(unmergo("xx/oxx/.o w place", size=2), "pass")
    assert legal(state) == {"a1"}


@pytest.mark.parametrize("position", ["../.../.. w place", "o./.../.o w place"])
def test_pass_is_refused_while_there_is_a_placement(unmergo, position):
    assert_illegal(unmergo(position, size=2), "pass", "placement")


# ---- the end


def test_the_game_ends_when_a_completed_turn_leaves_neither_a_placement(unmergo):
    # Black fills the last cell; no White stone can move, so the turn is complete.
    state = play(unmergo("xx/oxx/.o w place", size=2), "pass a1")
    assert_over(state, FIRST_WINS)
    assert state.position() == "xx/oxx/xo w place"


@pytest.mark.parametrize("player", ["w", "b"])
@pytest.mark.parametrize("rows", ["oo/ooo/oo", "ox/xox/xo", "ox/x.o/ox"])
def test_a_position_without_placements_is_over_at_the_start(unmergo, rows, player):
    # Twice the board is full; once both colours have three single stones around b2.
    assert unmergo(f"{rows} {player} place", size=2).is_terminal()


def test_the_game_goes_on_while_only_the_player_to_move_can_place(unmergo):
    # a1 touches White's b2 only, but Black's b1 and a2.
    state = unmergo("oo/xoo/.x w place", size=2)
    assert_running(state, 0)
    assert legal(state) == {"a1"}


def test_nothing_can_be_played_after_the_end(unmergo):
    state = unmergo("ox/x.o/ox w place", size=2)
    for text in ("b2", "pass", "end", "c3-b2"):
        assert_illegal(state, text, "over")


RING = "ox/x.o/ox"  # single stones of both colours in turn around the empty b2


def test_move_states_are_never_terminal_though_neither_has_a_placement(unmergo):
    state = unmergo(f"{RING} w move", size=2)
    assert_running(state, 0)
    assert legal(state) == {"a2-b2", "b1-b2", "c3-b2", "end"}


def test_declining_the_stone_move_can_end_the_game(unmergo):
    state = play(unmergo(f"{RING} w move", size=2), "end")
    assert_over(state, DRAW)
    assert state.position() == f"{RING} b place"


def test_a_final_stone_move_may_bring_a_placement_back(unmergo):
    # With c3 gone to b2 Black is one group, and c3 touches it alone; for White c3 joins c2 and b3.
    state = play(unmergo(f"{RING} w move", size=2), "c3-b2")
    assert state.position() == "o./xxo/ox b place"
    assert_running(state, 1)
    assert legal(state) == {"c3"}


def test_a_final_stone_move_may_end_the_game(unmergo):
    # The way back from the case above: b2-c3 restores the ring.
    state = unmergo("o./xxo/ox w move", size=2)
    assert legal(state) == {"b2-c3", "end"}
    assert_over(play(state.clone(), "b2-c3"), DRAW)
    assert_running(play(state, "end"), 1)


# ---- the score


@pytest.mark.parametrize(
    ("rows", "size", "returns", "reason"),
    [
        ("xx/oxx/xo", 2, FIRST_WINS, "White two groups, Black one"),
        ("oo/xoo/ox", 2, SECOND_WINS, "Black two groups, White one"),
        ("xx/xxx/xx", 2, SECOND_WINS, "one group against none"),
        ("ooo/oooo/ooooo/xxxx/ooo", 3, FIRST_WINS, "groups 12, 3 against 4: the number counts"),
        ("xxx/xxxx/xxxxx/oooo/xxx", 3, SECOND_WINS, "groups 4 against 12, 3"),
        ("oo/xoo/xx", 2, SECOND_WINS, "4 against 3: the smaller wins"),
        ("oo/xox/xx", 2, FIRST_WINS, "3 against 4: the smaller wins"),
        ("xx/o.o/xx", 2, FIRST_WINS, "1, 1 against 2, 2"),
        ("oo/x.x/oo", 2, SECOND_WINS, "2, 2 against 1, 1"),
        ("xxx/oxxx/ooooo/xxxx/ooo", 3, FIRST_WINS, "6, 3 against 6, 4: the second size decides"),
        ("ooo/xooo/xxxxx/oooo/xxx", 3, SECOND_WINS, "6, 4 against 6, 3: the second size decides"),
        ("ox/x.o/ox", 2, DRAW, "1, 1, 1 against 1, 1, 1"),
        ("xo/o.o/xx", 2, DRAW, "2, 1 against 2, 1, wherever they lie"),
    ],
)
@pytest.mark.parametrize("player", ["w", "b"])
def test_more_groups_win_then_the_smaller_at_the_first_difference_from_the_largest_down(
    unmergo, rows, size, returns, reason, player
):
    assert_over(unmergo(f"{rows} {player} place", size=size), returns)


# ---- turns as text


def test_turns_are_a_placement_alone_or_with_the_stone_move(unmergo):
    # White's a1 shuts Black's b1 in; after a2 it can go to a1 (move ids are below that of `end`).
    state = unmergo("oo/xoo/.. w place", size=2)
    assert state.turns() == ["a1", "a2 b1-a1", "a2"]


def test_a_turn_with_its_stone_move_is_applied_as_one(unmergo):
    state = unmergo("../x.o/.. w place", size=2)
    state.apply_turn("b2 b1-a1")
    assert state.position() == "../.oo/x. b place"


def test_a_turn_written_without_a_stone_move_declines_it(unmergo):
    state = unmergo("../x.o/.. w place", size=2)
    state.apply_turn("b2")
    assert state.position() == "../xoo/.. b place"


def test_a_turn_without_a_placement_is_written_pass(unmergo):
    state = unmergo("xx/oxx/.o w place", size=2)
    assert state.turns() == ["pass"]
    state.apply_turn("pass")
    assert state.current_player() == 1


# ---- position strings


@pytest.mark.parametrize(
    "position",
    [
        "../.../.. w place",
        "../.../.. b place",
        "ox/.../.. w move",
        "ox/.../.. b move",
        "oo/oo./.. w place",  # counts are not tested against each other
        "oo/oo./.. b place",
        "xx/xxx/xx w place",
        "xx/oxx/.o w place",  # a pass state
        "ox/x.o/ox b place",  # a finished game, with the player who would be next
    ],
)
def test_positions_read_and_written_are_the_same(unmergo, position):
    assert unmergo(position, size=2).position() == position


def test_rows_are_written_from_the_top_row_down_and_from_left_to_right(unmergo):
    state = play(unmergo(), "a1 i9 end c1 end e9 end")
    assert state.position() == (
        "....x/....../......./......../........x/......../o....../....../o.... w place"
    )


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ("", FIELDS),
        ("../.../.. w", FIELDS),
        ("../.../.. w place 1", FIELDS),
        ("../.../..  w place", FIELDS),
        ("../.../.. w place ", FIELDS),
        (" ../.../.. w place", FIELDS),
        ("../... w place", ROWS),
        ("../.../../.. w place", ROWS),
        (".../../.. w place", ROWS),
        ("../..../.. w place", ROWS),
        ("../3/.. w place", ROWS),
        ("w./.../.. w place", ROWS),
        ("O./.../.. w place", ROWS),
        ("../.../.. o place", PLAYER),
        ("../.../.. W place", PLAYER),
        ("../.../.. 0 place", PLAYER),
        ("../.../.. w pass", PHASE),
        ("../.../.. w Place", PHASE),
        ("../.../.. w place\n", PHASE),
    ],
)
def test_malformed_positions_are_refused_naming_the_field(unmergo, position, field):
    with pytest.raises(ValueError, match=field):
        unmergo(position, size=2)


def test_a_position_of_another_size_is_refused(unmergo):
    with pytest.raises(ValueError, match=ROWS):
        unmergo(START, size=4)


@pytest.mark.parametrize(
    "position",
    [
        "o./.../.. w move",  # no enemy stone
        "../oo./xo w move",  # the enemy stone a1 is shut in
        "x./.../.. w move",  # no stone of the mover
        "o./.../.. b move",
        "oo/ooo/xo w move",
    ],
)
def test_move_is_refused_without_a_movable_enemy_stone_or_a_stone_of_the_mover(unmergo, position):
    with pytest.raises(ValueError, match=PHASE):
        unmergo(position, size=2)


def test_place_is_accepted_for_the_same_stones(unmergo):
    for rows in ("o./.../..", "../oo./xo", "x./.../..", "oo/ooo/xo"):
        for player in "wb":
            position = f"{rows} {player} place"
            assert unmergo(position, size=2).position() == position


# ---- explanations


def test_a_legal_action_needs_no_explanation(unmergo):
    assert unmergo().explain("e5") is None


def test_the_explanation_of_a_merge_names_the_cell_and_a_stone_of_each_group(unmergo):
    # d4 and f6 are the neighbours of e5 to the south-west and north-east.
    state = unmergo("...../....../......./....o.../........./...o..../......./....../..... w place")
    assert_explained(state, "e5", "e5", "join", "d4", "f6")
