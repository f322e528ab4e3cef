// Arrays of numbers out of whatever a caller gives for one.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string_view>

namespace quincunx::python {

namespace py = pybind11;

using FloatArray = py::array_t<float, py::array::c_style | py::array::forcecast>;

/// Nothing for what is no array of real numbers.
inline std::optional<FloatArray> to_floats(py::handle value) {
    const auto array = py::array::ensure(value);
    if (array && std::string_view("biuf").find(array.dtype().kind()) != std::string_view::npos) {
        if (auto floats = FloatArray::ensure(array)) return floats;
    }
    PyErr_Clear();
    return std::nullopt;
}

}  // namespace quincunx::python
