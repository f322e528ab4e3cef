#include <pybind11/stl.h>

#include <functional>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "quincunx/erased/serialize.hpp"

namespace quincunx::python {

namespace {

bool is_integer(py::handle value) { return PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr()); }

std::string integer_text(py::handle value) {
    return py::str(py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr())));
}

/// A parameter as the core reads it: as text, or as a list of texts. What no parameter can be is given as Python writes
/// it, for the core to refuse, which knows what is allowed.
GivenOptions::mapped_type to_option(const std::string& name, py::handle value) {
    if (PyBool_Check(value.ptr())) return value.ptr() == Py_True ? "true" : "false";
    if (py::isinstance<py::str>(value)) return to_text(value, name.c_str());
    if (is_integer(value)) return integer_text(value);
    if (py::isinstance<py::tuple>(value) || py::isinstance<py::list>(value)) {
        const auto items = value.cast<py::sequence>();
        if (items.size() == 2 && is_integer(items[0]) && is_integer(items[1])) {  // the size of a grid
            return integer_text(items[0]) + "x" + integer_text(items[1]);
        }
        std::vector<std::string> texts;
        for (const auto& item : items) {
            if (!py::isinstance<py::str>(item)) break;
            texts.push_back(to_text(item, name.c_str()));
        }
        if (texts.size() == items.size()) return texts;
    }
    return to_text(py::repr(value), name.c_str());
}

py::object to_python(const OptionValue& value) {
    return std::visit([](const auto& v) { return py::object(py::cast(v)); }, value);
}

py::dict parameters_of(const AnyGame& game) {
    py::dict dict;
    for (const auto& entry : game.parameters()) dict[py::str(entry.name)] = to_python(entry.value);
    return dict;
}

std::string representation(const PyGame& self) {
    std::string text = "load_game('" + self.game->name() + "'";
    for (const auto& [name, value] : parameters_of(*self.game)) {
        text += ", " + name.cast<std::string>() + "=" + py::repr(value).cast<std::string>();
    }
    return text + ")";
}

int observation_size(const PyGame& self) {
    const auto& shape = self.game->observation_shape();
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

PyGame load(py::handle name, const py::dict& parameters) {
    GivenOptions given;
    for (const auto& [key, value] : parameters) {
        const auto parameter = to_text(key, "the name of a parameter");
        given[parameter] = to_option(parameter, value);
    }
    return {load_game(to_text(name, "the name of a game"), given)};
}

PyObject* load_by_dict(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&] {
        if (count != 2 || !PyDict_Check(arguments[1])) throw py::type_error("_load_game takes a name and a dict");
        return py::cast(load(arguments[0], py::reinterpret_borrow<py::dict>(arguments[1]))).release().ptr();
    });
}

}  // namespace

void bind_game(py::module_& module) {
    py::class_<PyGame> game_class(module, "Game",
                                  "One of the five games with fixed parameters; made by `load_game`.\n\n"
                                  "Games are equal if name and parameters are. Rules: the rule sheet of each game.");
    forbid_new(game_class);
    game_class
        .def_property_readonly(
            "name", [](const PyGame& self) { return self.game->name(); }, "The name, as in `load_game`.")
        .def_property_readonly(
            "parameters", [](const PyGame& self) { return parameters_of(*self.game); },
            "A dict of every parameter in normal form: `load_game(game.name, **game.parameters) == game`.")
        .def(
            "get_parameters", [](const PyGame& self) { return parameters_of(*self.game); }, "The same as `parameters`.")
        .def(
            "num_players", [](const PyGame&) { return 2; }, "2.")
        .def(
            "num_distinct_actions", [](const PyGame& self) { return self.game->num_distinct_actions(); },
            "How many action ids there are: every action is an int from 0 to this number minus 1.")
        .def(
            "min_utility", [](const PyGame&) { return -1.0; }, "−1.0, a loss.")
        .def(
            "max_utility", [](const PyGame&) { return 1.0; }, "1.0, a win.")
        .def(
            "utility_sum", [](const PyGame&) { return 0.0; }, "0.0: what one player wins the other loses.")
        .def(
            "max_game_length", [](const PyGame& self) { return self.game->max_game_length(); },
            "The most plies a game can have; 0 where no bound is known and none is set.")
        .def(
            "max_move_number", [](const PyGame& self) { return self.game->max_game_length(); },
            "The same as `max_game_length()`.")
        .def(
            "max_history_length", [](const PyGame& self) { return self.game->max_game_length(); },
            "The same as `max_game_length()`.")
        .def(
            "max_chance_outcomes", [](const PyGame&) { return 0; }, "0: no game here has chance.")
        .def(
            "max_chance_nodes_in_history", [](const PyGame&) { return 0; }, "0: no game here has chance.")
        .def(
            "observation_tensor_shape", [](const PyGame& self) { return self.game->observation_shape(); },
            "The shape of `State.observation_tensor`, a list of ints.")
        .def("observation_tensor_size", &observation_size, "How many numbers `State.observation_tensor` has.")
        .def(
            "information_state_tensor_shape", [](const PyGame& self) { return std::vector{observation_size(self)}; },
            "The shape of `State.information_state_tensor`, which is flat.")
        .def("information_state_tensor_size", &observation_size,
             "How many numbers `State.information_state_tensor` has.")
        .def(
            "policy_tensor_shape", [](const PyGame& self) { return std::vector{self.game->num_distinct_actions()}; },
            "The shape of a policy: a probability for each action id.")
        .def(
            "new_initial_state",
            [](const PyGame& self, const py::object& position) {
                return PyState{position.is_none() ? self.game->initial()
                                                  : self.game->parse(to_text(position, "position"))};
            },
            py::arg("position") = py::none(),
            "The start of a game, or the position read from a position string.\n\n"
            "Raises PositionError (a ValueError), naming the field, if the string is malformed or impossible.")
        .def(
            "new_initial_states", [](const PyGame& self) { return std::vector{PyState{self.game->initial()}}; },
            "A list of the one state that a game starts from.")
        .def(
            "deserialize_state",
            [](const PyGame& self, py::handle text) {
                return PyState{deserialize(*self.game, to_text(text, "a serialized state"))};
            },
            py::arg("text"),
            "The state that `State.serialize` wrote, with its past. Raises PositionError, ParameterError or\n"
            "IllegalActionError (all ValueError) for text that it did not write.")
        .def(
            "action_to_string",
            [](const PyGame& self, py::handle action) {
                return self.game->action_to_string(self.game->checked_id(to_integer(action, "action")));
            },
            py::arg("action"), "The text of an action id, legal now or not. Raises ValueError if out of range.")
        .def(
            "action_to_string",
            [](const PyGame& self, py::handle player, py::handle action) {
                to_player(player);
                return self.game->action_to_string(self.game->checked_id(to_integer(action, "action")));
            },
            py::arg("player"), py::arg("action"), "The same; the text does not depend on the player.")
        .def(
            "string_to_action",
            [](const PyGame& self, py::handle text) { return self.game->string_to_action(to_text(text, "text")); },
            py::arg("text"), "The id of an action text. Raises ActionTextError (a ValueError) if it denotes none.")
        .def(
            "__eq__", [](const PyGame& self, const PyGame& other) { return self.game->same_as(*other.game); },
            py::is_operator())
        .def("__hash__",
             [](const PyGame& self) {
                 return py::hash(py::make_tuple(self.game->name(), py::repr(parameters_of(*self.game))));
             })
        .def("__repr__", &representation)
        .def("to_string", &representation, "The call that makes this game, as `repr` gives it.")
        .def("__reduce__", [module](const PyGame& self) {
            return py::make_tuple(module.attr("_load_game"),
                                  py::make_tuple(self.game->name(), parameters_of(*self.game)));
        });
    static PyMethodDef functions[] = {
        {"_load_game", as_method(&load_by_dict), METH_FASTCALL, "For pickles: `load_game`, the parameters as a dict."},
        {}};
    add_functions(module, functions);

    module.def(
        "registered_names",
        [] {
            std::vector<std::string> names;
            for (const auto& info : registered_games()) names.push_back(info.name);
            return names;
        },
        "The names of the games, sorted.");
    module.def(
        "load_game", [](py::handle name, const py::kwargs& parameters) { return load(name, parameters); },
        py::arg("name"),
        "The game of that name with the given parameters.\n\n"
        "Values may also be the strings a command line gives (`size=\"7\"`, `pie=\"false\"`). Raises ParameterError\n"
        "(a ValueError) for an unknown game or parameter, a wrong type or a value out of range, naming it and what\n"
        "is allowed. `quincunx games` lists the parameters.");
    module.def(
        "_game_infos",
        [] {
            py::list all;
            for (const auto& info : registered_games()) {
                py::list parameters;
                const auto game = load_game(info.name, {});
                for (const auto& entry : game->parameters()) {
                    parameters.append(py::make_tuple(entry.name, to_python(entry.value), entry.allowed, entry.meaning));
                }
                all.append(py::make_tuple(info.name, info.title, info.credit, parameters));
            }
            return all;
        },
        "For `quincunx games`: (name, title, credit, [(parameter, default, allowed, meaning), …]) of every game.");
}

}  // namespace quincunx::python
