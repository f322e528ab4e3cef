#include "bindings.hpp"

namespace quincunx::python {

std::int64_t to_integer(py::handle value, const char* what) {
    if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) {
        throw py::type_error(std::string(what) + " must be an integer, not " + Py_TYPE(value.ptr())->tp_name);
    }
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    int overflow = 0;
    const long long result = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0) throw ParameterError(std::string(what) + " is out of range");
    if (result == -1 && PyErr_Occurred()) throw py::error_already_set();
    return result;
}

std::uint64_t to_unsigned(py::handle value, const char* what) {
    if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) {
        throw py::type_error(std::string(what) + " must be an integer, not " + Py_TYPE(value.ptr())->tp_name);
    }
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    const auto result = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        throw ParameterError(std::string(what) + " must be from 0 to 2**64 - 1");
    }
    return result;
}

int to_int_between(py::handle value, const char* what, int low, int high) {
    const auto number = to_integer(value, what);
    if (number < low || number > high) {
        throw ParameterError(std::string(what) + " must be from " + std::to_string(low) + " to " +
                             std::to_string(high) + ", not " + std::to_string(number));
    }
    return static_cast<int>(number);
}

std::string to_text(py::handle value, const char* what) {
    if (!PyUnicode_Check(value.ptr())) {
        throw py::type_error(std::string(what) + " must be a str, not " + Py_TYPE(value.ptr())->tp_name);
    }
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (!text) {
        PyErr_Clear();
        throw ParameterError(std::string(what) + " is not valid Unicode");
    }
    return {text, static_cast<std::size_t>(size)};
}

void forbid_new(py::handle type) {
    auto* object = reinterpret_cast<PyTypeObject*>(type.ptr());
    object->tp_new = nullptr;
    object->tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
}

void add_functions(py::module_& module, PyMethodDef* functions) {
    if (PyModule_AddFunctions(module.ptr(), functions) != 0) throw py::error_already_set();
}

StateRef to_state(py::handle value) {
    if (!py::isinstance<PyState>(value)) {
        throw py::type_error(std::string("state must be a State, not ") + Py_TYPE(value.ptr())->tp_name);
    }
    return py::cast<const PyState&>(value).state;
}

int to_player(py::handle value) { return to_int_between(value, "player", 0, 1); }

}  // namespace quincunx::python

PYBIND11_MODULE(_core, module) {
    using namespace quincunx::python;
    module.doc() =
        "The C++ core of quincunx: games, states, symmetries, perft, playouts, tree search, solvers and batches. Use "
        "it "
        "through the package `quincunx`.";
    module.attr("BUILD_TYPE") = QUINCUNX_BUILD_TYPE;
    bind_errors(module);
    bind_game(module);
    bind_state(module);
    bind_symmetry(module);
    bind_search(module);
    bind_mcts(module);
    bind_solve(module);
    bind_batch(module);
}
