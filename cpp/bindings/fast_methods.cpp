// The methods of State that an agent calls for every ply, written against Python's C interface: looking up a
// pybind11 overload costs more than the ply itself. They behave like every other method of the class.
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace quincunx::python {

namespace {

PyState& state_of(PyObject* self) {
    const auto* instance = reinterpret_cast<py::detail::instance*>(self);
    // Every State is made by this module (see forbid_new), so there is one, in the simple layout.
    return *static_cast<PyState*>(instance->simple_value_holder[0]);
}

// The Python class, and how pybind11 destroys an object of it.
PyTypeObject* state_type;
destructor pybind11_dealloc;

/// A new State, laid out as pybind11 would but not entered in its table of all objects, which serves to find the
/// Python object of a C++ one and costs more than making the object.
PyObject* new_state(StateRef ref) {
    auto* self = state_type->tp_alloc(state_type, 0);
    if (!self) throw py::error_already_set();
    auto* instance = reinterpret_cast<py::detail::instance*>(self);
    instance->simple_layout = true;
    instance->simple_instance_registered = false;
    instance->owned = true;
    auto* value = new PyState{std::move(ref)};
    instance->simple_value_holder[0] = value;
    new (&instance->simple_value_holder[1]) std::unique_ptr<PyState>(value);
    instance->simple_holder_constructed = true;
    return self;
}

/// The counterpart of `new_state`; whatever pybind11 itself made, or somebody refers to weakly, it destroys itself.
void dealloc(PyObject* self) {
    auto* instance = reinterpret_cast<py::detail::instance*>(self);
    if (!instance->simple_layout || instance->simple_instance_registered || instance->weakrefs) {
        pybind11_dealloc(self);
        return;
    }
    delete static_cast<PyState*>(instance->simple_value_holder[0]);
    state_type->tp_free(self);
    Py_DECREF(state_type);
}

/// The Python ints of the action ids below `count`, each made once and kept.
PyObject* const* action_objects(int count) {
    static std::vector<PyObject*> made;
    for (int next = static_cast<int>(made.size()); next < count; ++next) {
        PyObject* object = PyLong_FromLong(next);
        if (!object) throw py::error_already_set();
        made.push_back(object);
    }
    return made.data();
}

PyObject* to_list(const AnyActionList& actions, int num_distinct_actions) {
    PyObject* const* objects = action_objects(num_distinct_actions);
    PyObject* list = PyList_New(actions.size());
    if (!list) throw py::error_already_set();
    PyObject** items = PySequence_Fast_ITEMS(list);
    for (const Action action : actions) *items++ = Py_NewRef(objects[action]);
    return list;
}

Action to_action(const AnyGame& game, PyObject* action) {
    if (PyLong_CheckExact(action)) {
        const long id = PyLong_AsLong(action);
        if (id >= 0 && id < game.num_distinct_actions()) return static_cast<Action>(id);
        PyErr_Clear();  // too large for a long: the call below says so
    }
    return game.checked_id(to_integer(action, "action"));
}

PyObject* legal_actions(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const PyState& state = state_of(self);
        const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
        if (count + named > 1 ||
            (named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "player") != 0)) {
            throw py::type_error("legal_actions takes one argument at the most, player");
        }
        AnyActionList actions;
        const bool of_player = count + named == 1 && arguments[0] != Py_None;
        if (!of_player || to_player(arguments[0]) == current_player(state)) state.state->legal_actions(actions);
        return to_list(actions, state.state->game().num_distinct_actions());
    });
}

PyObject* apply_action(PyObject* self, PyObject* action) {
    return guarded([&]() -> PyObject* {
        PyState& state = state_of(self);
        const Action id = to_action(state.state->game(), action);
        state.state = state.state->successor(id, std::move(state.state));
        Py_RETURN_NONE;
    });
}

PyObject* child(PyObject* self, PyObject* action) {
    return guarded([&] {
        const PyState& state = state_of(self);
        return new_state(state.state->child(to_action(state.state->game(), action)));
    });
}

PyObject* clone(PyObject* self, PyObject*) {
    return guarded([&] { return new_state(state_of(self).state); });
}

PyObject* is_terminal(PyObject* self, PyObject*) {
    return guarded([&] { return PyBool_FromLong(state_of(self).state->is_terminal()); });
}

PyObject* player_to_move(PyObject* self, PyObject*) {
    return guarded([&] { return PyLong_FromLong(current_player(state_of(self))); });
}

PyObject* returns(PyObject* self, PyObject*) {
    return guarded([&] {
        const auto outcome = state_of(self).state->outcome();
        return Py_BuildValue("[dd]", static_cast<double>(player_return(outcome, 0)),
                             static_cast<double>(player_return(outcome, 1)));
    });
}

PyMethodDef methods[] = {
    {"legal_actions", as_method(&legal_actions), METH_FASTCALL | METH_KEYWORDS,
     "legal_actions($self, player=None)\n--\n\n"
     "The legal action ids, ascending; [] when the game is over or `player` is not the one to move."},
    {"apply_action", &apply_action, METH_O,
     "apply_action($self, action, /)\n--\n\n"
     "Plays an action id. Raises IllegalActionError or ParameterError (both ValueError), the state unchanged."},
    {"apply_action_with_legality_check", &apply_action, METH_O,
     "apply_action_with_legality_check($self, action, /)\n--\n\n"
     "The same as `apply_action`, which checks too."},
    {"child", &child, METH_O,
     "child($self, action, /)\n--\n\n"
     "The state after an action, as a new object. Raises as `apply_action` does."},
    {"clone", &clone, METH_NOARGS, "clone($self)\n--\n\nAn independent copy, with the plies before."},
    {"is_terminal", &is_terminal, METH_NOARGS, "is_terminal($self)\n--\n\nTrue when the game is over."},
    {"current_player", &player_to_move, METH_NOARGS,
     "current_player($self)\n--\n\nWho is to choose: 0 or 1; −4 when the game is over."},
    {"returns", &returns, METH_NOARGS,
     "returns($self)\n--\n\n[1.0, -1.0], [-1.0, 1.0] or, for a draw or a game not over, [0.0, 0.0]."},
};

}  // namespace

void add_fast_methods(py::handle state_class) {
    state_type = reinterpret_cast<PyTypeObject*>(state_class.ptr());
    pybind11_dealloc = std::exchange(state_type->tp_dealloc, &dealloc);
    for (auto& method : methods) {
        const auto descriptor = py::reinterpret_steal<py::object>(
            PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(state_class.ptr()), &method));
        if (!descriptor) throw py::error_already_set();
        py::setattr(state_class, method.ml_name, descriptor);
    }
}

}  // namespace quincunx::python
