"""A game in the terminal, between persons and other players: `Session`.

A session draws the board, names the moves, and reads what persons type: moves, and commands such
as `undo` and `save`. It knows nothing of terminals: one function asks, another one says.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

from quincunx import _core
from quincunx.players import HumanPlayer, Player, choose, inform, name_of
from quincunx.records import Record, save
from quincunx.search_view import verdict
from quincunx.sgf import to_sgf
from quincunx.text import draw
from quincunx.turns import actions_in, in_turn, turns_of

__all__ = ["HINT_SECONDS", "Session", "save_game"]

HINT_SECONDS = 1
"""How long `quincunx play` searches for a hint."""

_COMMANDS = {
    "help": "this list",
    "board": "draws the board again",
    "legal": "lists the legal actions",
    "hint": f"the turn that a search would play, after {HINT_SECONDS} second",
    "undo": "takes back your last action, with what was played since",
    "resign": "gives the game up",
    "save FILE": "writes a record; a game of Meigo as SGF if the name ends in .sgf",
    "quit": "leaves",
}


class Session:
    """A game between two players, of which any may be a person (`HumanPlayer`)."""

    def __init__(
        self,
        state: _core.State,
        players: tuple[Player, Player],
        *,
        ask: Callable[[str], str | None],
        say: Callable[[str], object],
        hint: Callable[[_core.State], _core.SearchResult] | None = None,
    ) -> None:
        """Prepare a game from a state on.

        `ask` takes a prompt and returns a line, None at the end of all input; `say` takes lines to
        show; `hint` searches for the command of that name.
        """
        self.state = state.clone()
        self._players = players
        self._ask = ask
        self._say = say
        self._hint = hint
        self._resigned: int | None = None
        self._left = False
        self._saved: set[Path] = set()

    @property
    def over(self) -> bool:
        """Whether the game has ended, on the board or by resignation."""
        return self.state.is_terminal() or self._resigned is not None

    def record(self) -> Record:
        """Return the record of the game as it stands."""
        resigned = self._resigned
        return Record.of(
            self.state,
            players=(name_of(self._players[0]), name_of(self._players[1])),
            result=None if resigned is None else ("0-1", "1-0")[resigned],
            reason=None if resigned is None else "resignation",
            date=datetime.date.today(),
        )

    def run(self) -> None:
        """Play until the game ends, or a person leaves, or there is no more input."""
        self._say(draw(self.state))
        while not self.over and not self._left:
            actor = self.state.current_player()
            if isinstance(self._players[actor], HumanPlayer):
                self._let_person(actor)
            else:
                self._let_machine(actor)
        if self._resigned is not None:
            winner = self._who(1 - self._resigned)
            self._say(f"{self._who(self._resigned)} resigns: {winner} has won.")
        elif not self.over:
            self._say(f"the game is not finished: {self.state.position()}")

    def _who(self, player: int) -> str:
        return f"player {player} ({name_of(self._players[player])})"

    def _play(self, actor: int, actions: list[int]) -> None:
        """Play the actions of a turn, or part of it; name them and draw the board."""
        before = self.state.clone()
        for action in actions:
            inform(self._players[1 - actor], self.state, actor, action)
            self.state.apply_action(action)
        *_, (text, _) = turns_of(before, actions)
        self._say(f"\n{self._who(actor)}: {text.removesuffix(' ...')}\n")
        self._say(draw(self.state))

    def _let_machine(self, actor: int) -> None:
        player, state, actions = self._players[actor], self.state.clone(), []
        while True:
            action = choose(player, state)
            actions.append(action)
            state.apply_action(action)
            if not in_turn(state):
                break
        self._play(actor, actions)

    def _let_person(self, actor: int) -> None:
        line = self._ask(f"{self._who(actor)}> ")
        if line is None:
            self._left = True
            return
        command, _, argument = line.strip().partition(" ")
        if not command or command.startswith("#"):
            return
        if command == "save":
            self._save(argument.strip())
        elif command in self._commands:
            if argument:
                self._say(f"{command} takes nothing after it, not {_quoted(argument)}")
            else:
                self._commands[command](self)
        else:
            self._read_move(actor, line)

    def _read_move(self, actor: int, line: str) -> None:
        """Play what a line says, a complete turn or one action of it, or tell what is wrong."""
        state, actions = self.state.clone(), []
        words = actions_in(line)
        for number, word in enumerate(words):
            if number and not in_turn(state):
                self._say(f"{_quoted(word)} is too much: the turn ends with {words[number - 1]}")
                return
            problem = state.explain(word)
            if problem is not None:
                # The core itself quotes, and shortens, what is no action.
                self._say(problem if problem.startswith("'") else f"{word}: {problem}")
                return
            actions.append(state.string_to_action(word))
            state.apply_action(actions[-1])
        self._play(actor, actions)

    # -- the commands

    def _help(self) -> None:
        width = max(map(len, _COMMANDS))
        for name, meaning in _COMMANDS.items():
            self._say(f"  {name:{width}}  {meaning}")
        # What the core says of a text that is no action is how actions are written.
        _, _, notation = (self.state.explain("?") or "").partition(": ")
        self._say(f"  a move: {notation}")

    def _board(self) -> None:
        self._say(draw(self.state))

    def _legal(self) -> None:
        actions = [self.state.action_to_string(action) for action in self.state.legal_actions()]
        self._say(f"{len(actions)} legal: {' '.join(actions)}")

    def _give_hint(self) -> None:
        if self._hint is None:
            self._say("there are no hints here")
            return
        result = self._hint(self.state)
        # The rest of the turn too, and as it is to be typed.
        state, words = self.state.clone(), []
        for action in result.principal_variation:
            words.append(state.action_to_string(action))
            state.apply_action(action)
            if not in_turn(state):
                break
        self._say(f"hint: {' '.join(words)} ({verdict(result.value, result.proven)})")

    def _undo(self) -> None:
        state = self.state.clone()
        while state.move_number():
            state.undo()
            if isinstance(self._players[state.current_player()], HumanPlayer):
                self.state = state
                self._board()
                return
        self._say("there is nothing of yours to take back")

    def _resign(self) -> None:
        self._resigned = self.state.current_player()

    def _quit(self) -> None:
        self._left = True

    def _save(self, name: str) -> None:
        if not name:
            self._say("save takes the name of a file")
            return
        path = Path(name)
        try:
            path = path.expanduser()
            if path.exists() and path.resolve() not in self._saved:
                self._say(f"{path} exists already: it is left as it is")
                return
            save_game(path, self.record())
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: whose home is ~x?
            self._say(f"cannot save {path}: {getattr(error, 'strerror', None) or error}")
            return
        self._saved.add(path.resolve())
        self._say(f"saved in {path}")

    _commands = {  # noqa: RUF012
        "help": _help,
        "board": _board,
        "legal": _legal,
        "hint": _give_hint,
        "undo": _undo,
        "resign": _resign,
        "quit": _quit,
    }


def _quoted(text: str) -> str:
    """Return a text in quotes, cut if it is long, on one line."""
    return repr(text if len(text) <= 60 else f"{text[:60]}...")


def save_game(path: Path, record: Record) -> None:
    """Write one game to a file: as SGF if the name ends in .sgf, else as a record.

    Raises OSError, or ValueError for SGF of another game than Meigo.
    """
    if path.suffix.lower() == ".sgf":
        path.write_text(to_sgf(record), encoding="utf-8", newline="\n")
    else:
        save(path, [record])
