#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bindings.hpp"
#include "quincunx/erased/any_solver.hpp"
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

// ---- solvers

constexpr int max_memory_mb = 1 << 20;
constexpr std::size_t most_bytes_at_once = 1 << 20;

/// A solver with its state.
struct PySolver {
    StateRef state;
    std::unique_ptr<Solver> solver;
    std::thread::id user;  // the thread that works on it, guarded by the GIL
};

/// One thread at a time may use a solver; made and ended with the GIL. A report may look at it from within a run, so
/// what only looks may begin in the thread that works on it.
class Use {
public:
    enum class Kind { looks, works };

    Use(PySolver& solver, Kind kind) : solver_(solver), before_(solver.user) {
        const bool from_within = kind == Kind::looks && before_ == std::this_thread::get_id();
        if (before_ != std::thread::id() && !from_within) throw std::logic_error("this solver is running already");
        solver_.user = std::this_thread::get_id();
    }
    ~Use() { solver_.user = before_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

private:
    PySolver& solver_;
    const std::thread::id before_;
};

std::unique_ptr<PySolver> make_solver(py::handle position, py::handle memory_mb) {
    auto self = std::make_unique<PySolver>();
    self->state = to_state(position);
    const int megabytes = to_int_between(memory_mb, "memory_mb", 1, max_memory_mb);
    self->solver = new_solver(*self->state, static_cast<std::size_t>(megabytes));
    return self;
}

py::dict to_python(const Solution& solution) {
    py::dict found;
    found["low"] = solution.low;
    found["high"] = solution.high;
    found["distance"] = solution.distance;
    found["line"] = solution.line;
    found["out_of_memory"] = solution.out_of_memory;
    found["by_holding"] = solution.by_holding;
    found["nodes"] = solution.progress.nodes;
    found["positions"] = solution.progress.positions;
    found["depth"] = solution.progress.depth;
    return found;
}

py::dict run(PySolver& self, std::optional<double> seconds, const py::object& on_progress) {
    if (seconds && !(*seconds >= 0 && std::isfinite(*seconds))) {
        throw ParameterError("seconds must be finite and not negative");
    }
    const Use use(self, Use::Kind::works);
    SolveWatch::Report report;
    if (!on_progress.is_none()) {
        report = [&](const SolveProgress& progress) {
            const py::gil_scoped_acquire gil;
            on_progress(progress.nodes, progress.positions, progress.depth);
        };
    }
    return to_python(run_unlocked([&](Cancel& cancel) { return self.solver->run(seconds, cancel, report); }));
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
    py::class_<PySolver> solver(module, "_Solver", "For `quincunx.solver`: a search for the value of a position.");
    forbid_new(solver);
    solver
        .def("run", &run, py::arg("seconds") = py::none(), py::arg("on_progress") = py::none(),
             "Searches until the value is known, or time or memory are used up, and returns what `so_far` does.\n\n"
             "`on_progress(nodes, positions, depth)` is called about every 0.2 seconds. Runs without the GIL and\n"
             "answers Ctrl-C; then, and after an exception of the callable, all that is found is kept. Raises\n"
             "RuntimeError if it is running already.")
        .def(
            "so_far",
            [](PySolver& self) {
                const Use use(self, Use::Kind::looks);
                return to_python(self.solver->so_far());
            },
            "A dict of what is known: bounds `low` and `high` on the value for the player to move, `distance`,\n"
            "`line`, `out_of_memory`, `by_holding`, `nodes`, `positions`, `depth`.")
        .def(
            "save",
            [](PySolver& self, const py::object& write) {
                const Use use(self, Use::Kind::looks);
                self.solver->save([&](std::string_view bytes) {
                    for (; !bytes.empty(); bytes.remove_prefix(std::min(most_bytes_at_once, bytes.size()))) {
                        write(py::bytes(bytes.substr(0, most_bytes_at_once)));
                    }
                });
            },
            py::arg("write"), "Calls `write` with what is worth keeping, piece by piece, as bytes.")
        .def(
            "load",
            [](PySolver& self, const py::buffer& saved) {
                const Use use(self, Use::Kind::works);
                const auto bytes = saved.request();
                if (bytes.ndim != 1 || bytes.itemsize != 1 || bytes.strides[0] != 1) {
                    throw ParameterError("saved must be bytes, one after the other");
                }
                const std::string_view view(static_cast<const char*>(bytes.ptr), static_cast<std::size_t>(bytes.size));
                run_unlocked([&](Cancel& cancel) { self.solver->load(view, cancel); });
            },
            py::arg("saved"),
            "Takes over the bytes that were saved of the same position. Answers Ctrl-C; raises ValueError if they do\n"
            "not fit. The solver is not to be used after either.");
    module.attr("_max_solver_mb") = max_memory_mb;
    module.def("_new_solver", &make_solver, py::arg("state"), py::arg("memory_mb"),
               "For `quincunx.solver`: a solver of a running state that takes about `memory_mb` megabytes at most.\n\n"
               "Raises ValueError if the game is over, or no solver searches it.");
}

}  // namespace quincunx::python
