"""Meigo: marked and unmarked stones, prison and holds (docs/games/meigo.md).

A stone is one letter, as in the position string: `x` and `o` unmarked, `X` and `O` marked. The
lower-case letter is also the name of the colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .base import (
    Game,
    Outcome,
    bool_parameter,
    choice_field,
    choice_parameter,
    count_field,
    grid_parameter,
    int_parameter,
    listing,
    points_parameter,
    read_letters,
    repetition_parameter,
    split_fields,
    win_for,
    write_rows,
)
from .boards import LETTERS_WITHOUT_I, Grid, groups

COLOUR_NAMES = {"x": "Black", "o": "White"}
OPPONENTS = {"x": "o", "o": "x"}
# The last stone placed was marked or unmarked when placed, or there is none.
MARKED, UNMARKED, NO_STONE = "m", "u", "-"
# Whose first turns are still to come.
BOTH, WHITE_ONLY, NEITHER = "xo", "o", "-"
# The auction: k is to be chosen, the colour is to be chosen; then who has which colour. Games
# without the auction always have `AS_STARTED`.
CHOOSE_K, CHOOSE_COLOUR, AS_STARTED, SWAPPED = "k", "c", "-", "s"

# The most stones with which the prison may start.
LARGEST_PRISON = 1000
# The default of `max_plies`, which depends on the size: 20 plies for every point.
TWENTY_A_POINT = object()

Stones = Mapping[str, str]


@dataclass(frozen=True)
class Position:
    """What the position string shows: `stones` by their points, `prison` by colour."""

    stones: Stones
    to_move: str
    prison: Mapping[str, int]
    last_stone: str
    first_turns: str
    auction: str

    def in_auction(self) -> bool:
        """Return whether k or the colour is still to be chosen."""
        return self.auction in (CHOOSE_K, CHOOSE_COLOUR)


@dataclass(frozen=True)
class Chain:
    """Orthogonally connected stones of one colour, and the empty points adjacent to them."""

    colour: str
    points: frozenset[str]
    liberties: frozenset[str]


@dataclass(frozen=True)
class Survey:
    """The chains of a position, and what the player to move reaches from each empty point."""

    chains: list[Chain]
    chain_at: dict[str, Chain]
    reached_from: dict[str, set[str]]


@dataclass(frozen=True)
class Play:
    """What a play does to the board: the friendly stones it unmarks, whether the new stone is
    marked, the enemy chains it sends to the prison, and the rule it breaks, if it does.
    """

    unmarked: set[str]
    marked: bool
    captured: list[Chain]
    objection: str | None


class Meigo(Game[Position]):
    """The rules of Meigo with one set of parameters."""

    name = "meigo"
    action_forms = "a point such as d4, or hold; with the auction also prison 2, black or white"
    parameter_names = (
        "size",
        "prison_black",
        "handicap",
        "auction",
        "reach",
        "max_plies",
        "repetition",
    )

    def __init__(
        self,
        size: object = "9x9",
        prison_black: object = 0,
        handicap: object = (),
        auction: object = False,
        reach: object = "any",
        max_plies: object = TWENTY_A_POINT,
        repetition: object = 0,
    ) -> None:
        """Set up Grid(size) and the fairness device: a filled prison, a handicap or the auction."""
        width, height = grid_parameter("size", size, 2, 19)
        self.board = Grid(width, height, LETTERS_WITHOUT_I)
        self.area = width * height
        self.prison_black = int_parameter("prison_black", prison_black, 0, LARGEST_PRISON)
        self.handicap = points_parameter("handicap", handicap, self.board)
        if len(self.handicap) > self.area - 2:
            raise ValueError(
                f"parameter 'handicap' must leave at least two points empty: at most"
                f" {self.area - 2} points, not {len(self.handicap)}"
            )
        self.auction = bool_parameter("auction", auction)
        if self.auction and (self.prison_black or self.handicap):
            raise ValueError(
                "parameter 'auction' must be false where 'prison_black' or 'handicap' is given:"
                " the auction takes their place"
            )
        self.reach = choice_parameter("reach", reach, ("any", "friendly"))
        if max_plies is TWENTY_A_POINT:
            max_plies = 20 * self.area
        super().__init__(
            {
                "size": f"{width}x{height}",
                "prison_black": self.prison_black,
                "handicap": self.handicap,
                "auction": self.auction,
                "reach": self.reach,
                "max_plies": int_parameter("max_plies", max_plies, 0),
                "repetition": repetition_parameter("repetition", repetition),
            }
        )

    # ---- actions

    def num_distinct_actions(self) -> int:
        """Return one a point and the hold; with the auction also its k and its two colours."""
        return 2 * self.area + 4 if self.auction else self.area + 1

    def max_game_length(self) -> int:
        """Return `max_plies`: without it a ko can go on for ever."""
        return int(self._parameters["max_plies"])

    def action_table(self) -> dict[int, str]:
        """Return the points, `hold`, and with the auction `prison k`, `black` and `white`."""
        texts = [*self.board.cells, "hold"]
        if self.auction:
            texts += [f"prison {k}" for k in range(self.area + 1)] + ["black", "white"]
        return dict(enumerate(texts))

    def normal_text(self, text: str) -> str:
        """Return a point in lower case (the upper case is usual for Go), other text as it is."""
        return text.lower() if text.lower() in self.board.index else text

    # ---- position strings

    def start(self) -> Position:
        """Return the empty board, or the one on which the handicap is Black's first turn."""
        return Position(
            stones=dict.fromkeys(self.handicap, "x"),
            to_move="o" if self.handicap else "x",
            prison={"x": self.prison_black, "o": 0},
            last_stone=UNMARKED if self.handicap else NO_STONE,
            first_turns=WHITE_ONLY if self.handicap else BOTH,
            auction=CHOOSE_K if self.auction else AS_STARTED,
        )

    def read(self, text: str) -> Position:
        """Return the position of a string of six fields, seven in a game with the auction."""
        names = [
            "board",
            "player to move",
            "black in prison",
            "white in prison",
            "last stone placed",
            "first turns",
        ]
        if self.auction:
            names.append("auction")
        fields = split_fields(text, names)
        position = Position(
            stones=read_letters(fields[0], self.board, "xXoO"),
            to_move=choice_field(names[1], fields[1], ("x", "o")),
            prison={"x": count_field(names[2], fields[2]), "o": count_field(names[3], fields[3])},
            last_stone=choice_field(names[4], fields[4], (MARKED, UNMARKED, NO_STONE)),
            first_turns=choice_field(names[5], fields[5], (BOTH, WHITE_ONLY, NEITHER)),
            auction=(
                choice_field(names[6], fields[6], (CHOOSE_K, CHOOSE_COLOUR, AS_STARTED, SWAPPED))
                if self.auction
                else AS_STARTED
            ),
        )
        self._check_last_stone(position)
        self._check_first_turns(position)
        self._check_auction(position)
        return position

    def _check_last_stone(self, position: Position) -> None:
        """Refuse a last stone placed that cannot be on the board."""
        letters = set(position.stones.values())
        if position.last_stone == MARKED and not letters & {"X", "O"}:
            raise ValueError("position, last stone placed: m, but no stone on the board is marked")
        if position.last_stone == UNMARKED and not letters & {"x", "o"}:
            raise ValueError(
                "position, last stone placed: u, but no stone on the board is unmarked"
            )
        if position.last_stone == NO_STONE and letters:
            raise ValueError("position, last stone placed: -, but there are stones on the board")

    def _check_first_turns(self, position: Position) -> None:
        """Refuse first turns still to come that have evidently been played."""
        if position.first_turns == BOTH and (position.stones or position.to_move != "x"):
            raise ValueError(
                "position, first turns: xo needs an empty board and x as the player to move"
            )
        if position.first_turns == WHITE_ONLY and (
            position.to_move != "o" or not set(position.stones.values()) <= {"x"}
        ):
            raise ValueError(
                "position, first turns: o needs o as the player to move and no stones but unmarked"
                " black ones"
            )

    def _check_auction(self, position: Position) -> None:
        """Refuse an auction that goes on after the first turn, or beside a filled prison."""
        if not position.in_auction():
            return
        if position.first_turns != BOTH:
            raise ValueError(
                f"position, auction: {position.auction} needs xo as the first turns to come"
            )
        if position.prison["o"] != 0:
            raise ValueError(
                f"position, white in prison: must be 0 in the auction, not {position.prison['o']}"
            )
        most = self.area if position.auction == CHOOSE_COLOUR else 0
        if position.prison["x"] > most:
            raise ValueError(
                f"position, black in prison: at most {most} with {position.auction} in the"
                f" auction field, not {position.prison['x']}"
            )

    def write(self, position: Position) -> str:
        """Return the six fields, seven in a game with the auction."""
        text = (
            f"{self._board_and_mover(position)} {position.prison['x']} {position.prison['o']}"
            f" {position.last_stone} {position.first_turns}"
        )
        return f"{text} {position.auction}" if self.auction else text

    def _board_and_mover(self, position: Position) -> str:
        return f"{write_rows(position.stones, self.board)} {position.to_move}"

    def repetition_key(self, position: Position) -> str:
        """Return board, marks, mover and last stone: the prison does not matter.

        The two choices of the auction are not positions of the game that follows: without the
        stage in the key the opening would be the third occurrence of the empty board.
        """
        stage = position.auction if position.in_auction() else ""
        return f"{self._board_and_mover(position)} {position.last_stone} {stage}"

    # ---- the rules

    def player(self, position: Position) -> int:
        """Return the person who acts: 0 chooses k, 1 the colour, and Black (0 unless they have
        swapped) opens.
        """
        if position.auction == CHOOSE_K:
            return 0
        if position.auction == CHOOSE_COLOUR:
            return 1
        black = 1 if position.auction == SWAPPED else 0
        return black if position.to_move == "x" else 1 - black

    def moves(self, position: Position) -> list[str]:
        """Return the choices of the auction, or the points to play and the hold."""
        if position.auction == CHOOSE_K:
            return [f"prison {k}" for k in range(self.area + 1)]
        if position.auction == CHOOSE_COLOUR:
            return ["black", "white"]
        empty = [point for point in self.board.cells if point not in position.stones]
        if position.first_turns != NEITHER:
            # The first turn is a placement and nothing else.
            return empty
        survey = self._survey(position)
        found = [point for point in empty if self._play(position, survey, point).objection is None]
        if position.prison[OPPONENTS[position.to_move]] > 0:
            found.append("hold")
        return found

    def objection(self, position: Position, action: str) -> str | None:
        """Return the rule that an action breaks, None if it is in `moves`."""
        mover, enemy = position.to_move, OPPONENTS[position.to_move]
        if position.auction == CHOOSE_K:
            return None if action.startswith("prison ") else "first player 0 chooses prison k"
        if position.auction == CHOOSE_COLOUR:
            return None if action in ("black", "white") else "first player 1 chooses black or white"
        if action != "hold" and action not in self.board.index:
            return f"{action} is an action of the auction, which is over"
        if action == "hold":
            if position.first_turns != NEITHER:
                return f"{COLOUR_NAMES[mover]}'s first turn is a placement, not a hold"
            if position.prison[enemy] == 0:
                return (
                    f"{COLOUR_NAMES[mover]} cannot hold: there is no"
                    f" {COLOUR_NAMES[enemy].lower()} stone in the prison"
                )
            return None
        if action in position.stones:
            return f"{action} is occupied"
        if position.first_turns != NEITHER:
            return None
        return self._play(position, self._survey(position), action).objection

    def after(self, position: Position, action: str) -> Position:
        """Return the position after a choice, a hold, a first turn or a play."""
        mover, enemy = position.to_move, OPPONENTS[position.to_move]
        prison = dict(position.prison)
        if action.startswith("prison "):
            prison["x"] = int(action.removeprefix("prison "))
            return replace(position, prison=prison, auction=CHOOSE_COLOUR)
        if action in ("black", "white"):
            # It is player 1 who chooses: with Black for player 1, player 0 has White.
            return replace(position, auction=SWAPPED if action == "black" else AS_STARTED)
        if action == "hold":
            prison[enemy] -= 1
            return replace(position, to_move=enemy, prison=prison)

        stones = dict(position.stones)
        if position.first_turns != NEITHER:
            stones[action] = mover
            return replace(
                position,
                stones=stones,
                to_move=enemy,
                last_stone=UNMARKED,
                first_turns=WHITE_ONLY if position.first_turns == BOTH else NEITHER,
            )
        play = self._play(position, self._survey(position), action)
        for point in play.unmarked:
            stones[point] = mover
        stones[action] = mover.upper() if play.marked else mover
        for chain in play.captured:
            for point in chain.points:
                del stones[point]
            prison[enemy] += len(chain.points)
        return replace(
            position,
            stones=stones,
            to_move=enemy,
            prison=prison,
            last_stone=MARKED if play.marked else UNMARKED,
        )

    def outcome(self, position: Position, moves: Sequence[str]) -> Outcome | None:
        """Return the loss of a player who can neither play nor hold."""
        return None if moves else win_for(1 - self.player(position))

    # ---- a play, step by step

    def _play(self, position: Position, survey: Survey, point: str) -> Play:
        """Return what a play (not a first turn) on an empty point does."""
        stones, mover, enemy = position.stones, position.to_move, OPPONENTS[position.to_move]
        unmarked_friend, marked_friend = mover, mover.upper()
        neighbours = self.board.neighbours[point]

        # (2) Adjacent to both a marked and an unmarked friendly stone: unmark all it reaches.
        reached = survey.reached_from[point]
        adjacent = {stones[other] for other in neighbours if other in stones}
        unmarked: set[str] = set()
        if unmarked_friend in adjacent and marked_friend in adjacent:
            unmarked = {other for other in reached if stones[other] == marked_friend}
            stones = {**stones, **dict.fromkeys(unmarked, unmarked_friend)}
            # The stones just unmarked block the paths that led over them.
            reached = self._flood(stones, mover, point)[1]

        # (3) Marked if it now reaches a marked friendly stone, or no friendly stone at all.
        reached_letters = {stones[other] for other in reached}
        marked = marked_friend in reached_letters or unmarked_friend not in reached_letters

        # (4) All enemy chains without liberties go to the prison, wherever they are.
        captured = [
            chain for chain in survey.chains if chain.colour == enemy and chain.liberties <= {point}
        ]

        # Then the new stone's chain must have a liberty.
        emptied = {other for chain in captured for other in chain.points}
        own_chain, liberties = {point}, set[str]()
        for other in neighbours:
            if other not in stones or other in emptied:
                liberties.add(other)
            elif stones[other].lower() == mover:
                own_chain |= survey.chain_at[other].points
                liberties |= survey.chain_at[other].liberties - {point}
        if not liberties and captured:
            # An emptied point may be adjacent to the chain away from the new stone.
            liberties = emptied.intersection(
                beside for own in own_chain for beside in self.board.neighbours[own]
            )

        objection = None
        if not liberties:
            objection = (
                f"{point} would be suicide: the chain of {listing(own_chain, self.board)} would"
                " have no liberty"
            )
        elif marked and position.last_stone == MARKED:
            # A stone that a capture takes has not changed its mark in this play.
            taken = [other for other in emptied if stones[other] == enemy.upper()]
            if taken:
                objection = (
                    f"{point} would place a marked stone and capture a marked one"
                    f" ({listing(taken, self.board)}), but the last stone placed was marked too"
                )
        return Play(unmarked, marked, captured, objection)

    def _survey(self, position: Position) -> Survey:
        """Return the chains, and for every empty point the stones that it reaches."""
        stones = position.stones
        chains: list[Chain] = []
        for colour in COLOUR_NAMES:
            own = [point for point, letter in stones.items() if letter.lower() == colour]
            for points in groups(own, self.board.neighbours):
                liberties = {
                    other
                    for point in points
                    for other in self.board.neighbours[point]
                    if other not in stones
                }
                chains.append(Chain(colour, frozenset(points), frozenset(liberties)))
        chain_at = {point: chain for chain in chains for point in chain.points}

        reached_from: dict[str, set[str]] = {}
        for point in self.board.cells:
            if point in stones or point in reached_from:
                continue
            # Paths can be walked both ways: all empty points of one flood reach the same stones.
            stepped_on, reached = self._flood(stones, position.to_move, point)
            for other in stepped_on:
                if other not in stones:
                    reached_from[other] = reached
        return Survey(chains, chain_at, reached_from)

    def _flood(self, stones: Stones, mover: str, start: str) -> tuple[set[str], set[str]]:
        """Return the points that a path from an empty point may step on, and the stones reached:
        every stone met, whether stepped on or bordering the path.
        """
        may_step = {"X", "O"} if self.reach == "any" else {mover.upper()}
        stepped_on, reached, frontier = {start}, set[str](), [start]
        while frontier:
            for other in self.board.neighbours[frontier.pop()]:
                if other in stones:
                    reached.add(other)
                if other not in stepped_on and (other not in stones or stones[other] in may_step):
                    stepped_on.add(other)
                    frontier.append(other)
        return stepped_on, reached
