#include <string>

#include "bindings.hpp"

namespace quincunx::python {

namespace {

// Exception classes live as long as the process.
PyObject* new_error(py::module_& module, const char* name, const char* doc, PyObject* base) {
    const auto full_name = std::string("quincunx.") + name;
    PyObject* type = PyErr_NewExceptionWithDoc(full_name.c_str(), doc, base, nullptr);
    if (!type) throw py::error_already_set();
    module.add_object(name, type);
    return type;
}

PyObject *parameter_error, *position_error, *action_text_error, *illegal_action_error;

}  // namespace

void bind_errors(py::module_& module) {
    parameter_error =
        new_error(module, "ParameterError",
                  "A parameter of a game or a call: unknown, of the wrong form, or out of range.", PyExc_ValueError);
    position_error =
        new_error(module, "PositionError",
                  "A position string that is malformed or impossible; the message names the field.", PyExc_ValueError);
    action_text_error =
        new_error(module, "ActionTextError", "Text that denotes no action of the game.", PyExc_ValueError);
    illegal_action_error = new_error(
        module, "IllegalActionError",
        "An action that the rules forbid in this state.\n\n"
        "Attributes: `action` (its text), `position` (the position string), `reason` (one sentence, the message) and\n"
        "`row` (of a Batch, else None).",
        PyExc_ValueError);
    py::register_local_exception_translator([](std::exception_ptr thrown) {
        if (thrown) set_python_error(thrown);
    });
}

void set_python_error(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const IllegalActionError& error) {
        const auto where = error.row ? " in row " + std::to_string(*error.row) : "";
        const auto message = "illegal action " + error.action + where + ": " + error.reason;
        auto instance = py::reinterpret_borrow<py::object>(illegal_action_error)(message);
        instance.attr("action") = error.action;
        instance.attr("position") = error.position;
        instance.attr("reason") = error.reason;
        instance.attr("row") = error.row ? py::object(py::int_(*error.row)) : py::none();
        PyErr_SetObject(illegal_action_error, instance.ptr());
    } catch (const PositionError& error) {
        PyErr_SetString(position_error, error.what());
    } catch (const ActionTextError& error) {
        PyErr_SetString(action_text_error, error.what());
    } catch (const Error& error) {
        PyErr_SetString(parameter_error, error.what());
    }
}

}  // namespace quincunx::python
