#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>

#include "bindings.hpp"

namespace quincunx::python {

namespace {

constexpr int max_depth = 128;  // a search recurses; no game of interest is counted as deep
constexpr int max_hash_mb = 16384;
constexpr int max_games = 100'000'000;
constexpr int max_ply_limit = 1'000'000'000;

Unit to_unit(py::handle value) {
    const auto unit = to_text(value, "unit");
    if (unit == "ply") return Unit::ply;
    if (unit == "turn") return Unit::turn;
    throw ParameterError("unit must be 'ply' or 'turn', not " + quoted(unit));
}

std::uint64_t perft(py::handle position, py::handle depth, py::handle unit, py::handle threads, py::handle hash_mb) {
    const StateRef state = to_state(position);
    const int plies = to_int_between(depth, "depth", 0, max_depth);
    const auto what = to_unit(unit);
    const int workers = to_int_between(threads, "threads", 1, max_threads);
    const int megabytes = to_int_between(hash_mb, "hash_mb", 0, max_hash_mb);
    return run_unlocked([&](Cancel& cancel) { return state->perft(plies, what, workers, megabytes, cancel); });
}

py::dict divide(py::handle position, py::handle depth, py::handle unit) {
    const StateRef state = to_state(position);
    const int plies = to_int_between(depth, "depth", 1, max_depth);
    const auto what = to_unit(unit);
    std::vector<std::pair<std::string, StateRef>> children;
    if (what == Unit::turn) {
        children = state->turns();
    } else {
        AnyActionList actions;
        state->legal_actions(actions);
        for (Action action : actions)
            children.emplace_back(state->game().action_to_string(action), state->child(action));
    }
    py::dict counts;
    for (const auto& [text, child] : children) {
        counts[py::str(text)] =
            run_unlocked([&, &after = child](Cancel& cancel) { return after->perft(plies - 1, what, 1, 0, cancel); });
    }
    return counts;
}

struct Playouts {
    py::array_t<float> returns;
    py::array_t<std::int32_t> lengths;
    int unfinished = 0;
};

Playouts playouts(py::handle position, py::handle n, py::handle seed, py::handle threads, py::handle max_plies,
                  py::handle first) {
    const StateRef state = to_state(position);
    const int games = to_int_between(n, "n", 0, max_games);
    const auto number = to_unsigned(seed, "seed"), index = to_unsigned(first, "first");
    const int workers = to_int_between(threads, "threads", 1, max_threads);
    const int limit = to_int_between(max_plies, "max_plies", 0, max_ply_limit);
    Playouts result{py::array_t<float>({games, 2}), py::array_t<std::int32_t>(games)};
    const std::span<float> returns(result.returns.mutable_data(), 2 * static_cast<std::size_t>(games));
    const std::span<std::int32_t> lengths(result.lengths.mutable_data(), static_cast<std::size_t>(games));
    result.unfinished = run_unlocked(
        [&](Cancel& cancel) { return state->playouts(number, index, workers, limit, cancel, returns, lengths); });
    return result;
}

}  // namespace

void bind_search(py::module_& module) {
    module.def(
        "perft", &perft, py::arg("state"), py::arg("depth"), py::arg("unit") = "ply", py::arg("threads") = 1,
        py::arg("hash_mb") = 0,
        "The number of action sequences of exactly `depth` plies, or completed turns with `unit=\"turn\"`.\n\n"
        "`hash_mb` megabytes, shared out among the threads, keep counts of positions met before; whole positions\n"
        "are compared, so the count stays exact.\n\n"
        "Depth (0 to 128) 0 is 1; games that end early count nothing. Runs without the GIL and answers Ctrl-C.\n"
        "Raises ValueError or TypeError for a bad argument.");
    module.def("divide", &divide, py::arg("state"), py::arg("depth"), py::arg("unit") = "ply",
               "`perft` split by the first action (or turn): a dict from its text to the count below it, depth ≥ 1.");
    py::class_<Playouts> playouts_class(module, "Playouts", "The results of `playouts`, game by game.");
    forbid_new(playouts_class);
    playouts_class
        .def_readonly("returns", &Playouts::returns,
                      "numpy float32, shape (n, 2): +1 win, −1 loss, 0 draw or unfinished, by player.")
        .def_readonly("lengths", &Playouts::lengths, "numpy int32, shape (n,): the plies of each game.")
        .def_readonly("unfinished", &Playouts::unfinished, "How many games were cut off by the call's `max_plies`.")
        .def("__len__", [](const Playouts& self) { return self.lengths.size(); })
        .def("__repr__", [](const Playouts& self) {
            return "<Playouts of " + std::to_string(self.lengths.size()) + " games, " +
                   std::to_string(self.unfinished) + " unfinished>";
        });
    module.def(
        "playouts", &playouts, py::arg("state"), py::arg("n"), py::arg("seed") = 0, py::arg("threads") = 1,
        py::arg("max_plies") = 0, py::arg("first") = 0,
        "Plays `n` uniformly random games from a state, each to its end or to `max_plies` plies (0: no limit).\n\n"
        "The games are numbers `first` to `first + n − 1` of the seed: each depends on the seed and its number alone,\n"
        "whatever `threads` is, so a long run may be split into calls. Runs without the GIL and answers Ctrl-C.\n"
        "Raises ValueError or TypeError for a bad argument.");
}

}  // namespace quincunx::python
