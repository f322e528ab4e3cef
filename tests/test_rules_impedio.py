"""Impedio, sentence by sentence. Most cases are on the board with three cells a side; its sides
are S (row a), SE (a3 b4 c5), NE (c5 d5 e5), N (row e), NW (e3 d2 c1) and SW (c1 b1 a1).

       e3 e4 e5
      d2 d3 d4 d5
    c1 c2 c3 c4 c5
      b1 b2 b3 b4
       a1 a2 a3
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

impedio = states_of("impedio")

CORNERS = (
    "w10,.,.,.,b10/.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,.,.,./b10,.,.,.,.,.,.,.,w10/"
    ".,.,.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./w10,.,.,.,b10 w"
)
RING = (
    "w1,b4,b3,b2,b1/w2,.,.,.,.,w4/w3,.,.,.,.,.,w3/w4,.,.,.,.,.,.,w2/b1,.,.,.,.,.,.,.,w1/"
    "b2,.,.,.,.,.,.,b4/b3,.,.,.,.,.,b3/b4,.,.,.,.,b2/w1,w2,w3,w4,b1 w"
)
ROWS = "field 'rows'|position, board"
PLAYER = "field 'player'|position, player to move"
# Connections are found when rows and player are read: either may be named.
ROWS_OR_PLAYER = f"{ROWS}|{PLAYER}"


# ---- setups


def test_the_default_setup_has_stacks_of_10_on_the_corners_alternating_white_on_a1_e9_i5(impedio):
    state = impedio()
    assert state.position() == CORNERS
    assert state == impedio(setup="corners")
    assert state == impedio(size=5)
    assert_running(state, 0)


def test_setup_ring_runs_1_2_3_4_six_times_around_the_rim_counter_clockwise_from_a1(impedio):
    state = impedio(setup="ring")
    assert state.position() == RING
    assert_running(state, 0)


@pytest.mark.parametrize("setup", ["corners", "ring"])
def test_each_side_starts_with_30_pieces(impedio, setup):
    assert totals(impedio(setup=setup)) == {"w": 30, "b": 30}


@pytest.mark.parametrize(
    ("size", "position"),
    [
        (2, "w4,b4/b4,.,w4/w4,b4 w"),
        (3, "w6,.,b6/.,.,.,./b6,.,.,.,w6/.,.,.,./w6,.,b6 w"),
        (
            4,
            "w8,.,.,b8/.,.,.,.,./.,.,.,.,.,./b8,.,.,.,.,.,w8/.,.,.,.,.,./.,.,.,.,./w8,.,.,b8 w",
        ),
    ],
)
def test_corners_uses_stacks_of_2n_on_other_boards(impedio, size, position):
    assert impedio(size=size).position() == position


@pytest.mark.parametrize("size", [2, 3, 4, 6, 7, 8])
def test_ring_is_refused_on_other_boards(impedio, size):
    with pytest.raises(ValueError, match="ring"):
        impedio(size=size, setup="ring")


def test_setup_takes_any_other_position_string(impedio):
    setup = ".,.,b2/.,.,.,./.,.,w3,.,./.,.,.,./.,.,. b"
    state = impedio(size=3, setup=setup)
    assert state.position() == setup
    assert_running(state, 1)
    assert legal(state) == {"e5-e4", "e5-d5", "e5-d4"}


S_TO_N = ".,w1,./.,w1,.,./.,.,w1,.,b2/.,.,w1,./.,w1,."  # a2 b3 c3 d3 e4 are White's


@pytest.mark.parametrize(
    "setup",
    [
        f"{S_TO_N} w",  # White is connected
        f"{S_TO_N} b",
        S_TO_N.translate(str.maketrans("wb", "bw")) + " w",  # Black is connected
        S_TO_N.translate(str.maketrans("wb", "bw")) + " b",
        ".,.,./.,.,.,./.,.,w3,.,./.,.,.,./.,.,. w",  # Black has no stack
        ".,.,./.,.,.,./.,.,b3,.,./.,.,.,./.,.,. w",  # White has no stack
        ".,.,./.,.,.,./.,.,.,.,./.,.,.,./.,.,. w",
        CORNERS,  # of another size
        "diamond",
        "Corners",
        "",
        "w",
    ],
)
def test_setups_that_are_connected_or_without_a_colour_or_malformed_are_refused(impedio, setup):
    with pytest.raises(ValueError, match="setup"):
        impedio(size=3, setup=setup)


@pytest.mark.parametrize("size", [1, 9, "", "5x5", None])
def test_other_sizes_are_refused(impedio, size):
    with pytest.raises(ValueError, match="size"):
        impedio(size=size)


def test_unknown_parameters_are_refused(impedio):
    with pytest.raises(ValueError, match="pie"):
        impedio(pie=True)


# ---- action ids and texts


@pytest.mark.parametrize(
    ("size", "text", "action"),
    [
        (5, "a1-a2", 0),
        (5, "a1-a4", 2),  # E, distance 3
        (5, "a1-h8", 8 + 6),  # NE, distance 7
        (5, "a1-i9", 8 + 7),
        (5, "a1-e1", 16 + 3),  # NW, distance 4
        (5, "e5-f6", (30 * 6 + 1) * 8),
        (5, "e9-e1", (34 * 6 + 3) * 8 + 7),  # W, distance 8
        (5, "i9-e5", (60 * 6 + 4) * 8 + 3),  # SW, distance 4
        (5, "i5-e5", (56 * 6 + 5) * 8 + 3),  # SE, distance 4
        (2, "b2-c2", (3 * 6 + 2) * 2),
        (2, "b1-b3", 2 * 6 * 2 + 1),
        (8, "a1-o15", 14 + 13),
    ],
)
def test_ids_are_cell_6_plus_direction_times_2n_minus_2_plus_distance_minus_1(
    impedio, size, text, action
):
    state = impedio(size=size)
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text


@pytest.mark.parametrize(("size", "actions"), [(2, 84), (3, 456), (5, 2928), (8, 14196)])
def test_there_are_6c_times_2n_minus_2_actions(impedio, size, actions):
    assert impedio(size=size).num_distinct_actions() == actions


@pytest.mark.parametrize(
    "text",
    [
        *("", "a1", "a1-", "-a1", "a1-a1", "a1-a6", "a1-a0", "a1-b3", "a1-d2", "a1-j9", "f1-f2"),
        *("A1-A4", "a1-a04", "a1 a4", "a1-a2-a3", "a1xa4", "a1-a4 ", "3", "pass", "end"),
    ],
)
def test_texts_of_no_straight_line_on_the_board_are_refused(impedio, text):
    assert_malformed(impedio(), text)


def test_moves_off_the_board_are_never_legal(impedio):
    state = impedio()
    for direction in (3, 4, 5):  # W, SW and SE of a1
        for distance in range(1, 9):
            assert_id_illegal(state, direction * 8 + distance - 1)
    assert_id_illegal(state, 2 * 8 + 5 - 1)  # NW of a1 there are four cells


# ---- moving


def test_a_stack_of_3_moves_2_pieces_one_cell_or_1_piece_two_cells_in_every_direction(impedio):
    state = impedio(".,.,./.,.,.,./.,.,w3,.,./b1,.,.,./.,.,. w", size=3)
    assert legal(state) == {
        *("c3-c4", "c3-d4", "c3-d3", "c3-c2", "c3-b2", "c3-b3"),
        *("c3-c5", "c3-e5", "c3-e3", "c3-c1", "c3-a1", "c3-a3"),
    }


@pytest.mark.parametrize(
    ("move", "row"),
    [
        ("c3-c4", ".,.,w1,w2,."),  # one cell: one stays, two move
        ("c3-c5", ".,.,w2,.,w1"),  # two cells: two stay, one moves
    ],
)
def test_the_distance_is_the_number_of_pieces_left_behind(impedio, move, row):
    state = play(impedio(".,.,./.,.,.,./.,.,w3,.,./b1,.,.,./.,.,. w", size=3), move)
    assert state.position() == f".,.,./.,.,.,./{row}/b1,.,.,./.,.,. b"


def test_the_distance_tells_how_many_of_ten_stay_on_a1(impedio):
    state = play(impedio(), "a1-a4")
    assert state.position() == CORNERS.replace("w10,.,.,.,b10 w", "w3,.,.,w7,b10 b")


def test_the_moves_of_the_corners_setup(impedio):
    # From a1: three cells east (the fourth is Black's a5), seven north-east (the eighth is
    # Black's i9), three north-west (the fourth is Black's e1). The other corners are alike.
    moves = legal(impedio())
    assert {move for move in moves if move.startswith("a1-")} == {
        *("a1-a2", "a1-a3", "a1-a4", "a1-b1", "a1-c1", "a1-d1"),
        *("a1-b2", "a1-c3", "a1-d4", "a1-e5", "a1-f6", "a1-g7", "a1-h8"),
    }
    assert len(moves) == 39


def test_one_piece_has_to_stay_so_a_single_piece_cannot_move(impedio):
    state = impedio("b1,.,./.,.,.,./.,.,w1,.,./.,.,.,./w2,.,. w", size=3)
    assert legal(state) == {"a1-a2", "a1-b2", "a1-b1"}
    assert_illegal(state, "c3-c4", "c3")


def test_one_piece_has_to_move_so_a_stack_of_m_moves_at_most_m_minus_1_cells(impedio):
    state = impedio("b1,.,./.,.,.,./.,.,.,.,./.,.,.,./w2,.,. w", size=3)
    assert_illegal(state, "a1-a3", "a1")
    assert_illegal(state, "a1-c3", "a1")


def test_a_stack_never_moves_farther_than_the_board(impedio):
    # 19 pieces on a1: two cells to each side, four along the diagonal.
    state = impedio(".,.,./.,.,.,./.,.,.,.,b1/.,.,.,./w19,.,. w", size=3)
    assert legal(state) == {
        *("a1-a2", "a1-a3", "a1-b2", "a1-c3", "a1-d4", "a1-e5", "a1-b1", "a1-c1"),
    }
    assert_id_illegal(state, 2)  # E, distance 3


def test_enemy_stacks_on_the_way_are_jumped_and_stay_as_they_are(impedio):
    state = impedio(".,.,./.,.,.,./.,.,w3,b5,./.,.,.,./.,.,. w", size=3)
    assert_illegal(state, "c3-c4", "c4")
    assert play(state, "c3-c5").position() == ".,.,./.,.,.,./.,.,w2,b5,w1/.,.,.,./.,.,. b"


def test_own_stacks_on_the_way_are_jumped_and_stay_as_they_are(impedio):
    state = impedio("b1,.,./.,.,.,./.,.,w3,w4,./.,.,.,./.,.,. w", size=3)
    assert play(state, "c3-c5").position() == "b1,.,./.,.,.,./.,.,w2,w4,w1/.,.,.,./.,.,. b"


def test_several_stacks_are_jumped_at_once(impedio):
    state = impedio(".,.,./.,.,.,./w5,b1,w1,b2,./.,.,.,./.,.,. w", size=3)
    assert play(state, "c1-c5").position() == ".,.,./.,.,.,./w4,b1,w1,b2,w1/.,.,.,./.,.,. b"


def test_landing_on_an_own_stack_merges(impedio):
    state = impedio("b1,.,./.,.,.,./.,.,w3,w4,./.,.,.,./.,.,. w", size=3)
    assert play(state, "c3-c4").position() == "b1,.,./.,.,.,./.,.,w1,w6,./.,.,.,./.,.,. b"


def test_landing_on_an_enemy_stack_is_refused_for_black_too(impedio):
    state = impedio("w1,.,./.,.,.,./.,.,b3,.,w2/.,.,.,./.,.,. b", size=3)
    assert_illegal(state, "c3-c5", "c3", "c5")
    assert "c3-c4" in legal(state)


def test_only_own_stacks_move(impedio):
    state = impedio("b3,.,./.,.,.,./.,.,w3,.,./.,.,.,./.,.,. w", size=3)
    assert_illegal(state, "e3-e4", "e3")
    assert_illegal(state, "a1-a2", "a1")


# ---- winning by a connection


@pytest.mark.parametrize(
    ("position", "move", "sides"),
    [
        # a2 b3 c3 d3 e4
        (".,.,./.,w2,.,./.,.,w1,.,b2/.,.,w1,./.,w1,. w", "d3-e4", "S and N"),
        # b4 b3 c3 c2 d2
        (".,.,./.,.,.,./.,w2,w1,.,./.,.,w1,w1/b2,.,. w", "c2-d2", "SE and NW"),
        # d5 c4 c3 b2 b1
        (".,.,./.,.,.,./.,.,w1,w2,./w1,w1,.,./.,.,b2 w", "c4-d5", "NE and SW"),
        # a2 b2 c3, then c4 d5 and c2 d2
        (".,.,b2/.,.,.,w1/.,w2,w1,w1,./.,w1,.,./.,w1,. w", "c2-d2", "S, NE and NW"),
        # c3, then d3 e4, b3 b4 and b2 b1
        (".,w1,./.,w1,.,./.,.,w1,.,./.,w2,w1,w1/b2,.,. w", "b2-b1", "SE, N and SW"),
        # a1 b2 c3 d3 e4: the corner a1 counts for S
        (".,.,./.,w2,.,./.,.,w1,.,b2/.,w1,.,./w1,.,. w", "d3-e4", "S and N"),
        # a1 b2 c3 c4 d5: the corner a1 counts for SW
        (".,.,./.,.,.,./.,.,w1,w2,./.,w1,.,./w1,.,b2 w", "c4-d5", "NE and SW"),
        # a1 b2 c3 d4 e5: from corner to corner
        (".,.,./.,.,w2,./.,.,w1,.,./.,w1,.,./w1,.,b2 w", "d4-e5", "S and N, SW and NE"),
    ],
)
@pytest.mark.parametrize("winner", ["White", "Black"])
def test_connecting_opposite_or_three_non_adjacent_sides_wins_at_once(
    impedio, position, move, sides, winner
):
    returns = FIRST_WINS
    if winner == "Black":
        position, returns = position.translate(str.maketrans("wb", "bw")), SECOND_WINS
    state = impedio(position, size=3)
    assert not state.is_terminal()
    assert_over(play(state, move), returns)


def test_a_move_that_completes_no_connection_does_not_win(impedio):
    state = impedio(".,.,./.,w2,.,./.,.,w1,.,b2/.,.,w1,./.,w1,. w", size=3)
    assert_running(play(state, "d3-d4"), 1)


def test_adjacent_sides_are_no_connection_though_corners_count_for_two(impedio):
    # a3 b4 c5 touches S, SE and NE.
    state = impedio(".,.,./.,.,.,./.,.,.,.,./.,.,.,w2/b2,.,w1 w", size=3)
    assert_running(play(state, "b4-c5"), 1)


def test_two_non_adjacent_sides_that_are_not_opposite_are_no_connection(impedio):
    # a2 b2 c3 c4 d5 touches S and NE.
    state = impedio(".,.,b2/.,.,.,./.,.,w1,w2,./.,w1,.,./.,w1,. w", size=3)
    assert_running(play(state, "c4-d5"), 1)


def test_an_enemy_stack_in_a_chain_breaks_it(impedio):
    # As S to N above, with c3 Black's.
    state = impedio(".,.,./.,w2,.,./.,.,b1,.,b2/.,.,w1,./.,w1,. w", size=3)
    assert_running(play(state, "d3-e4"), 1)


def test_cells_that_are_not_adjacent_do_not_connect(impedio):
    # a2 b2 and then d3 e4: c3 and c2 are empty.
    state = impedio(".,.,./.,w2,.,./.,.,.,.,b2/.,w1,.,./.,w1,. w", size=3)
    assert_running(play(state, "d3-e4"), 1)


def test_the_cells_jumped_do_not_connect(impedio):
    # c1 and c5 lie on opposite sides, and nothing is between them.
    state = impedio(".,.,./.,.,.,./w5,.,.,.,./.,.,.,./.,b2,. w", size=3)
    assert_running(play(state, "c1-c5"), 1)


def test_on_the_smallest_board_the_centre_wins(impedio):
    # The corner a1 lies on S and SW, c2 on N and NW: with b2 all three White corners meet.
    state = impedio(size=2)
    assert legal(state) == {"a1-b2", "b3-b2", "c2-b2"}
    assert_over(play(state, "a1-b2"), FIRST_WINS)


# ---- losing without a move


def test_a_player_to_move_without_a_legal_move_loses(impedio):
    # Black has single pieces only.
    state = impedio(".,.,./.,.,.,./.,.,w3,.,./b1,.,.,b1/.,.,. w", size=3)
    assert_over(play(state, "c3-c4"), FIRST_WINS)


def test_white_without_a_legal_move_loses_too(impedio):
    state = impedio(".,.,./.,.,.,./.,.,b3,.,./w1,.,.,w1/.,.,. b", size=3)
    assert_over(play(state, "c3-c4"), SECOND_WINS)


# White's stack of two moves one cell, and all three neighbours of a1 are Black's.
SHUT_IN = ".,.,./.,.,.,./.,.,.,.,./b1,b1,.,./w2,b1,. w"


def test_enemy_stacks_all_around_can_leave_no_legal_move(impedio):
    assert_over(impedio(SHUT_IN, size=3), SECOND_WINS)


def test_a_third_piece_jumps_out(impedio):
    state = impedio(SHUT_IN.replace("w2", "w3"), size=3)
    assert legal(state) == {"a1-a3", "a1-c3", "a1-c1"}


def test_no_legal_move_is_a_loss_at_the_start_of_a_setup_too(impedio):
    assert_over(impedio(size=3, setup=SHUT_IN), SECOND_WINS)


def test_nothing_can_be_played_after_the_end(impedio):
    state = impedio(SHUT_IN, size=3)
    assert_illegal(state, "a1-a2", "over")
    assert_illegal(state, "a2-a3", "over")


# ---- facts


def totals(state):
    rows = state.position().split()[0].replace("/", ",").split(",")
    return {colour: sum(int(stack[1:]) for stack in rows if stack[0] == colour) for colour in "wb"}


def occupied(state, colour):
    rows = state.position().split()[0].replace("/", ",").split(",")
    return {cell for cell, stack in enumerate(rows) if stack[0] == colour}


@pytest.mark.parametrize("setup", ["corners", "ring"])
def test_no_cell_is_ever_given_up_and_each_side_keeps_its_total(impedio, setup):
    state = impedio(setup=setup)
    for ply in range(40):
        if state.is_terminal():
            break
        before = [occupied(state, colour) for colour in "wb"]
        actions = state.legal_actions()
        state.apply_action(actions[17 * ply % len(actions)])
        assert all(old <= occupied(state, colour) for old, colour in zip(before, "wb", strict=True))
        assert totals(state) == {"w": 30, "b": 30}
    assert state.move_number() > 5


# ---- repetition and the number of plies

# White shifts a piece between a1 and a2, Black between e5 and e4; nobody ever connects.
SHUFFLE = ".,b1,b2/.,.,.,./.,.,.,.,./.,.,.,./w2,w1,. w"
CYCLE = "a1-a2 e5-e4 a2-a1 e4-e5"


def test_the_third_occurrence_is_a_draw_by_default_the_start_being_the_first(impedio):
    state = play(impedio(SHUFFLE, size=3), CYCLE)
    assert state.position() == SHUFFLE
    assert_running(play(state, "a1-a2 e5-e4 a2-a1"), 1)
    assert_over(play(state, "e4-e5"), DRAW)


def test_the_start_of_a_setup_is_occurrence_1_as_well(impedio):
    state = play(impedio(size=3, setup=SHUFFLE, repetition=2), CYCLE)
    assert_over(state, DRAW)


@pytest.mark.parametrize("repetition", [2, 3, 4, 5])
def test_the_nth_occurrence_is_a_draw(impedio, repetition):
    state = impedio(SHUFFLE, size=3, repetition=repetition)
    for _ in range(repetition - 1):
        assert_running(state, 0)
        play(state, CYCLE)
    assert_over(state, DRAW)
    assert state.move_number() == 4 * (repetition - 1)


def test_positions_after_the_start_count_too(impedio):
    # The start with five pieces on a1 never comes back, the position after White's first move does.
    start = ".,b1,b2/.,.,.,./.,.,.,.,./.,.,.,./w5,.,. w"
    state = play(impedio(start, size=3, repetition=2), CYCLE)
    assert state.position() == start.replace("w5,.", "w4,w1")
    assert_running(state, 0)
    assert_over(play(state, "a1-a2"), DRAW)


def test_repetition_0_switches_it_off(impedio):
    state = play(impedio(SHUFFLE, size=3, repetition=0), " ".join([CYCLE] * 6))
    assert_running(state, 0)


@pytest.mark.parametrize("repetition", [1, -1, "x", 2.5, None])
def test_repetition_1_and_what_is_no_count_is_refused(impedio, repetition):
    with pytest.raises(ValueError, match="repetition"):
        impedio(repetition=repetition)


def test_the_same_stacks_with_the_other_player_to_move_are_another_position(impedio):
    # White's spare piece goes around a1, a2, b2 in three moves, Black's back and forth in two:
    # after five plies the stacks are those of the start, but Black is to move.
    start = ".,b1,b2/.,.,.,./.,.,.,.,./.,w1,.,./w2,w1,. w"
    state = impedio(start, size=3, repetition=2)
    play(state, "a1-a2 e5-e4 a2-b2 e4-e5 b2-a1")
    assert state.position() == start.replace(" w", " b")
    assert_running(state, 1)
    # The start itself comes back after two rounds of White and three of Black.
    play(state, "e5-e4 a1-a2 e4-e5 a2-b2 e5-e4 b2-a1")
    assert_running(state, 1)
    assert_over(play(state, "e4-e5"), DRAW)
    assert state.move_number() == 12


def test_max_plies_is_a_draw_when_reached_without_a_winner(impedio):
    state = play(impedio(SHUFFLE, size=3, max_plies=3), "a1-a2 e5-e4")
    assert_running(state, 0)
    assert_over(play(state, "a2-a1"), DRAW)


def test_max_plies_is_1000_by_default_and_0_is_none(impedio):
    assert impedio().get_game().parameters["max_plies"] == 1000
    assert impedio().get_game().max_game_length() == 1000
    assert impedio(max_plies=0).get_game().max_game_length() == 0
    assert_running(play(impedio(SHUFFLE, size=3, repetition=0, max_plies=0), CYCLE), 0)


@pytest.mark.parametrize("max_plies", [-1, "x", 2.5, None])
def test_max_plies_below_0_or_no_number_is_refused(impedio, max_plies):
    with pytest.raises(ValueError, match="max_plies"):
        impedio(max_plies=max_plies)


def test_a_connection_on_the_last_ply_counts_before_the_cap(impedio):
    start = ".,.,./.,w2,.,./.,.,w1,.,b2/.,.,w1,./.,w1,. w"
    assert_over(play(impedio(start, size=3, max_plies=1), "d3-e4"), FIRST_WINS)
    assert_over(play(impedio(start, size=3, max_plies=1), "d3-d4"), DRAW)


def test_no_legal_move_after_the_last_ply_counts_before_the_cap(impedio):
    start = ".,.,./.,.,.,./.,.,w3,.,./b1,.,.,b1/.,.,. w"
    assert_over(play(impedio(start, size=3, max_plies=1), "c3-c4"), FIRST_WINS)


def test_a_draw_reads_back_as_a_running_game_for_the_history_is_not_in_the_string(impedio):
    for parameters in ({"repetition": 2}, {"max_plies": 4}):
        drawn = play(impedio(SHUFFLE, size=3, **parameters), CYCLE)
        assert_over(drawn, DRAW)
        assert drawn.position() == SHUFFLE
        assert_running(impedio(drawn.position(), size=3, **parameters), 0)


def test_a_position_read_starts_with_a_fresh_history(impedio):
    played = play(impedio(SHUFFLE, size=3), CYCLE)
    state = impedio(played.position(), size=3)
    assert state.move_number() == 0
    assert_running(play(state, CYCLE), 0)
    assert_over(play(played, CYCLE), DRAW)


# ---- position strings


@pytest.mark.parametrize(
    "position",
    [
        SHUFFLE,
        SHUT_IN,  # a finished game
        f"{S_TO_N} b",  # another
        ".,.,./.,.,.,./w3,.,.,b2,./.,.,.,./.,.,. b",  # with the row given as an example
        ".,.,./.,.,.,./w255,.,.,b12,./.,.,.,./.,.,. w",
        ".,.,./.,.,.,./w200,w55,.,b255,./.,.,.,./.,.,. w",
    ],
)
def test_positions_read_and_written_are_the_same(impedio, position):
    assert impedio(position, size=3).position() == position


@pytest.mark.parametrize("position", [CORNERS, RING])
def test_the_setups_are_positions_like_any_other(impedio, position):
    assert impedio(position).position() == position


def test_a_position_with_only_the_player_not_to_move_connected_is_a_finished_game(impedio):
    assert_over(impedio(f"{S_TO_N} b", size=3), FIRST_WINS)
    black = S_TO_N.translate(str.maketrans("wb", "bw"))
    assert_over(impedio(f"{black} w", size=3), SECOND_WINS)


def test_a_position_with_the_player_to_move_connected_is_refused(impedio):
    with pytest.raises(ValueError, match=ROWS_OR_PLAYER):
        impedio(f"{S_TO_N} w", size=3)


def test_a_position_with_both_connected_is_refused(impedio):
    # White's a1 b1 c1 d2 e3 and beside it Black's a2 b2 c2 d3 e4, both from S to N.
    both = "w1,b1,./w1,b1,.,./w1,b1,.,.,./w1,b1,.,./w1,b1,."
    for player in "wb":
        with pytest.raises(ValueError, match=ROWS_OR_PLAYER):
            impedio(f"{both} {player}", size=3)


@pytest.mark.parametrize(
    "rows",
    [
        ".,.,./.,.,.,./w3,.,.,.,./.,.,.,./.,.,.",
        ".,.,./.,.,.,./b3,.,.,.,./.,.,.,./.,.,.",
        ".,.,./.,.,.,./.,.,.,.,./.,.,.,./.,.,.",
        ".,.,./.,.,.,./w256,.,.,b1,./.,.,.,./.,.,.",
        ".,.,./.,.,.,./w1,.,.,b256,./.,.,.,./.,.,.",
        ".,.,./.,.,.,./w200,w56,.,b1,./.,.,.,./.,.,.",
        ".,.,./.,.,.,./w99999999999999999999,.,.,b1,./.,.,.,./.,.,.",
    ],
)
def test_a_colour_without_a_stack_and_more_than_255_pieces_a_side_are_refused(impedio, rows):
    with pytest.raises(ValueError, match=ROWS):
        impedio(f"{rows} w", size=3)


@pytest.mark.parametrize(
    "stack", ["w0", "w03", "w00", "w", "b", "3", "W3", "x3", "w-1", "w+3", "w3b2", "", "..", "w 3"]
)
def test_malformed_stacks_are_refused(impedio, stack):
    with pytest.raises(ValueError, match=f"{ROWS}|{FIELDS}"):
        impedio(f".,.,./.,.,.,./w3,{stack},.,b2,./.,.,.,./.,.,. w", size=3)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ("", FIELDS),
        ("w3,./.,.,./.,b2", FIELDS),
        ("w3,./.,.,./.,b2 w 1", FIELDS),
        ("w3,./.,.,./.,b2  w", FIELDS),
        (" w3,./.,.,./.,b2 w", FIELDS),
        ("w3,./.,.,. w", ROWS),
        ("w3,./.,.,./.,b2/.,. w", ROWS),
        ("w3/.,.,./.,b2 w", ROWS),
        ("w3,.,./.,.,./.,b2 w", ROWS),
        ("w3./.../.b2 w", ROWS),
        ("w3,.,/.,.,./.,b2 w", ROWS),
        ("w3,./.,.,./.,b2 x", PLAYER),
        ("w3,./.,.,./.,b2 W", PLAYER),
        ("w3,./.,.,./.,b2 0", PLAYER),
        ("w3,./.,.,./.,b2 w\n", PLAYER),
    ],
)
def test_malformed_positions_are_refused_naming_the_field(impedio, position, field):
    with pytest.raises(ValueError, match=field):
        impedio(position, size=2)


# ---- explanations


def test_the_explanation_of_a_landing_on_the_enemy_names_both_cells(impedio):
    assert_explained(impedio(), "a1-a5", "a1", "a5")
    assert impedio().explain("a1-a4") is None


def test_the_explanation_of_a_move_too_far_names_the_stack(impedio):
    assert_explained(impedio(setup="ring"), "a2-a5", "a2", "2")
