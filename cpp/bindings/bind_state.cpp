#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "quincunx/erased/serialize.hpp"

namespace quincunx::python {

namespace {

/// Pickles carry it; a pickle of another format is refused.
constexpr int pickle_format = 1;

const AnyState& of(const PyState& self) { return *self.state; }
const AnyGame& game_of(const PyState& self) { return self.state->game(); }

Action to_action(const PyState& self, py::handle action) {
    return game_of(self).checked_id(to_integer(action, "action"));
}

py::array_t<bool> legal_actions_mask(const PyState& self, const py::object& player) {
    const int size = game_of(self).num_distinct_actions();
    py::array_t<bool> mask(size);
    auto* data = reinterpret_cast<std::uint8_t*>(mask.mutable_data());
    if (player.is_none() || to_player(player) == current_player(self)) {
        self.state->legal_mask({data, static_cast<std::size_t>(size)});
    } else {
        std::fill_n(data, size, 0);
    }
    return mask;
}

void undo(PyState& self) {
    if (!self.state->parent()) throw ParameterError("there is no action to take back");
    self.state = self.state->parent();
}

void undo_action(PyState& self, py::handle player, py::handle action) {
    const int by = to_player(player);
    const Action last = to_action(self, action);
    if (!self.state->parent()) throw ParameterError("there is no action to take back");
    if (last != self.state->last_action() || by != self.state->parent()->current_player()) {
        throw ParameterError("the last action was " + game_of(self).action_to_string(self.state->last_action()) +
                             " by player " + std::to_string(self.state->parent()->current_player()) + ", not " +
                             game_of(self).action_to_string(last) + " by player " + std::to_string(by));
    }
    undo(self);
}

double player_return(const PyState& self, int player) { return quincunx::player_return(self.state->outcome(), player); }

std::string history_text(const PyState& self) {
    std::string text;
    for (const Action action : of(self).history()) text += (text.empty() ? "" : ", ") + std::to_string(action);
    return text;
}

/// The plies since the start, each as a PlayerAction.
py::list full_history(const PyState& self, py::handle player_action) {
    py::list plies;
    for (const auto* state = self.state.get(); state->parent(); state = state->parent().get()) {
        plies.append(player_action(state->parent()->current_player(), state->last_action()));
    }
    plies.attr("reverse")();
    return plies;
}

/// For the observation: the given player, else the one to move, else (at the end of the game) player 0.
int observer(const PyState& self, const py::object& player) {
    if (!player.is_none()) return to_player(player);
    return self.state->is_terminal() ? 0 : self.state->current_player();
}

py::array_t<float> observation_tensor(const PyState& self, const py::object& player) {
    const int who = observer(self, player);
    py::array_t<float> tensor(game_of(self).observation_shape());
    self.state->observe(who, {tensor.mutable_data(), static_cast<std::size_t>(tensor.size())});
    return tensor;
}

std::string information_state_string(const PyState& self, const py::object& player) {
    observer(self, player);
    const auto& first = first_of_line(of(self));
    // Two lines of play with the same actions differ if they began in different positions.
    return (first.equals(*game_of(self).initial()) ? "" : first.position() + ": ") + history_text(self);
}

py::list information_state_tensor(const PyState& self, const py::object& player) {
    const auto tensor = observation_tensor(self, player);
    py::list numbers(tensor.size());
    for (py::ssize_t i = 0; i < tensor.size(); ++i) numbers[i] = py::float_(tensor.data()[i]);
    return numbers;
}

py::tuple to_pickle(const PyState& self) {
    return py::make_tuple(pickle_format, PyGame{game_of(self).shared_from_this()}, first_of_line(of(self)).position(),
                          of(self).history());
}

PyObject* restore(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&] {
        if (count != 4 || !py::isinstance<PyGame>(arguments[1])) {
            throw py::type_error("_restore_state takes a format number, a game, a position and actions");
        }
        if (to_integer(arguments[0], "format") != pickle_format) {
            throw ParameterError("this pickle of a State is of another format");
        }
        const auto& game = *py::cast<const PyGame&>(arguments[1]).game;
        auto state = game.parse(to_text(arguments[2], "position"));
        for (const auto action : py::reinterpret_borrow<py::object>(arguments[3])) {
            state = state->child(game.checked_id(to_integer(action, "action")));
        }
        return py::cast(PyState{state}).release().ptr();
    });
}

}  // namespace

void bind_state(py::module_& module) {
    const py::object player_action =
        py::module_::import("collections")
            .attr("namedtuple")("PlayerAction", std::vector{"player", "action"}, py::arg("module") = "quincunx");
    player_action.attr("__doc__") = "A ply: who played it, and the action id.";
    module.attr("PlayerAction") = player_action;
    py::class_<PyState> state_class(
        module, "State",
        "A position in a game, with the plies that led to it; made by `Game.new_initial_state`.\n\n"
        "The names are OpenSpiel's. `apply_action` and `undo` change the object; what `clone` and `child`\n"
        "return is independent of it. States are equal if game, position and outcome are (the plies\n"
        "before are not compared), and hash accordingly: do not play on a state used as a key.");
    state_class
        .def(
            "get_game", [](const PyState& self) { return PyGame{game_of(self).shared_from_this()}; }, "The game.")
        .def(
            "num_players", [](const PyState&) { return 2; }, "2.")
        .def(
            "num_distinct_actions", [](const PyState& self) { return game_of(self).num_distinct_actions(); },
            "How many action ids the game has.")
        .def(
            "is_chance_node", [](const PyState&) { return false; }, "False: no game here has chance.")
        .def(
            "is_simultaneous_node", [](const PyState&) { return false; }, "False: players move in turn.")
        .def(
            "is_mean_field_node", [](const PyState&) { return false; }, "False: no game here is a mean field game.")
        .def(
            "is_player_node", [](const PyState& self) { return !of(self).is_terminal(); },
            "True while the game is running.")
        .def(
            "is_initial_state", [](const PyState& self) { return !of(self).parent(); },
            "True at the start or the position read.")
        .def("legal_actions_mask", &legal_actions_mask, py::arg("player") = py::none(),
             "The legal actions as a new numpy array: bool, shape (num_distinct_actions(),).")
        .def(
            "action_to_string",
            [](const PyState& self, py::handle action) {
                return game_of(self).action_to_string(to_action(self, action));
            },
            py::arg("action"), "The text of an action id, legal now or not. Raises ValueError if out of range.")
        .def(
            "action_to_string",
            [](const PyState& self, py::handle player, py::handle action) {
                to_player(player);
                return game_of(self).action_to_string(to_action(self, action));
            },
            py::arg("player"), py::arg("action"), "The same; the text does not depend on the player.")
        .def(
            "string_to_action",
            [](const PyState& self, py::handle text) { return game_of(self).string_to_action(to_text(text, "text")); },
            py::arg("text"),
            "The id of an action text, legal now or not. Raises ActionTextError (a ValueError) if it denotes none.")
        .def(
            "string_to_action",
            [](const PyState& self, py::handle player, py::handle text) {
                to_player(player);
                return game_of(self).string_to_action(to_text(text, "text"));
            },
            py::arg("player"), py::arg("text"), "The same; the text does not depend on the player.")
        .def("undo", &undo, "Takes the last action back. Raises ValueError at the start or at the position read.")
        .def("undo_action", &undo_action, py::arg("player"), py::arg("action"),
             "Takes the last action back, which must be `action` by `player`. Raises ValueError if it is not.")
        .def(
            "rewards",
            [](const PyState& self) { return std::vector<double>{player_return(self, 0), player_return(self, 1)}; },
            "What the last action earned: the same as `returns()`, for only the last action earns anything.")
        .def(
            "player_return",
            [](const PyState& self, py::handle player) { return player_return(self, to_player(player)); },
            py::arg("player"), "`returns()[player]`.")
        .def(
            "player_reward",
            [](const PyState& self, py::handle player) { return player_return(self, to_player(player)); },
            py::arg("player"), "`rewards()[player]`.")
        .def(
            "history", [](const PyState& self) { return of(self).history(); },
            "The action ids played since the start or the position read.")
        .def(
            "move_number", [](const PyState& self) { return of(self).move_number(); },
            "How many actions were played since the start or the position read.")
        .def("history_str", &history_text, "The action ids played, as text: \"4, 0\".")
        .def(
            "full_history", [player_action](const PyState& self) { return full_history(self, player_action); },
            "The plies since the start or the position read, each a PlayerAction.")
        .def(
            "serialize", [](const PyState& self) { return serialize(of(self)); },
            "The state with its past as text: the position that play began from and, a line each, the action ids\n"
            "since. `Game.deserialize_state` reads it.")
        .def(
            "turns",
            [](const PyState& self) {
                std::vector<std::string> texts;
                for (auto& [text, after] : of(self).turns()) texts.push_back(std::move(text));
                return texts;
            },
            "Every complete turn as text, in the order of action ids: one action, or `e5 d4-e4` in Unmergo.")
        .def(
            "apply_turn",
            [](PyState& self, py::handle text) { self.state = of(self).child_by_turn(to_text(text, "text")); },
            py::arg("text"),
            "Plays one complete turn; an Unmergo placement alone declines the stone move.\n\n"
            "Raises ActionTextError or IllegalActionError (both ValueError), the state unchanged.")
        .def(
            "explain", [](const PyState& self, py::handle text) { return of(self).explain(to_text(text, "text")); },
            py::arg("text"),
            "None if the action text is legal now, else one sentence naming the rule it breaks and where.")
        .def(
            "ending",
            [](const PyState& self) -> std::optional<std::string> {
                if (!of(self).is_terminal()) return std::nullopt;
                return of(self).ending();
            },
            "How the game ended, in one sentence; None while it is running.")
        .def(
            "position", [](const PyState& self) { return of(self).position(); },
            "The position string: `new_initial_state(position)` reads it back.")
        .def("observation_tensor", &observation_tensor, py::arg("player") = py::none(),
             "What a player sees, as a new numpy array: float32, shape `Game.observation_tensor_shape()`.\n\n"
             "`player` is 0 or 1, by default the one to move (player 0 when the game is over). The planes are\n"
             "listed for each game in `docs/games/`.")
        .def(
            "observation_string",
            [](const PyState& self, const py::object& player) {
                observer(self, player);
                return of(self).position();
            },
            py::arg("player") = py::none(), "The position string: both players see everything.")
        .def("information_state_string", &information_state_string, py::arg("player") = py::none(),
             "All that a player knows: the action ids played, after the position that play began from if that is\n"
             "not the start of the game. Both players know everything.")
        .def("information_state_tensor", &information_state_tensor, py::arg("player") = py::none(),
             "The numbers of `observation_tensor` as a flat list of floats. The plies before are not in it.")
        .def(
            "resample_from_infostate",
            [](const PyState& self, py::handle player, const py::object&) {
                to_player(player);
                return self;
            },
            py::arg("player"), py::arg("sampler") = py::none(),
            "A copy: a player knows the whole state, so there is nothing to sample.")
        .def(
            "hash", [](const PyState& self) { return of(self).hash(); },
            "64 bits, equal for equal states of a game and the same in every process.")
        .def("__hash__", [](const PyState& self) { return static_cast<py::ssize_t>(of(self).hash() >> 2); })
        .def(
            "__eq__", [](const PyState& self, const PyState& other) { return of(self).equals(of(other)); },
            py::is_operator())
        .def("__copy__", [](const PyState& self) { return self; })
        .def(
            "__deepcopy__", [](const PyState& self, const py::dict&) { return self; }, py::arg("memo"))
        .def("__repr__",
             [](const PyState& self) {
                 return py::repr(py::cast(PyGame{game_of(self).shared_from_this()})).cast<std::string>() +
                        ".new_initial_state('" + of(self).position() + "')";
             })
        .def("__reduce__",
             [module](const PyState& self) { return py::make_tuple(module.attr("_restore_state"), to_pickle(self)); });
    static PyMethodDef functions[] = {{"_restore_state", as_method(&restore), METH_FASTCALL,
                                       "For pickles: a state from the format number, game, position and actions."},
                                      {}};
    add_functions(module, functions);
    forbid_new(state_class);
    add_fast_methods(state_class);
}

}  // namespace quincunx::python
