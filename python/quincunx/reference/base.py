"""What the five games share: `Game`, `State`, reading of parameters and of position strings.

A game is written as a class of pure functions on *positions*. A position is any value of the
game's own choice (a frozen dataclass, say) that holds exactly what the position string shows, is
never altered once made and can be pickled. A subclass of `Game` supplies:

* `name`, `action_forms`, `parameter_names` - class attributes; the second says how actions look,
  for messages; `load_game` refuses parameters that the third does not list;
* `__init__(self, size=5, ...)` - reads the parameters, typed `object` (helpers below), sets up
  the board, then calls `super().__init__(parameters)` with all of them in normal form;
* `num_distinct_actions()`, `max_game_length()`;
* `action_table()` - id -> text of every well-formed action (ids of moves off the board have none);
* `start()`, `read(text)`, `write(position)` - the position at the start, from and to its string;
* `player(position)` - the person (0 or 1) who acts, were the game not over;
* `moves(position)` - texts of the actions that the rules allow, were the game not over;
* `objection(position, action)` - None for those, else a sentence naming the rule and the place;
* `after(position, action)` - the position after a legal action, given as text;
* `outcome(position, moves)` - the returns if the position itself ends the game, else None;
  `moves` is `moves(position)`, handed over so that "no legal move" costs nothing.

and where needed `mid_turn`, `normal_text` and `repetition_key`.

`State` does everything else. The draws by repetition and by number of plies are made here, after
`outcome`, for every game that has a parameter `repetition` or `max_plies` (0 is off).
"""

from __future__ import annotations

import copy
import hashlib
import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from .boards import CoordinateBoard

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from quincunx.game_type import GameType

P = TypeVar("P")
Outcome = tuple[float, float]

TERMINAL_PLAYER = -4
DRAW: Outcome = (0.0, 0.0)
# Counts (plies, occurrences) beyond this are refused rather than stored.
LARGEST_COUNT = 1_000_000


class PlayerAction(NamedTuple):
    """A ply: who played it, and the action id."""

    player: int
    action: int


def win_for(player: int) -> Outcome:
    """Return the returns of a game that `player` (0 or 1) has won."""
    return (1.0, -1.0) if player == 0 else (-1.0, 1.0)


class Game(ABC, Generic[P]):
    """The rules of one game with one set of parameters; see the module for what to supply."""

    name: ClassVar[str]
    action_forms: ClassVar[str]
    parameter_names: ClassVar[tuple[str, ...]]

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Keep the parameters, complete and in normal form, and build the table of actions."""
        self._parameters = dict(parameters)
        self._texts = self.action_table()
        self._ids = {text: action for action, text in self._texts.items()}

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name, defaults included; a copy."""
        return copy.deepcopy(self._parameters)

    # ---- supplied by each game

    @abstractmethod
    def num_distinct_actions(self) -> int:
        """Return how many action ids there are."""

    @abstractmethod
    def max_game_length(self) -> int:
        """Return a bound on the plies of a game, 0 where none is known and none is set."""

    @abstractmethod
    def action_table(self) -> dict[int, str]:
        """Return the text of every well-formed action by its id."""

    @abstractmethod
    def start(self) -> P:
        """Return the position at the start of a game."""

    @abstractmethod
    def read(self, text: str) -> P:
        """Return the position a string shows; ValueError naming the field if it cannot be."""

    @abstractmethod
    def write(self, position: P) -> str:
        """Return the position string."""

    @abstractmethod
    def player(self, position: P) -> int:
        """Return the person, 0 or 1, whose action it is."""

    @abstractmethod
    def moves(self, position: P) -> list[str]:
        """Return the actions allowed by the rules of moving, in any order."""

    @abstractmethod
    def objection(self, position: P, action: str) -> str | None:
        """Return None for an action in `moves`, else the rule a well-formed action breaks."""

    @abstractmethod
    def after(self, position: P, action: str) -> P:
        """Return the position after an action that is in `moves`."""

    @abstractmethod
    def outcome(self, position: P, moves: Sequence[str]) -> Outcome | None:
        """Return the returns if the position ends the game by the rules, else None."""

    # ---- with a default

    def mid_turn(self, position: P) -> bool:
        """Return whether the player to act is in the middle of a turn (Unmergo only)."""
        return False

    def normal_text(self, text: str) -> str:
        """Return an action's text in the form of `action_table` (say, in lower case)."""
        return text

    def repetition_key(self, position: P) -> str:
        """Return what has to be equal for two positions to count as a repetition."""
        return self.write(position)

    # ---- the same for all games

    def num_players(self) -> int:
        """Return 2."""
        return 2

    def min_utility(self) -> float:
        """Return -1.0, a loss."""
        return -1.0

    def max_utility(self) -> float:
        """Return 1.0, a win."""
        return 1.0

    def utility_sum(self) -> float:
        """Return 0.0: what one player wins the other loses."""
        return 0.0

    def get_type(self) -> GameType:
        """Return what kind of game this is, as OpenSpiel describes it: without tensors here."""
        from quincunx.game_type import game_type

        return replace(
            game_type(self),
            provides_information_state_tensor=False,
            provides_observation_tensor=False,
        )

    def get_parameters(self) -> dict[str, Any]:
        """Return the same as `parameters`."""
        return self.parameters

    def max_move_number(self) -> int:
        """Return the same as `max_game_length`."""
        return self.max_game_length()

    def max_history_length(self) -> int:
        """Return the same as `max_game_length`."""
        return self.max_game_length()

    def max_chance_outcomes(self) -> int:
        """Return 0: there is no chance in these games."""
        return 0

    def max_chance_nodes_in_history(self) -> int:
        """Return 0: there is no chance in these games."""
        return 0

    def policy_tensor_shape(self) -> list[int]:
        """Return the shape of a policy: a probability for each action id."""
        return [self.num_distinct_actions()]

    def new_initial_state(self, position: str | None = None) -> State[P]:
        """Return the state at the start, or the one a position string shows, as ply 0."""
        if position is None:
            return State(self, self.start())
        if not isinstance(position, str):
            raise TypeError(f"a position is a string, not {type(position).__name__}")
        return State(self, self.read(position))

    def new_initial_states(self) -> list[State[P]]:
        """Return a list of the one state at the start."""
        return [self.new_initial_state()]

    def deserialize_state(self, text: str) -> State[P]:
        """Return the state that `State.serialize` wrote, with its past; ValueError for any other
        text.
        """
        if not isinstance(text, str):
            raise TypeError(f"a serialized state is a string, not {type(text).__name__}")
        position, *lines = text.removesuffix("\n").split("\n")
        state = self.new_initial_state(position)
        for number, line in enumerate(lines, start=2):
            if not re.fullmatch("0|[1-9][0-9]{0,8}", line):
                raise ValueError(
                    f"line {number} of a serialized state is not an action id: {line!r}"
                )
            state.apply_action(int(line))
        return state

    def action_to_string(self, *arguments: object) -> str:
        """Return an action's text: `action_to_string(a)` or `action_to_string(player, a)`;
        ValueError if no action has that id.
        """
        number = as_index(last_after_player("action_to_string", arguments), "an action")
        if not 0 <= number < self.num_distinct_actions():
            raise ValueError(
                f"{self.name} has actions 0 to {self.num_distinct_actions() - 1}, not {number}"
            )
        if number not in self._texts:
            raise ValueError(f"action {number} of {self.name} would lead off the board")
        return self._texts[number]

    def string_to_action(self, text: str) -> int:
        """Return the id of an action, legal now or not; ValueError if the text is malformed."""
        if not isinstance(text, str):
            raise TypeError(f"an action's text is a string, not {type(text).__name__}")
        action = self._ids.get(self.normal_text(text))
        if action is None:
            raise ValueError(
                f"{text!r} is not an action of {self.name} on this board"
                f" (expected {self.action_forms})"
            )
        return action

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same game with the same parameters."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.name == other.name and self._parameters == other._parameters

    def __hash__(self) -> int:
        """Agree with `==`."""
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters: the tables are made anew."""
        return _make_game, (type(self), self._parameters)

    def __repr__(self) -> str:
        """Return the call that makes this game."""
        given = "".join(f", {key}={value!r}" for key, value in self._parameters.items())
        return f"load_game({self.name!r}{given})"

    def to_string(self) -> str:
        """Return the same as `repr`."""
        return repr(self)


def _make_game(kind: type[Any], parameters: Mapping[str, Any]) -> Any:
    return kind(**parameters)


class State(Generic[P]):
    """A position and the history that led to it. Two equal positions are equal states if they
    have the same outcome; the history behind them and the number of plies do not matter.
    """

    def __init__(self, game: Game[P], position: P) -> None:
        """Start at a position, as ply 0 and as its own first occurrence."""
        self._game = game
        self._position = position
        # The actions played since ply 0, each with the position it was played in.
        self._past: list[tuple[int, P]] = []
        self._repetition: int = game._parameters.get("repetition", 0)
        self._max_plies: int = game._parameters.get("max_plies", 0)
        # How often each position has occurred, where repetition matters.
        self._occurrences: dict[str, int] = {}
        self._count_occurrence(+1)
        self._verdict: tuple[Outcome | None, list[int]] | None = None

    def _count_occurrence(self, change: int) -> None:
        if self._repetition:
            key = self._game.repetition_key(self._position)
            self._occurrences[key] = self._occurrences.get(key, 0) + change

    def _judge(self) -> tuple[Outcome | None, list[int]]:
        """Return the outcome, None while the game runs, and the legal actions, sorted."""
        if self._verdict is None:
            moves = self._game.moves(self._position)
            outcome = self._game.outcome(self._position, moves)
            if outcome is None and self._repetition:
                key = self._game.repetition_key(self._position)
                if self._occurrences[key] >= self._repetition:
                    outcome = DRAW
            if outcome is None and self._max_plies and len(self._past) >= self._max_plies:
                outcome = DRAW
            legal = [] if outcome is not None else sorted(self._game._ids[m] for m in moves)
            self._verdict = (outcome, legal)
        return self._verdict

    # ---- whose turn, what may be played

    def get_game(self) -> Game[P]:
        """Return the game."""
        return self._game

    def num_players(self) -> int:
        """Return 2."""
        return 2

    def num_distinct_actions(self) -> int:
        """Return how many action ids the game has."""
        return self._game.num_distinct_actions()

    def is_chance_node(self) -> bool:
        """Return False: there is no chance in these games."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Return False: the players move in turn."""
        return False

    def is_mean_field_node(self) -> bool:
        """Return False: these are no mean field games."""
        return False

    def is_player_node(self) -> bool:
        """Return whether the game is running."""
        return not self.is_terminal()

    def is_initial_state(self) -> bool:
        """Return whether no action has been played since ply 0."""
        return not self._past

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._judge()[0] is not None

    def current_player(self) -> int:
        """Return the player to act, 0 or 1, or -4 when the game is over."""
        return TERMINAL_PLAYER if self.is_terminal() else self._game.player(self._position)

    def legal_actions(self, player: object = None) -> list[int]:
        """Return the legal actions, sorted; none when the game is over or another is to act."""
        if player is not None and as_player(player) != self.current_player():
            return []
        return list(self._judge()[1])

    def legal_actions_mask(self, player: object = None) -> npt.NDArray[np.bool_]:
        """Return a boolean array over all action ids, True for the legal ones."""
        import numpy as np

        mask = np.zeros(self.num_distinct_actions(), dtype=np.bool_)
        mask[self.legal_actions(player)] = True
        return mask

    def returns(self) -> list[float]:
        """Return +1.0, -1.0 or 0.0 a player; zeros while the game runs."""
        return list(self._judge()[0] or DRAW)

    def rewards(self) -> list[float]:
        """Return the same as `returns`: only the end of the game is rewarded."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """Return one player's entry of `returns`."""
        return self.returns()[as_player(player)]

    def player_reward(self, player: int) -> float:
        """Return one player's entry of `rewards`."""
        return self.rewards()[as_player(player)]

    # ---- actions as text

    def action_to_string(self, *arguments: object) -> str:
        """Return an action's text: `action_to_string(a)` or `action_to_string(player, a)`."""
        return self._game.action_to_string(*arguments)

    def string_to_action(self, *arguments: Any) -> int:
        """Return the id of an action, legal now or not; ValueError if the text is malformed.
        A player may stand before the text.
        """
        return self._game.string_to_action(last_after_player("string_to_action", arguments))

    def explain(self, text: str) -> str | None:
        """Return None if the action is legal now, else a sentence saying why it is not."""
        try:
            action = self.string_to_action(text)
        except ValueError as error:
            return str(error)
        return self._objection(action)

    def _objection(self, action: int) -> str | None:
        outcome, legal = self._judge()
        if outcome is not None:
            return "the game is over"
        if action in legal:
            return None
        text = self._game.action_to_string(action)
        return self._game.objection(self._position, text) or f"{text} is not legal here"

    # ---- playing

    def apply_action(self, action: object) -> None:
        """Play an action; ValueError, and nothing changed, if it is not legal."""
        number = as_index(action, "an action")
        text = self._game.action_to_string(number)
        reason = self._objection(number)
        if reason is not None:
            raise ValueError(f"{text!r} (action {number}) cannot be played: {reason}")
        self._past.append((number, self._position))
        self._position = self._game.after(self._position, text)
        self._count_occurrence(+1)
        self._verdict = None

    def apply_action_with_legality_check(self, action: object) -> None:
        """Do the same as `apply_action`, which checks too."""
        self.apply_action(action)

    def undo(self) -> None:
        """Take back the last action; ValueError if none has been played on this state."""
        if not self._past:
            raise ValueError("there is no action to undo")
        self._count_occurrence(-1)
        self._position = self._past.pop()[1]
        self._verdict = None

    def undo_action(self, player: object, action: object) -> None:
        """Take back the last action, which must be this one, by this player."""
        wanted = (as_player(player), as_index(action, "an action"))
        if not self._past:
            raise ValueError("there is no action to undo")
        last, before = self._past[-1]
        if wanted != (self._game.player(before), last):
            raise ValueError(
                f"the last action was {last} by player {self._game.player(before)},"
                f" not {wanted[1]} by player {wanted[0]}"
            )
        self.undo()

    def child(self, action: object) -> State[P]:
        """Return a copy on which the action has been played."""
        other = self.clone()
        other.apply_action(action)
        return other

    def clone(self) -> State[P]:
        """Return an independent copy, history included."""
        other: State[P] = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other._past = list(self._past)
        other._occurrences = dict(self._occurrences)
        return other

    def __copy__(self) -> State[P]:
        """Return `clone()`."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State[P]:
        """Return `clone()`: positions and games are never altered, so they may be shared."""
        return self.clone()

    def history(self) -> list[int]:
        """Return the actions played since the start, or since the position read."""
        return [action for action, _ in self._past]

    def history_str(self) -> str:
        """Return the actions played since ply 0 as text: "4, 0"."""
        return ", ".join(map(str, self.history()))

    def full_history(self) -> list[PlayerAction]:
        """Return the plies since ply 0, each with who played it."""
        return [PlayerAction(self._game.player(before), action) for action, before in self._past]

    def move_number(self) -> int:
        """Return how many actions have been played since ply 0."""
        return len(self._past)

    def _position_at_ply_0(self) -> str:
        return self._game.write(self._past[0][1] if self._past else self._position)

    def serialize(self) -> str:
        """Return the state with its past as text: the position at ply 0 and, a line each, the
        actions played since.
        """
        return "".join(f"{line}\n" for line in (self._position_at_ply_0(), *self.history()))

    # ---- turns

    def mid_turn(self) -> bool:
        """Return whether the player to act has played the first action of the turn already."""
        return self._game.mid_turn(self._position)

    def turns(self) -> list[str]:
        """Return all complete turns as text, in the order of their action ids."""
        found: list[str] = []
        for action in self.legal_actions():
            text = self.action_to_string(action)
            if self.mid_turn():
                found.append(text)
                continue
            then = self.child(action)
            if not then.mid_turn():
                found.append(text)
                continue
            for second in map(then.action_to_string, then.legal_actions()):
                found.append(text if second == "end" else f"{text} {second}")
        return found

    def apply_turn(self, text: str) -> None:
        """Play one complete turn, as `turns` writes it; ValueError, and nothing changed, if not
        legal.
        """
        if not isinstance(text, str):
            raise TypeError(f"a turn is a string, not {type(text).__name__}")
        try:
            self.string_to_action(text)
            words = [text]  # the name of an action may have a space in it, as Meigo's `prison 2`
        except ValueError:
            words = text.split(" ")
        trial = self.clone()
        started_mid_turn = trial.mid_turn()
        trial.apply_action(trial.string_to_action(words[0]))
        goes_on = trial.mid_turn() and not started_mid_turn
        if len(words) > 2 or (len(words) == 2 and not goes_on):
            raise ValueError(f"{text!r} has more actions than a turn has here")
        if goes_on:
            second = words[1] if len(words) == 2 else "end"
            if len(words) == 2 and second == "end":
                raise ValueError(f"{text!r}: a turn without a stone move is written {words[0]!r}")
            trial.apply_action(trial.string_to_action(second))
        self.__dict__.update(trial.__dict__)

    # ---- text and comparison

    def position(self) -> str:
        """Return the position string."""
        return self._game.write(self._position)

    def observation_string(self, player: object = None) -> str:
        """Return the position string: both players see everything."""
        if player is not None:
            as_player(player)
        return self.position()

    def information_state_string(self, player: object = None) -> str:
        """Return all that a player knows: the actions played, after the position at ply 0 if that
        is not the start of the game.
        """
        if player is not None:
            as_player(player)
        first = self._position_at_ply_0()
        started = first == self._game.write(self._game.start())
        return ("" if started else f"{first}: ") + self.history_str()

    def resample_from_infostate(self, player: object, sampler: object = None) -> State[P]:
        """Return a copy: a player knows the whole state."""
        as_player(player)
        return self.clone()

    def __str__(self) -> str:
        """Return the position string."""
        return self.position()

    def to_string(self) -> str:
        """Return the same as `str`."""
        return str(self)

    def __repr__(self) -> str:
        """Return the call that makes this state, without its history."""
        return f"{self._game!r}.new_initial_state({self.position()!r})"

    def __eq__(self, other: object) -> bool:
        """Return whether game, parameters, position string and outcome are the same."""
        if not isinstance(other, State):
            return NotImplemented
        return (
            self._game == other._game
            and self.position() == other.position()
            and self._judge()[0] == other._judge()[0]
        )

    def __hash__(self) -> int:
        """Agree with `==`; do not play on a state that is in a set."""
        return hash(self.hash())

    def hash(self) -> int:
        """Return 64 bits, equal for equal states and the same in every process."""
        text = f"{self._game!r} {self.position()} {self._judge()[0]}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


# ---- numbers from a caller


def as_index(value: object, what: str) -> int:
    """Return an int or numpy integer as an int; TypeError for anything else, bool included."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is an integer, not {type(value).__name__}")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is an integer, not {type(value).__name__}") from None


def as_player(value: object) -> int:
    """Return a player as an int, 0 or 1; ValueError for other integers."""
    player = as_index(value, "a player")
    if player not in (0, 1):
        raise ValueError(f"the players are 0 and 1, not {player}")
    return player


def last_after_player(name: str, arguments: Sequence[Any]) -> Any:
    """Return the last of one or two arguments, of which the first of two is a player."""
    if len(arguments) not in (1, 2):
        raise TypeError(f"{name} takes one argument, with or without a player before it")
    if len(arguments) == 2:
        as_player(arguments[0])
    return arguments[-1]


# ---- parameters (all refusals are ValueErrors that name the parameter and what is allowed)


def check_names(game: str, given: Mapping[str, object], allowed: Sequence[str]) -> None:
    """Refuse a parameter that the game does not have."""
    for name in given:
        if name not in allowed:
            raise ValueError(f"{game} has no parameter {name!r}; it has {', '.join(allowed)}")


def int_parameter(name: str, value: object, low: int, high: int = LARGEST_COUNT) -> int:
    """Read an integer from low to high: an int, a numpy integer or a string such as "7"."""
    allowed = f"an integer from {low} to {high}"
    if high == LARGEST_COUNT:
        allowed = f"an integer, {low} or more"
    number = _as_integer(value)
    if number is None or not low <= number <= high:
        raise ValueError(f"parameter {name!r} must be {allowed}, not {value!r}")
    return number


def repetition_parameter(name: str, value: object) -> int:
    """Read a number of occurrences: 0 (off), or 2 or more."""
    number = _as_integer(value)
    if number is None or number == 1 or not 0 <= number <= LARGEST_COUNT:
        raise ValueError(
            f"parameter {name!r} must be 0 (off) or an integer, 2 or more, not {value!r}"
        )
    return number


def bool_parameter(name: str, value: object) -> bool:
    """Read True or False, also as "true" or "false"."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in ("true", "false"):
        return value == "true"
    raise ValueError(f"parameter {name!r} must be true or false, not {value!r}")


def choice_parameter(name: str, value: object, choices: Sequence[str]) -> str:
    """Read one of a few words."""
    if isinstance(value, str) and value in choices:
        return value
    raise ValueError(f"parameter {name!r} must be one of {', '.join(choices)}, not {value!r}")


def grid_parameter(name: str, value: object, low: int, high: int) -> tuple[int, int]:
    """Read the size of a grid, "8x7" or (8, 7), as (width, height), each from low to high."""
    parts: Sequence[object] = ()
    if isinstance(value, str):
        parts = value.split("x")
    elif isinstance(value, (tuple, list)) and not any(isinstance(part, str) for part in value):
        parts = value
    numbers = [_as_integer(part) for part in parts]
    sides = [number for number in numbers if number is not None and low <= number <= high]
    if len(numbers) == len(sides) == 2:
        return sides[0], sides[1]
    raise ValueError(
        f"parameter {name!r} must be a width and a height from {low} to {high},"
        f' "8x7" or (8, 7), not {value!r}'
    )


def points_parameter(name: str, value: object, board: CoordinateBoard) -> list[str]:
    """Read a list of different points, ["d4", "f6"] or "d4,f6" (any case), as they were given.

    The normal form is in lower case; an empty list or string is the empty list.
    """
    parts: Sequence[object] | None = None
    if isinstance(value, str):
        parts = value.split(",") if value else []
    elif isinstance(value, (list, tuple)):
        parts = value
    if parts is None:
        raise ValueError(
            f'parameter {name!r} must be a list of points, ["d4", "f6"] or "d4,f6", not {value!r}'
        )
    points: list[str] = []
    for part in parts:
        point = part.lower() if isinstance(part, str) else None
        if point is None or point not in board.index:
            raise ValueError(
                f"parameter {name!r} must be a list of points from {board.cells[0]} to"
                f" {board.cells[-1]}; {part!r} is not one"
            )
        if point in points:
            raise ValueError(
                f"parameter {name!r} must be a list of different points: {point} twice"
            )
        points.append(point)
    return points


def _as_integer(value: object) -> int | None:
    """Return an integer, or the integer a decimal string writes; None for anything else."""
    if isinstance(value, str):
        # As in position strings: no sign and no leading zeros; seven digits write LARGEST_COUNT.
        if not (value.isascii() and value.isdigit()) or len(value) > 7 or str(int(value)) != value:
            return None
        return int(value)
    try:
        return as_index(value, "it")
    except TypeError:
        return None


# ---- position strings (all refusals are ValueErrors that name the field)


def split_fields(text: str, names: Sequence[str]) -> list[str]:
    """Split a position string at single spaces into as many fields as there are names."""
    fields = text.split(" ")
    if len(fields) != len(names) or "" in fields:
        raise ValueError(
            f"position: expected {len(names)} fields separated by one space"
            f" ({', '.join(names)}), not {text!r}"
        )
    return fields


def choice_field(name: str, text: str, choices: Sequence[str]) -> str:
    """Read a field that is one of a few words."""
    if text not in choices:
        raise ValueError(f"position, {name}: expected one of {' '.join(choices)}, not {text!r}")
    return text


def count_field(name: str, text: str) -> int:
    """Read a field that is a number from 0 to LARGEST_COUNT, written without leading zeros."""
    number = _as_integer(text)
    if number is None or number > LARGEST_COUNT:
        raise ValueError(
            f"position, {name}: expected a number from 0 to {LARGEST_COUNT} without leading zeros,"
            f" not {text!r}"
        )
    return number


def read_rows(text: str, board: CoordinateBoard, separator: str = "") -> dict[str, str]:
    """Read the board field: each cell's text by its name, rows from the top, separated by "/".

    Cells are single characters, or separated by `separator` if one is given.
    """
    lines = text.split("/")
    if len(lines) != len(board.rows):
        raise ValueError(f"position, board: expected {len(board.rows)} rows, not {len(lines)}")
    found: dict[str, str] = {}
    for number, (line, row) in enumerate(zip(lines, board.rows, strict=True), start=1):
        parts = line.split(separator) if separator else list(line)
        if len(parts) != len(row):
            raise ValueError(
                f"position, board: row {number} from the top has {len(row)} cells,"
                f" but {line!r} has {len(parts)}"
            )
        found.update(zip(row, parts, strict=True))
    return found


def read_letters(text: str, board: CoordinateBoard, allowed: str) -> dict[str, str]:
    """Read the board field of a game with one letter a cell: the cells that are not empty."""
    found: dict[str, str] = {}
    for cell, letter in read_rows(text, board).items():
        if letter not in allowed and letter != ".":
            raise ValueError(
                f"position, board: {letter!r} on {cell} is none of . {' '.join(allowed)}"
            )
        if letter != ".":
            found[cell] = letter
    return found


def write_rows(contents: Mapping[str, str], board: CoordinateBoard, separator: str = "") -> str:
    """Write the board field; cells without contents are written "."."""
    return "/".join(separator.join(contents.get(cell, ".") for cell in row) for row in board.rows)


def listing(cells: Iterable[str], board: CoordinateBoard) -> str:
    """Write cells in the order of the board for a message: "d4", "d4 and f6", "a1, b2 and c3"."""
    names = sorted(cells, key=board.index.__getitem__)
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
