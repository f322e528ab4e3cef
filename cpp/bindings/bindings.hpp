// What the binding files share: the Python-side state and the conversion of arguments.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "quincunx/erased/any_state.hpp"

namespace quincunx::python {

namespace py = pybind11;

/// A Python `State`: a place that holds one state and moves on to the next when an action is applied.
struct PyState {
    StateRef state;
};

/// A Python `Game`.
struct PyGame {
    GameRef game;
};

/// An integer of any Python type with `__index__` that fits 64 bits, but no bool; throws TypeError or ParameterError.
std::int64_t to_integer(py::handle value, const char* what);
/// An integer from 0 to 2⁶⁴ − 1.
std::uint64_t to_unsigned(py::handle value, const char* what);
/// An integer within a range.
int to_int_between(py::handle value, const char* what, int low, int high);
/// A str; throws TypeError for anything else, ParameterError for a str that is not valid Unicode.
std::string to_text(py::handle value, const char* what);
/// What a State holds now: the object may move on in another thread meanwhile.
StateRef to_state(py::handle value);
/// A player, 0 or 1.
int to_player(py::handle value);
/// OpenSpiel's number for "nobody is to move: the game is over".
constexpr int terminal_player = -4;
inline int current_player(const PyState& self) {
    return self.state->is_terminal() ? terminal_player : self.state->current_player();
}

/// Objects of this class are made by functions of the module alone: `Class.__new__(Class)` would leave a hole inside.
void forbid_new(py::handle type);

/// What an object of a class with a constructor holds; throws TypeError if it was made by `Class.__new__` alone and
/// holds nothing.
template <class T>
T& held(py::handle self, const char* class_name) {
    auto* instance = reinterpret_cast<py::detail::instance*>(self.ptr());
    if (!py::isinstance<T>(self) || !instance->get_value_and_holder().holder_constructed()) {
        throw py::type_error(std::string(class_name) + ".__init__ was not called");
    }
    return self.cast<T&>();
}

/// The most threads that a call may ask for.
inline constexpr int max_threads = 256;

/// Runs `work(cancel)` without the GIL; Ctrl-C stops it and raises KeyboardInterrupt.
template <class Work>
auto run_unlocked(Work&& work) {
    Cancel cancel([] {
        const py::gil_scoped_acquire gil;
        return PyErr_CheckSignals() != 0;
    });
    try {
        const py::gil_scoped_release unlocked;
        return work(cancel);
    } catch (const Cancelled&) {
        throw py::error_already_set();
    }
}

/// Sets the Python exception for an error of the core; throws on anything else.
void set_python_error(const std::exception_ptr& thrown);

/// Runs `body`, a function written against Python's C interface, and turns what it throws into a Python exception.
template <class Body>
PyObject* guarded(Body&& body) {
    try {
        return body();
    } catch (py::error_already_set& error) {
        error.restore();
    } catch (const Error&) {
        set_python_error(std::current_exception());
    } catch (const py::builtin_exception& error) {
        error.set_error();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

/// A function of whatever calling convention for a PyMethodDef.
template <class Function>
PyCFunction as_method(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

/// Adds functions that pickles name, which ends with an empty entry: pickles name a function of pybind11 by an
/// expression that has to be evaluated.
void add_functions(py::module_& module, PyMethodDef* functions);

void bind_errors(py::module_& module);
void bind_game(py::module_& module);
void bind_state(py::module_& module);
/// Adds to the class State the methods that are called for every ply, without the cost of pybind11's dispatch.
void add_fast_methods(py::handle state_class);
/// Needs the classes Game and State.
void bind_symmetry(py::module_& module);
void bind_search(py::module_& module);
void bind_mcts(py::module_& module);
void bind_solve(py::module_& module);
void bind_batch(py::module_& module);

}  // namespace quincunx::python
