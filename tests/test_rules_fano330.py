"""Fano330-R-Morris, sentence by sentence. The points as drawn, without the circle through 1, 2, 4:

            5
           / \\        lines 124 235 346 156 267 137 457
          1   2       with 7 in the centre
         /     \\
        6---4---3
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

fano330 = states_of("fano330")

START = "././././././. 0"
POINTS = "field 'points'|position, board"
PLAYER = "field 'player'|position, to move"

# All eight pieces placed, no line: silver rings on 1 and under the silver coin of 3, and so on.
MOVEMENT = "s/C/sS/Sc/c/C/."


# ---- the start, ids and texts


def test_the_plane_starts_empty_and_silver_is_player_0(fano330):
    state = fano330()
    assert state.position() == START
    assert fano330(START) == state
    assert_running(state, 0)


def test_silver_may_begin_with_a_coin_or_a_ring_on_any_point(fano330):
    state = fano330()
    assert state.legal_actions() == list(range(14))
    assert legal(state) == {*(f"c{p}" for p in "1234567"), *(f"r{p}" for p in "1234567")}


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("c1", 0),
        ("c7", 6),
        ("r1", 7),
        ("r3", 9),
        ("r7", 13),
        ("1-2", 14 + 1),
        ("3-4", 14 + 14 + 3),
        ("7-6", 14 + 42 + 5),
    ],
)
def test_ids_coin_is_p_minus_1_ring_7_more_move_14_plus_7_from_plus_to(fano330, text, action):
    state = fano330()
    assert state.num_distinct_actions() == 63
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "c", "3", "c0", "c8", "C3", "R3", "s3", "c33", "c 3", "3c", "3-", "-3", "3-8", "0-1"),
        *("3-4-6", "3x4", "3 4", "pass", "swap", "c3 "),
    ],
)
def test_texts_of_no_action_are_refused(fano330, text):
    assert_malformed(fano330(), text)


def test_unknown_parameters_and_adjacencies_are_refused(fano330):
    with pytest.raises(ValueError, match="size"):
        fano330(size=7)
    for adjacency in ("", "Drawn", "all", 1):
        with pytest.raises(ValueError, match="adjacency"):
            fano330(adjacency=adjacency)


# ---- placement


def test_the_players_place_in_turn_and_c3_is_a_coin_of_the_movers_colour(fano330):
    state = play(fano330(), "c3")
    assert state.position() == "././S/./././. 1"
    assert_running(state, 1)
    play(state, "c5")
    assert state.position() == "././S/./C/./. 0"
    assert_running(state, 0)


def test_r3_is_a_ring_of_the_movers_colour(fano330):
    state = play(fano330(), "r3")
    assert state.position() == "././s/./././. 1"
    assert play(state, "r7").position() == "././s/./././c 0"


def test_a_piece_may_be_put_on_top_of_one_other_piece(fano330):
    assert play(fano330(), "c3 c3").position() == "././SC/./././. 0"
    assert play(fano330(), "c3 r3").position() == "././Sc/./././. 0"
    assert play(fano330(), "r3 r3").position() == "././sc/./././. 0"


def test_at_most_two_high(fano330):
    state = play(fano330(), "c3 c3")
    assert legal(state) == {*(f"c{p}" for p in "124567"), *(f"r{p}" for p in "124567")}
    assert_illegal(state, "c3", "3", "two")
    assert_illegal(state, "r3", "3", "two")


@pytest.mark.parametrize(
    ("position", "refused"),
    [
        ("S/C/././././. 0", "c1"),
        ("s/C/././././. 0", "r1"),
        ("S/C/././././s 1", "c2"),
        ("S/c/././././s 1", "r2"),
    ],
)
def test_not_on_a_piece_of_the_same_colour_and_shape(fano330, position, refused):
    state = fano330(position)
    # Of the 14 placements only this one is excluded.
    assert len(legal(state)) == 13
    assert_illegal(state, refused, refused[1])


def test_on_a_piece_of_the_same_colour_or_the_same_shape_only(fano330):
    state = fano330("S/C/././././. 0")
    assert play(state.clone(), "r1").position() == "Ss/C/././././. 1"
    assert play(state, "c2").position() == "S/CS/././././. 1"


def test_each_player_has_two_coins_and_two_rings(fano330):
    # Silver's coins are on 1 and 7.
    state = fano330("S/C/./c/././S 0")
    assert legal(state) == {f"r{p}" for p in "1234567"}
    assert_illegal(state, "c3", "coin")


def test_without_rings_in_hand_only_coins_are_placed(fano330):
    # Copper's rings are on 2 and 4, and no point is full.
    state = fano330("S/c/./c/./s/S 1")
    assert legal(state) == {f"c{p}" for p in "1234567"}
    assert_illegal(state, "r5", "ring")


def test_pieces_do_not_move_before_all_eight_are_placed(fano330):
    # Copper has one coin in hand: 3, 5 and 6 have two pieces.
    state = fano330("././CS/./cs/Sc/s 1")
    assert legal(state) == {"c1", "c2", "c4", "c7"}
    assert_illegal(state, "6-4", "eight")


def test_movement_begins_when_none_is_left_in_hand(fano330):
    state = play(fano330("././CS/./cs/Sc/s 1"), "c7")
    assert state.position() == "././CS/./cs/Sc/sC 0"
    assert_running(state, 0)
    # The silver tops are the coin on 3 and the ring on 5; 7 and 6 are full.
    assert legal(state) == {"3-2", "3-4", "5-1", "5-2"}


# ---- movement


def test_topmost_own_pieces_move_to_adjacent_points_under_the_stacking_rule(fano330):
    # Copper: coins on 2 and 6, rings on top of 4 and on 5. Full are 3 and 4.
    assert legal(fano330(f"{MOVEMENT} 1")) == {
        *("2-1", "2-5", "2-7"),
        *("4-1", "4-2", "4-6", "4-7"),
        *("5-1", "5-2", "5-7"),
        *("6-1", "6-7"),
    }


def test_silver_moves_in_the_same_position(fano330):
    # Silver: the ring on 1 and the coin on top of 3.
    assert legal(fano330(f"{MOVEMENT} 0")) == {"1-2", "1-5", "1-6", "1-7", "3-2", "3-7"}


def test_a_move_takes_the_topmost_piece_only(fano330):
    state = play(fano330(f"{MOVEMENT} 0"), "3-7")
    assert state.position() == "s/C/s/Sc/c/C/S 1"


def test_a_move_can_go_on_top_of_a_piece(fano330):
    state = play(fano330(f"{MOVEMENT} 0"), "3-2")
    assert state.position() == "s/CS/s/Sc/c/C/. 1"


def test_a_covered_piece_cannot_move(fano330):
    # Silver's coin on 4 is under a copper ring.
    assert_illegal(fano330(f"{MOVEMENT} 0"), "4-7", "4")


def test_enemy_pieces_and_empty_points_do_not_move(fano330):
    assert_illegal(fano330(f"{MOVEMENT} 0"), "2-7", "2")
    assert_illegal(fano330(f"{MOVEMENT} 0"), "7-1", "7")


def test_a_move_to_a_full_point_is_refused(fano330):
    assert_illegal(fano330(f"{MOVEMENT} 1"), "2-3", "3")


def test_a_move_onto_a_piece_of_the_same_colour_and_shape_is_refused(fano330):
    # Silver's rings are on 5 and 7, next to each other; its coins on top of 1 and 2.
    state = fano330("CS/cS/cC/./s/./s 0")
    assert legal(state) == {
        *("1-4", "1-5", "1-6", "1-7"),
        *("2-4", "2-5", "2-7"),
        *("7-4", "7-6"),
    }
    assert_illegal(state, "5-7", "7")
    assert_illegal(state, "7-5", "5")


def test_nothing_is_placed_once_all_eight_are(fano330):
    for text in ("c7", "r7"):
        assert_illegal(fano330(f"{MOVEMENT} 0"), text)


def test_there_is_no_passing(fano330):
    assert_malformed(fano330(f"{MOVEMENT} 0"), "pass")


# For each point a position in which its topmost piece finds room on all or nearly all others:
# first the moves along the drawn lines, then those that adjacency="plane" adds.
ROOMY = [
    ("sS/C/CS/s/c/c/. 0", "1-2 1-4 1-5 1-6 1-7", ""),  # 3 is full
    ("S/Cs/c/c/./sS/C 0", "2-1 2-3 2-4 2-5 2-7", ""),  # 6 is full
    ("Ss/c/cs/S/C/C/. 0", "3-2 3-4 3-7", "3-5 3-6"),  # 1 is full
    ("S/C/s/sc/cS/./C 1", "4-1 4-2 4-3 4-6 4-7", ""),  # 5 is full
    ("S/./c/S/cs/sC/C 0", "5-1 5-2 5-7", "5-3 5-4"),  # 6 is full
    ("S/c/./C/sc/Cs/S 0", "6-1 6-4 6-7", "6-2 6-3"),  # 5 is full
    ("./S/C/S/sc/s/Cc 1", "7-1 7-2 7-3 7-4 7-6", ""),  # 5 is full
]


def moves_from(point, state):
    return {move for move in legal(state) if move[0] == point}


@pytest.mark.parametrize(("position", "drawn", "added"), ROOMY)
def test_moves_go_to_the_next_points_along_the_drawn_lines(fano330, position, drawn, added):
    assert moves_from(drawn[0], fano330(position)) == set(drawn.split())


@pytest.mark.parametrize(("position", "drawn", "added"), ROOMY)
def test_moves_go_to_any_point_under_plane(fano330, position, drawn, added):
    state = fano330(position, adjacency="plane")
    assert moves_from(drawn[0], state) == {*drawn.split(), *added.split()}


@pytest.mark.parametrize("ends", ["53", "36", "65", "26", "45", "13"])
def test_the_ends_of_a_drawn_straight_line_are_not_adjacent(fano330, ends):
    p, q = map(int, ends)
    for player in "01":
        state = fano330(f"{MOVEMENT} {player}")
        for source, target in ((p, q), (q, p)):
            assert_id_illegal(state, 14 + 7 * (source - 1) + target - 1)
            assert_explained(state, f"{source}-{target}")


def test_adjacency_plane_makes_every_two_points_adjacent(fano330):
    # Beside the moves above: 5-6 and 6-5 between a copper coin and a ring. 3 and 4 are full, a
    # coin may not go onto the coin on 2 or 6, nor the ring of 4 onto that of 5.
    state = fano330(f"{MOVEMENT} 1", adjacency="plane")
    assert legal(state) == legal(fano330(f"{MOVEMENT} 1")) | {"5-6", "6-5"}
    assert state.num_distinct_actions() == 63


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("./CS/sc/Cs/././cS 1", "3-1 3-5 3-6"),
        ("CS/cs/Cs/././Sc/. 1", "6-4 6-5 6-7"),
    ],
)
def test_under_plane_a_piece_reaches_every_point_with_room(fano330, position, moves):
    assert legal(fano330(position, adjacency="plane")) == set(moves.split())


def test_no_point_is_adjacent_to_itself(fano330):
    for adjacency in ("drawn", "plane"):
        state = fano330(f"{MOVEMENT} 0", adjacency=adjacency)
        for point in range(7):
            assert_id_illegal(state, 14 + 8 * point)


# ---- losing by a line


def test_three_topmost_pieces_of_ones_own_colour_lose(fano330):
    # 1 and 2 are silver: on 4 a silver piece of either shape completes the circle.
    for text in ("c4", "r4"):
        assert_over(play(fano330("S/s/./././c/C 0"), text), SECOND_WINS)
    assert_running(play(fano330("S/s/./././c/C 0"), "r3"), 1)


def test_three_of_one_shape_lose_whoevers_they_are(fano330):
    # Coins on 1 (silver) and 2 (copper).
    assert_over(play(fano330("S/C/././././. 0"), "c4"), SECOND_WINS)
    assert_running(play(fano330("S/C/././././. 0"), "r4"), 1)


def test_three_rings_lose_as_well(fano330):
    assert_over(play(fano330("s/c/././././. 0"), "r4"), SECOND_WINS)


def test_copper_loses_by_its_own_line(fano330):
    assert_over(play(fano330("S/C/././././s 1"), "c4"), FIRST_WINS)


@pytest.mark.parametrize("line", ["124", "235", "346", "156", "267", "137", "457"])
def test_each_of_the_seven_lines_counts(fano330, line):
    p, q, r = line
    assert_over(play(fano330(), [f"c{p}", f"c{q}", f"c{r}"]), SECOND_WINS)


@pytest.mark.parametrize("points", ["123", "125", "127", "134", "456", "567", "357"])
def test_three_points_off_a_line_do_not(fano330, points):
    p, q, r = points
    assert_running(play(fano330(), [f"c{p}", f"c{q}", f"c{r}"]), 1)


def test_only_topmost_pieces_count(fano330):
    # Copper's ring covers the silver coin of 2: on 1, 2, 4 lie S, c, S.
    assert_running(play(fano330("S/Sc/./././C/. 0"), "r4"), 1)


def test_a_piece_put_on_top_can_complete_a_line(fano330):
    # The silver ring goes onto copper's coin on 4.
    assert_over(play(fano330("S/s/./C/././c 0"), "r4"), SECOND_WINS)


# On the circle 1, 2, 4 lie S, s, C with S under the C.
COVERED = "S/s/cs/SC/././Cc 1"


def test_a_line_uncovered_by_moving_away_counts_and_loses_for_who_moved(fano330):
    state = play(fano330(COVERED), "4-6")
    assert state.position() == "S/s/cs/S/./C/Cc 0"
    assert_over(state, FIRST_WINS)  # three silver pieces, but it was copper's turn


def test_uncovering_without_a_line_does_not_lose(fano330):
    # The coin goes onto 1, so that the circle shows C, s, S.
    assert_running(play(fano330(COVERED), "4-1"), 0)


def test_losing_moves_are_legal_moves(fano330):
    assert "4-6" in legal(fano330(COVERED))
    assert "c4" in legal(fano330("S/C/././././. 0"))


def test_a_line_on_the_board_has_been_lost_by_the_player_not_to_move(fano330):
    assert_over(fano330("S/s/cs/S/./C/Cc 0"), FIRST_WINS)
    assert_over(fano330("S/s/cs/S/./C/Cc 1"), SECOND_WINS)
    assert_over(fano330("S/s/./s/./c/C 1"), SECOND_WINS)


def test_nothing_can_be_played_after_the_end(fano330):
    state = fano330("S/s/./s/./c/C 1")
    for text in ("c3", "r1", "6-7"):
        assert_illegal(state, text, "over")


# ---- losing without a move

# Silver's coin goes from 6 onto 7, and then copper's only topmost piece, on 3, finds 2, 4, 7 full.
SHUTTING_IN = "./CS/sc/Cs/./S/c 0"


def test_a_player_without_a_legal_move_at_the_start_of_the_turn_loses(fano330):
    state = play(fano330(SHUTTING_IN), "6-7")
    assert state.position() == "./CS/sc/Cs/././cS 1"
    assert_over(state, FIRST_WINS)
    assert_over(fano330("./CS/sc/Cs/././cS 1"), FIRST_WINS)


def test_silver_without_a_legal_move_loses_too(fano330):
    state = play(fano330("./SC/cs/Sc/./C/s 1"), "6-7")
    assert_over(state, SECOND_WINS)


def test_the_player_shut_in_has_lost_only_when_to_move(fano330):
    assert_running(fano330("./CS/sc/Cs/././cS 0"), 0)


def test_under_plane_the_same_player_is_not_shut_in(fano330):
    assert_running(play(fano330(SHUTTING_IN, adjacency="plane"), "6-7"), 1)


def test_the_line_comes_before_the_shutting_in(fano330):
    # Silver's ring goes from 7 onto 1: copper is covered everywhere, but 1, 2 and 4 are silver.
    state = play(fano330("c/CS/CS/cs/././s 0"), "7-1")
    assert state.position() == "cs/CS/CS/cs/././. 1"
    assert_over(state, SECOND_WINS)


# ---- repetition and the number of plies

# Silver's coin goes 3-2 and back, copper's coin 7-1 and back; no line appears.
SHUFFLE = "././CS/./cs/Sc/sC 0"
CYCLE = "3-2 7-1 2-3 1-7"


def test_the_third_occurrence_is_a_draw_by_default_the_position_read_being_the_first(fano330):
    state = play(fano330(SHUFFLE), CYCLE)
    assert state.position() == SHUFFLE
    assert_running(play(state, "3-2 7-1 2-3"), 1)
    assert_over(play(state, "1-7"), DRAW)


@pytest.mark.parametrize("repetition", [2, 3, 4, 5])
def test_the_nth_occurrence_is_a_draw(fano330, repetition):
    state = fano330(SHUFFLE, repetition=repetition)
    for _ in range(repetition - 1):
        assert_running(state, 0)
        play(state, CYCLE)
    assert_over(state, DRAW)
    assert state.move_number() == 4 * (repetition - 1)


def test_the_position_after_the_last_placement_counts_as_an_occurrence(fano330):
    state = play(fano330("././CS/./cs/Sc/s 1", repetition=2), "c7")
    assert_over(play(state, CYCLE), DRAW)


def test_the_same_board_with_the_other_player_to_move_is_another_position(fano330):
    # Silver's coin goes around 5, 1, 2 in three moves, copper's ring 6-7 and back in two.
    start = "././Cc/sS/CS/sc/. 0"
    state = play(fano330(start, repetition=2), "5-1 6-7 1-2 7-6 2-5")
    assert state.position() == start.replace(" 0", " 1")
    assert_running(state, 1)
    # Two rounds of silver and three of copper bring the start back.
    assert_running(play(state, "6-7 5-1 7-6 1-2 6-7 2-5"), 1)
    assert_over(play(state, "7-6"), DRAW)
    assert state.move_number() == 12


def test_repetition_0_switches_it_off(fano330):
    assert_running(play(fano330(SHUFFLE, repetition=0), " ".join([CYCLE] * 6)), 0)


@pytest.mark.parametrize("repetition", [1, -1, "x", 2.5, None])
def test_repetition_1_and_what_is_no_count_is_refused(fano330, repetition):
    with pytest.raises(ValueError, match="repetition"):
        fano330(repetition=repetition)


def test_max_plies_is_a_draw_counted_from_the_start_or_the_position_read(fano330):
    state = play(fano330(SHUFFLE, max_plies=3), "3-2 7-1")
    assert_running(state, 0)
    assert_over(play(state, "2-3"), DRAW)
    assert_over(play(fano330(max_plies=2), "c1 c2"), DRAW)


def test_max_plies_is_1000_by_default_and_0_is_none(fano330):
    assert fano330().get_game().parameters["max_plies"] == 1000
    assert fano330().get_game().max_game_length() == 1000
    assert fano330(max_plies=0).get_game().max_game_length() == 0
    assert_running(play(fano330(SHUFFLE, repetition=0, max_plies=0), CYCLE), 0)


@pytest.mark.parametrize("max_plies", [-1, "x", 2.5, None])
def test_max_plies_below_0_or_no_number_is_refused(fano330, max_plies):
    with pytest.raises(ValueError, match="max_plies"):
        fano330(max_plies=max_plies)


def test_a_line_on_the_last_ply_loses_before_the_cap_is_a_draw(fano330):
    assert_over(play(fano330(COVERED, max_plies=1), "4-6"), FIRST_WINS)
    assert_over(play(fano330(COVERED, max_plies=1), "4-1"), DRAW)


def test_shutting_in_on_the_last_ply_wins_before_the_cap_is_a_draw(fano330):
    assert_over(play(fano330(SHUTTING_IN, max_plies=1), "6-7"), FIRST_WINS)


def test_a_position_read_starts_with_a_fresh_history(fano330):
    drawn = play(fano330(SHUFFLE, repetition=2), CYCLE)
    assert_over(drawn, DRAW)
    assert_running(fano330(drawn.position(), repetition=2), 0)


# ---- position strings


@pytest.mark.parametrize(
    "position",
    [
        START,
        "S/./././././. 1",
        "Ss/Cc/././././. 0",
        f"{MOVEMENT} 0",
        f"{MOVEMENT} 1",
        "S/s/./s/./c/C 1",  # finished games
        "./CS/sc/Cs/././cS 1",
    ],
)
def test_positions_read_and_written_are_the_same(fano330, position):
    assert fano330(position).position() == position


def test_a_stack_is_written_bottom_to_top(fano330):
    assert play(fano330(), "c3 r3 r7 c7").position() == "././Sc/./././sC 0"


@pytest.mark.parametrize(
    "position",
    [
        "S/S/S/C/C/./. 1",
        "s/s/./s/C/c/. 1",
        "S/C/C/C/S/./. 1",
        "c/c/S/c/S/./. 1",
    ],
)
def test_more_than_two_of_a_kind_are_refused(fano330, position):
    with pytest.raises(ValueError, match=POINTS):
        fano330(position)


@pytest.mark.parametrize("stack", ["SsC", "SCs", "ScCs", "SS", "ss", "CC", "cc"])
def test_more_than_two_on_a_point_and_same_on_same_are_refused(fano330, stack):
    for player in "01":
        with pytest.raises(ValueError, match=POINTS):
            fano330(f"{stack}/./././././. {player}")


@pytest.mark.parametrize(
    "position",
    [
        "././././././. 1",
        "S/./././././. 0",
        "S/C/././././. 1",
        "S/s/././././. 0",
        "S/s/././././. 1",
        "C/./././././. 0",
        "C/./././././. 1",
        "././CS/./cs/Sc/s 0",  # the piece in hand is copper's
        "././CS/./cs/Sc/C 0",  # the piece in hand is silver's, yet silver begins
        "././CS/./cs/Sc/C 1",
    ],
)
def test_counts_that_contradict_the_player_to_move_are_refused_while_pieces_are_in_hand(
    fano330, position
):
    with pytest.raises(ValueError, match=f"{PLAYER}|{POINTS}"):
        fano330(position)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ("", FIELDS),
        ("././././././.", FIELDS),
        ("././././././. 0 0", FIELDS),
        ("././././././.  0", FIELDS),
        (" ././././././. 0", FIELDS),
        ("./././././. 0", POINTS),
        ("./././././././. 0", POINTS),
        ("./././././/. 0", POINTS),
        ("././x/./././. 1", POINTS),
        ("././1/./././. 1", POINTS),
        ("././S./././. 1", POINTS),
        ("././S././././. 1", POINTS),
        ("././.S/./././. 1", POINTS),
        ("././r/./././. 1", POINTS),
        ("././././././. 2", PLAYER),
        ("././././././. w", PLAYER),
        ("././././././. -1", PLAYER),
        ("././././././. 00", PLAYER),
        ("././././././. 0\n", PLAYER),
    ],
)
def test_malformed_positions_are_refused_naming_the_field(fano330, position, field):
    with pytest.raises(ValueError, match=field):
        fano330(position)


# ---- explanations


def test_the_explanation_of_a_stacking_fault_names_the_point_and_the_piece(fano330):
    assert_explained(fano330("S/C/././././. 0"), "c1", "1", "coin")
    assert fano330("S/C/././././. 0").explain("r1") is None


def test_the_explanation_of_a_move_along_no_line_names_both_points(fano330):
    assert_explained(fano330(f"{MOVEMENT} 1"), "5-3", "5", "3")
