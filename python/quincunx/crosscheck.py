"""The core against the pure-Python reference: random games on both, side by side.

`crosscheck` plays games move by move on the C++ core and on `quincunx.reference` and compares, at
every ply, everything that both can tell. Where they disagree it looks for the shortest way there,
which is what a person needs to find out which of the two is wrong.
"""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quincunx import _core, reference
from quincunx.text import option_text

__all__ = ["Disagreement", "Report", "crosscheck"]

# States of the core and of the reference: they share names, but no base class.
_State = Any

# One ply in so many gets the costlier checks as well: undo, clone, reading, an illegal action.
_THOROUGH_EVERY = 8
# How many plies may be compared to shorten one disagreement.
_SHRINKING_BUDGET = 2000
# How many of the remaining games are searched for a shorter disagreement.
_FURTHER_GAMES = 10


@dataclass(frozen=True)
class Disagreement:
    """Where core and reference disagree: after `moves` from `position` (None: the start)."""

    game: str
    parameters: Mapping[str, object]
    position: str | None
    moves: tuple[str, ...]
    what: str
    """What they disagree about: "legal actions", "returns", "undo", …"""
    core: str
    """What the core says."""
    reference: str
    """What the reference says."""

    @property
    def command(self) -> str:
        """The command that shows the state in question."""
        words = ["quincunx", "show", self.game]
        for name, value in self.parameters.items():
            words += ["-p", f"{name}={option_text(value)}"]
        if self.position is not None:
            words += ["--position", self.position]
        if self.moves:
            words += ["--moves", ",".join(self.moves)]
        return shlex.join(words)

    def __str__(self) -> str:
        """Return the command to reproduce it and what each side says, in four lines."""
        return (
            f"core and reference disagree about: {self.what}\n"
            f"  reproduce: {self.command}\n"
            f"  core:      {self.core}\n"
            f"  reference: {self.reference}"
        )


@dataclass(frozen=True)
class Report:
    """What a crosscheck did: it is true if core and reference agreed throughout."""

    game: str
    parameters: Mapping[str, object]
    games: int
    plies: int
    disagreement: Disagreement | None = None

    def __bool__(self) -> bool:
        """Return whether there was no disagreement."""
        return self.disagreement is None


def crosscheck(
    game: str,
    parameters: Mapping[str, object] | None = None,
    games: int = 100,
    seed: int = 0,
    position: str | None = None,
    max_plies: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Play random games on core and reference and compare them at every ply.

    Game i depends on the seed and on i alone. `max_plies` cuts each game off (0: no limit).
    `on_progress` is called after every ply with the games finished and the plies played so far.
    The first disagreement ends the check, apart from a search for a shorter one, which Ctrl-C
    cuts short.
    Raises ValueError for parameters or a position that the core refuses.
    """
    given = dict(parameters or {})
    checker = _Checker(game, given)
    normal = checker.core.parameters
    done = plies = 0

    def tell(ply: int) -> None:
        if on_progress:
            on_progress(done, plies + ply)

    shortest: _Finding | None = checker.compare_reading(position)
    last = games if shortest is None else 0
    try:
        while done < last:
            rng = random.Random(f"{seed}/{done}")
            finding, played = checker.play(position, rng, max_plies, tell)
            done += 1
            plies += played
            if finding is None:
                continue
            if shortest is None:
                last = min(games, done + _FURTHER_GAMES)
            for found in checker.shrink(finding):
                if shortest is None or found.case.size < shortest.case.size:
                    shortest = found
    except KeyboardInterrupt:
        # A disagreement must not be lost with the search for a shorter one.
        if shortest is None:
            raise
    tell(0)
    disagreement = shortest.disagreement(game, given) if shortest else None
    return Report(game, normal, done, plies, disagreement)


@dataclass(frozen=True)
class _Case:
    """A way to a state: some actions, by their texts, from a position (None: the start)."""

    position: str | None
    moves: tuple[str, ...]

    @property
    def size(self) -> tuple[int, int, int]:
        """What is to be made as small as possible: actions and pieces, actions, text."""
        text = self.position or ""
        pieces = len(re.findall("[a-zA-Z]", text.split(" ")[0]))
        return len(self.moves) + pieces, len(self.moves), len(text)


@dataclass(frozen=True)
class _Difference:
    """What two states disagree about, and whether only the costlier checks can tell."""

    what: str
    core: str
    reference: str
    thorough: bool = False


@dataclass(frozen=True)
class _Finding:
    """A difference and a case that leads to it."""

    case: _Case
    difference: _Difference

    def disagreement(self, game: str, parameters: Mapping[str, object]) -> Disagreement:
        """Return the finding with everything that is needed to tell it."""
        difference = self.difference
        return Disagreement(
            game,
            parameters,
            self.case.position,
            self.case.moves,
            difference.what,
            difference.core,
            difference.reference,
        )


@dataclass(frozen=True)
class _Raised:
    """An answer that was an exception. The words of the two sides differ and may differ."""

    kind: str
    message: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Raised) and self.kind == other.kind

    def __str__(self) -> str:
        return f"raises {self.kind}: {self.message}"


def _ask(question: Callable[..., Any], *about: object) -> Any:
    """Return the answer, or the exception as an answer: a failure of one side is a difference."""
    try:
        return question(*about)
    except Exception as error:
        kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
        return _Raised(kind, str(error))


def _play(state: _State, move: str) -> None:
    state.apply_action(state.string_to_action(move))


def _legal_texts(state: _State) -> dict[int, str]:
    return {action: state.action_to_string(action) for action in state.legal_actions()}


# What is compared at every ply. The order matters: the first difference is the one that is told.
_QUESTIONS: tuple[tuple[str, Callable[[_State], Any]], ...] = (
    ("position", lambda state: state.position()),
    ("end of the game", lambda state: state.is_terminal()),
    ("player to move", lambda state: state.current_player()),
    ("returns", lambda state: list(state.returns())),
    ("legal actions", _legal_texts),
)


def _snapshot(state: _State) -> list[Any]:
    return [*(_ask(question, state) for _, question in _QUESTIONS), list(state.history())]


def _tell(answer: Any, other: Any) -> str:
    """Write an answer for a person; of legal actions, those that the other side has not."""
    if not isinstance(answer, dict) or not isinstance(other, dict):
        return str(answer)
    extra = [f"{text} (action {n})" for n, text in answer.items() if other.get(n) != text]
    if not extra:
        return f"{len(answer)} legal actions, all of which the other side has too"
    shown = ", ".join(extra[:8]) + (", …" if len(extra) > 8 else "")
    return f"{len(answer)} legal actions, among them {len(extra)} of its own: {shown}"


def _compare(core: _State, mirror: _State) -> _Difference | None:
    """Return the first of the questions that the two answer differently."""
    for what, question in _QUESTIONS:
        a, b = _ask(question, core), _ask(question, mirror)
        if a != b:
            return _Difference(what, _tell(a, b), _tell(b, a))
    return None


# ---- the costlier checks: each returns "" or what is wrong with a state; `chance` is seeded with
# the position, so that a check made again does the same.


def _check_clone(state: _State, chance: random.Random) -> str:
    before = _snapshot(state)
    copy = state.clone()
    if _snapshot(copy) != before:
        return "a clone is not the same as its original"
    if actions := state.legal_actions():
        copy.apply_action(chance.choice(actions))
        if _snapshot(state) != before:
            return "playing on a clone changes the original"
    return ""


def _check_undo(state: _State, chance: random.Random) -> str:
    before, copy = _snapshot(state), state.clone()
    if actions := copy.legal_actions():
        action = chance.choice(actions)
        copy.apply_action(action)
        copy.undo()
        if _snapshot(copy) != before:
            return f"after {state.action_to_string(action)} and undo the state is another"
    if history := copy.history():
        copy.undo()
        copy.apply_action(history[-1])
        if _snapshot(copy) != before:
            return "after undo and playing the last action again the state is another"
    return ""


def _check_reading(state: _State, _: random.Random) -> str:
    position = state.position()
    read = state.get_game().new_initial_state(position).position()
    return "" if read == position else f"its position reads back as {read}"


def _check_turn(state: _State, chance: random.Random) -> str:
    if actions := state.legal_actions():
        text = state.action_to_string(chance.choice(actions))
        objection = state.explain(text)
        if objection is not None:
            return f"{text} is legal, but explain says: {objection}"
        answer = _ask(state.clone().apply_turn, text)
        if answer is not None:
            return f"{text} is legal, but as a turn it {answer}"
    return ""


def _check_refusal(state: _State, chance: random.Random) -> str:
    illegal = set(range(state.num_distinct_actions())) - set(state.legal_actions())
    if not illegal:
        return ""
    action, before = chance.choice(sorted(illegal)), _snapshot(state)
    copy = state.clone()
    answer = _ask(copy.apply_action, action)
    if answer != _Raised("ValueError", ""):
        return f"action {action} is not legal, but playing it {answer or 'succeeds'}"
    if _snapshot(copy) != before:
        return f"refusing action {action} has changed the state"
    text = _ask(state.action_to_string, action)
    if isinstance(text, str) and state.explain(text) is None:
        return f"{text} is not legal, but explain finds nothing against it"
    return ""


_CHECKS: tuple[tuple[str, Callable[[_State, random.Random], str]], ...] = (
    ("clone", _check_clone),
    ("undo", _check_undo),
    ("reading its own position", _check_reading),
    ("playing a turn", _check_turn),
    ("refusing an illegal action", _check_refusal),
)


class _Checker:
    """One game with its parameters on both sides."""

    def __init__(self, game: str, parameters: Mapping[str, object]) -> None:
        """Load the game on both sides; ValueError if the core or the reference refuses."""
        self.core: Any = _core.load_game(game, **parameters)
        self.mirror: Any = reference.load_game(game, **parameters)
        self.budget = 0

    def start(self, position: str | None) -> tuple[Any, Any]:
        """Return the state at the start or at a position, or the exception, of both sides."""
        return (
            _ask(self.core.new_initial_state, position),
            _ask(self.mirror.new_initial_state, position),
        )

    def compare_reading(self, position: str | None) -> _Finding | None:
        """Return the difference if one side refuses the position; ValueError if both do."""
        core, mirror = self.start(position)
        if isinstance(core, _Raised) and core == mirror:
            raise ValueError(core.message)
        if isinstance(core, _Raised) or isinstance(mirror, _Raised):
            a, b = (
                str(answer) if isinstance(answer, _Raised) else "accepts it"
                for answer in (core, mirror)
            )
            return _Finding(_Case(position, ()), _Difference("reading the position", a, b))
        return None

    def examine(self, core: _State, mirror: _State, thorough: bool) -> _Difference | None:
        """Compare two states; with `thorough`, put each through the costlier checks as well."""
        difference = _compare(core, mirror)
        if difference is not None or not thorough:
            return difference
        for what, check in _CHECKS:
            seed = core.position()
            answers = [_ask(check, side, random.Random(seed)) for side in (core, mirror)]
            if any(answers):
                a, b = (str(answer) or "nothing amiss" for answer in answers)
                return _Difference(what, a, b, thorough=True)
        return self.compare_read_back(core.position())

    def compare_read_back(self, position: str) -> _Difference | None:
        """Compare the states that both sides read from a position."""
        difference = _compare(*self.start(position))
        if difference is None:
            return None
        what = f"{difference.what}, reading the position"
        return _Difference(what, difference.core, difference.reference, thorough=True)

    def play(
        self,
        position: str | None,
        rng: random.Random,
        max_plies: int,
        on_ply: Callable[[int], None],
    ) -> tuple[_Finding | None, int]:
        """Play one random game; return the difference, if any, and the number of plies."""
        core, mirror = self.start(position)
        moves: list[str] = []
        while True:
            difference = self.examine(core, mirror, rng.randrange(_THOROUGH_EVERY) == 0)
            actions = [] if difference else core.legal_actions()
            if actions and not (max_plies and len(moves) >= max_plies):
                moves.append(core.action_to_string(rng.choice(actions)))
                difference = self.advance(core, mirror, moves[-1])
                on_ply(len(moves))
            elif difference is None:
                return None, len(moves)
            if difference is not None:
                return _Finding(_Case(position, tuple(moves)), difference), len(moves)

    def advance(self, core: _State, mirror: _State, move: str) -> _Difference | None:
        """Play an action, legal on both sides, on both; a difference if one of them refuses."""
        answers = [_ask(_play, side, move) for side in (core, mirror)]
        if answers == [None, None]:
            return None
        a, b = (f"{move} {'is played' if answer is None else answer}" for answer in answers)
        return _Difference("playing a legal action", a, b)

    # ---- the shortest reproduction

    def shrink(self, finding: _Finding) -> Iterator[_Finding]:
        """Yield the finding, then ever shorter ones that show a difference about the same."""
        self.budget = _SHRINKING_BUDGET
        shorter: _Finding | None = finding
        while shorter is not None:
            finding = shorter
            yield finding
            shorter = self.shorten(finding)

    def shorten(self, finding: _Finding) -> _Finding | None:
        """Return a shorter finding, None if none is found within the budget."""
        for case in self.smaller(finding.case):
            if self.budget <= 0:
                return None
            if case.size < finding.case.size:
                found = self.retry(case, finding.difference)
                if found is not None:
                    return found
        return None

    def smaller(self, case: _Case) -> Iterator[_Case]:
        """Yield cases with less in them: a later start, fewer actions, fewer pieces."""
        positions = self.positions(case)
        later = 0
        while later < len(case.moves):
            first = len(case.moves) - later
            if first < len(positions):
                yield _Case(positions[first], case.moves[first:])
            later = max(later + 1, later * 3 // 2)
        for moves in _without_some(case.moves):
            yield _Case(case.position, moves)
        if case.position is not None:
            for position in _with_fewer_pieces(self.core.name, case.position):
                yield _Case(position, case.moves)

    def positions(self, case: _Case) -> list[str]:
        """Return the position strings of the core along a case, as far as it can be played."""
        state = self.core.new_initial_state(case.position)
        found: list[str] = [state.position()]
        for move in case.moves:
            if isinstance(_ask(_play, state, move), _Raised):
                break
            found.append(state.position())
        return found

    def retry(self, case: _Case, wanted: _Difference) -> _Finding | None:
        """Return a difference like the one wanted if the case shows it, perhaps earlier on."""
        core, mirror = self.start(case.position)
        if isinstance(core, _Raised) or isinstance(mirror, _Raised):
            return None
        for played in range(len(case.moves) + 1):
            self.budget -= 1
            at_end = played == len(case.moves)
            difference = self.examine(core, mirror, at_end and wanted.thorough)
            if difference is None and not at_end:
                move = case.moves[played]
                if move not in _legal_texts(core).values():
                    return None
                difference = self.advance(core, mirror, move)
                if difference is not None:
                    played += 1
            if difference is not None:
                if difference.what != wanted.what:
                    return None
                return _Finding(_Case(case.position, case.moves[:played]), difference)
        return None


def _without_some(items: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the items without some neighbouring ones: without all, then fewer, at last one."""
    length = len(items)
    while length:
        # From the end: what came last is the least needed for what came before. Pairs matter, for
        # the players take turns.
        for start in range(len(items) - length, -1, -max(1, length // 2)):
            yield (*items[:start], *items[start + length :])
        length = 2 if length == 3 else length // 2


# How a cell that is not empty is written, where it is not one letter.
_CELLS = {"fano330": "[SsCc]+", "impedio": r"[wb]\d+"}


def _with_fewer_pieces(game: str, position: str) -> Iterator[str]:
    """Yield the position string with some cells emptied; the position may be impossible."""
    board, *fields = position.split(" ")
    # Every second part is a cell that is not empty.
    parts = re.split(f"({_CELLS.get(game, '[a-zA-Z]')})", board)
    for kept in _without_some([str(at) for at in range(1, len(parts), 2)]):
        cells = ["." if at % 2 and str(at) not in kept else part for at, part in enumerate(parts)]
        yield " ".join(["".join(cells), *fields])
