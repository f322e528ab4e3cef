#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"

namespace quincunx::python {

namespace {

struct PySymmetry {
    GameRef game;
    int number;
    SymmetryInfo info;
    py::object actions;  // made when it is first asked for
};

PySymmetry symmetry_of(const GameRef& game, int number) { return {game, number, game->symmetry(number), py::none()}; }

py::list symmetries(const PyGame& self) {
    py::list all;
    for (int number = 0; number < self.game->num_symmetries(); ++number) all.append(symmetry_of(self.game, number));
    return all;
}

StateRef state_of_same_game(const PySymmetry& self, py::handle position) {
    StateRef state = to_state(position);
    if (!self.game->same_as(state->game())) {
        throw ParameterError("the symmetry is one of another game or other parameters than the state");
    }
    return state;
}

py::object actions(PySymmetry& self) {
    if (self.actions.is_none()) {
        const int count = self.game->num_distinct_actions();
        py::array_t<std::int64_t> images(count);
        for (Action action = 0; action < count; ++action) {
            images.mutable_data()[action] = self.game->image(action, self.number);
        }
        images.attr("flags").attr("writeable") = false;
        self.actions = std::move(images);
    }
    return self.actions;
}

py::array_t<float> observation(const PySymmetry& self, py::handle tensor) {
    const auto& shape = self.game->observation_shape();
    const auto expected = [&shape] {
        return "observation must be an array of numbers of the shape " +
               py::str(py::tuple(py::cast(shape))).cast<std::string>() + " or of several such";
    };
    const auto floats = to_floats(tensor);
    if (!floats) throw py::type_error(expected() + ", not " + Py_TYPE(tensor.ptr())->tp_name);
    const FloatArray& from = *floats;
    const auto dimensions = static_cast<std::size_t>(from.ndim());
    if (dimensions < shape.size() ||
        !std::equal(shape.rbegin(), shape.rend(), std::make_reverse_iterator(from.shape() + dimensions))) {
        throw ParameterError(expected() + ", not of the shape " + py::str(from.attr("shape")).cast<std::string>());
    }
    py::array_t<float> to(std::vector<py::ssize_t>(from.shape(), from.shape() + dimensions));
    const auto size = static_cast<std::size_t>(from.size());
    self.game->image({from.data(), size}, {to.mutable_data(), size}, self.number);
    return to;
}

PyObject* restore(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&] {
        if (count != 2 || !py::isinstance<PyGame>(arguments[0])) {
            throw py::type_error("_restore_symmetry takes a game and a number");
        }
        const auto& game = py::handle(arguments[0]).cast<const PyGame&>().game;
        const int number = to_int_between(arguments[1], "number", 0, game->num_symmetries() - 1);
        return py::cast(symmetry_of(game, number)).release().ptr();
    });
}

}  // namespace

void bind_symmetry(py::module_& module) {
    py::class_<PySymmetry> symmetry_class(
        module, "Symmetry",
        "A symmetry of a game: a turn or reflection of the board, with the colours exchanged or not; made by\n"
        "`Game.symmetries`.\n\n"
        "It takes positions to positions, wherever the game started: what is legal before is legal, carried along,\n"
        "after, and the results are the same, those of the players exchanged if the colours are.");
    forbid_new(symmetry_class);
    symmetry_class
        .def_property_readonly(
            "name", [](const PySymmetry& self) { return self.info.name; },
            "What it does, such as \"mirrored and turned 60, colours exchanged\"; turns are counter-clockwise.")
        .def_property_readonly(
            "number", [](const PySymmetry& self) { return self.number; }, "Its index in `Game.symmetries()`.")
        .def_property_readonly(
            "exchanges_colours", [](const PySymmetry& self) { return self.info.exchanges_colours; },
            "Whether the colours are exchanged, and with them the players.")
        .def_property_readonly(
            "exchanges_shapes", [](const PySymmetry& self) { return self.info.exchanges_shapes; },
            "Whether coins and rings are exchanged (Fano330-R-Morris).")
        .def_property_readonly(
            "actions", &actions,
            "The image of every action id: numpy int64, shape (num_distinct_actions(),), read-only, a permutation.\n\n"
            "With `moved[..., symmetry.actions] = policy` a mask or policy is carried along.")
        .def(
            "action",
            [](const PySymmetry& self, py::handle action) {
                return self.game->image(self.game->checked_id(to_integer(action, "action")), self.number);
            },
            py::arg("action"), "The image of an action id, legal or not. Raises ValueError if it is out of range.")
        .def(
            "applies_to",
            [](const PySymmetry& self, py::handle state) {
                return state_of_same_game(self, state)->has_image(self.number);
            },
            py::arg("state"),
            "Whether the state has an image. It always has if the colours are not exchanged; else it has one where "
            "the\n"
            "rules treat the colours alike: everywhere in Unmergo and Impedio, in Unane with the pie rule once the "
            "swap\n"
            "has been made or passed by, in Fano330-R-Morris from the movement on, in Meigo after both first turns.\n"
            "If a state has an image, so have all that follow it. Raises ValueError for a state of another game.")
        .def(
            "state",
            [](const PySymmetry& self, py::handle state) {
                return PyState{state_of_same_game(self, state)->image(self.number)};
            },
            py::arg("state"),
            "The image of a state, a new one. The plies before come along, so that repetitions are counted as they\n"
            "were, back to the first that has an image: plies are counted from there.\n\n"
            "Raises ValueError if the symmetry does not apply to the state, or the state is of another game.")
        .def(
            "observation", &observation, py::arg("observation"),
            "The image of an observation, or of several: numpy float32 of the same shape, a new array.\n\n"
            "`observation` is an array of the shape of the game, or several in one. The image of what player p sees in "
            "a\n"
            "state is what p sees in the image of the state, or what 1 − p sees if the colours are exchanged.\n"
            "Raises ValueError or TypeError for an array of another shape or kind.")
        .def(
            "inverse", [](const PySymmetry& self) { return symmetry_of(self.game, self.info.inverse); },
            "The symmetry that leads back.")
        .def(
            "__eq__",
            [](const PySymmetry& self, const PySymmetry& other) {
                return self.number == other.number && self.game->same_as(*other.game);
            },
            py::is_operator())
        .def("__hash__",
             [](const PySymmetry& self) { return py::hash(py::make_tuple(self.game->name(), self.number)); })
        .def("__repr__",
             [](const PySymmetry& self) { return "<Symmetry of " + self.game->name() + ": " + self.info.name + ">"; })
        .def("__reduce__", [module](const PySymmetry& self) {
            return py::make_tuple(module.attr("_restore_symmetry"), py::make_tuple(PyGame{self.game}, self.number));
        });
    static PyMethodDef functions[] = {
        {"_restore_symmetry", as_method(&restore), METH_FASTCALL, "For pickles: a symmetry from its game and number."},
        {}};
    add_functions(module, functions);

    py::class_<PyGame>(module.attr("Game"))
        .def("symmetries", &symmetries,
             "The symmetries that the rules respect, a list of Symmetry, the identity first.\n\n"
             "12 of a hexagonal board, 8 of a square, 4 of another grid, 6 of the Fano plane as drawn and 168 with\n"
             "`adjacency=\"plane\"`; then those with the colours exchanged; for Fano330-R-Morris both also with coins\n"
             "and rings exchanged.");
    py::class_<PyState>(module.attr("State"))
        .def(
            "canonical_hash", [](const PyState& self) { return self.state->canonical().hash; },
            "64 bits, equal for states that are images of each other, and the same in every process.\n\n"
            "As with `hash`, the plies before do not count.")
        .def(
            "canonical",
            [](const PyState& self) {
                const int number = self.state->canonical().symmetry;
                return py::make_tuple(PyState{self.state->image(number)},
                                      symmetry_of(self.state->game().shared_from_this(), number));
            },
            "The state that stands for all images of this one, and the Symmetry that leads there.\n\n"
            "Equal for states that are images of each other. `symmetry.inverse().action(a)` carries an action back.");
}

}  // namespace quincunx::python
