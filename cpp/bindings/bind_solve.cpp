#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "quincunx/erased/fano_table.hpp"

namespace quincunx::python {

namespace {

Adjacency to_adjacency(py::handle value) {
    const auto text = to_text(value, "adjacency");
    if (text == "drawn") return Adjacency::drawn;
    if (text == "plane") return Adjacency::plane;
    throw ParameterError("adjacency must be 'drawn' or 'plane', not " + quoted(text));
}

template <class T>
py::array_t<T> to_array(const std::vector<T>& values) {
    py::array_t<T> array(static_cast<py::ssize_t>(values.size()));
    std::memcpy(array.mutable_data(), values.data(), values.size() * sizeof(T));
    return array;
}

py::tuple solve_table(py::handle adjacency) {
    const auto reading = to_adjacency(adjacency);
    const auto data = run_unlocked([&](Cancel& cancel) { return solve_fano330(reading, cancel); });
    return py::make_tuple(to_array(data.keys), to_array(data.results), data.positions);
}

/// A table that keeps the arrays it looks up in.
struct PyFanoTable {
    py::array_t<std::uint64_t> keys;
    py::array_t<std::uint16_t> results;
    FanoTable table;
};

PyFanoTable make_table(py::handle adjacency, const py::array& keys, const py::array& results) {
    const auto suits = [](const py::array& array, const py::dtype& type) {
        return array.dtype().is(type) && array.ndim() == 1 && (array.flags() & py::array::c_style) != 0;
    };
    if (!suits(keys, py::dtype::of<std::uint64_t>()) || !suits(results, py::dtype::of<std::uint16_t>()) ||
        keys.size() != results.size()) {
        throw ParameterError("keys and results must be arrays of uint64 and uint16 of the same length");
    }
    const py::array_t<std::uint64_t> key_array(keys);
    const py::array_t<std::uint16_t> result_array(results);
    const auto count = static_cast<std::size_t>(keys.size());
    return {key_array, result_array,
            FanoTable(to_adjacency(adjacency), {key_array.data(), count}, {result_array.data(), count})};
}

py::tuple probe(const PyFanoTable& self, py::handle position) {
    const auto answer = self.table.probe(*to_state(position));
    const auto [value, distance] = answer.verdict;
    return py::make_tuple(int{value}, value == 0 ? py::object(py::none()) : py::object(py::int_(distance)),
                          answer.best_actions);
}

}  // namespace

void bind_solve(py::module_& module) {
    module.def(
        "_solve_fano330", &solve_table, py::arg("adjacency"),
        "For `Tablebase`: solves fano330 and returns (keys, results, positions). The keys (uint64) are those of\n"
        "the running positions up to symmetry, ascending; the results (uint16) are four times the distance,\n"
        "plus 0 for a draw, 1 for a win, 2 for a loss; `positions` is how many positions that answers for.");
    py::class_<PyFanoTable> table(module, "_FanoTable", "For `Tablebase`: looks states up.");
    forbid_new(table);
    table.def("probe", &probe, py::arg("state"),
              "(value, distance or None, best actions) of a state, as `Tablebase.probe` says it.");
    module.def("_fano_table", &make_table, py::arg("adjacency"), py::arg("keys"), py::arg("results"),
               "For `Tablebase`: looks states up in arrays as `_solve_fano330` gives them, which it keeps.\n\n"
               "Raises ValueError for arrays of other types or of different lengths.");
}

}  // namespace quincunx::python
