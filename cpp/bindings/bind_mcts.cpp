#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "quincunx/erased/any_search.hpp"

namespace quincunx::python {

namespace {

constexpr std::int64_t default_simulations = 1000;
constexpr std::int64_t max_simulations = 1'000'000'000'000;
constexpr int max_batch = 65536;
constexpr int max_memory_mb = 131072;  // what 32-bit indices of nodes can reach, and a little more

// ---- arguments

double to_number(py::handle value, const char* what) {
    const bool number = PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()) ||
                        (PyNumber_Check(value.ptr()) && py::hasattr(value, "__float__"));
    if (!number || PyBool_Check(value.ptr())) {
        throw py::type_error(std::string(what) + " must be a number, not " + Py_TYPE(value.ptr())->tp_name);
    }
    const double result = PyFloat_AsDouble(value.ptr());
    if (result == -1 && PyErr_Occurred()) {
        PyErr_Clear();  // an integer beyond the range of a float, say
        throw ParameterError(std::string(what) + " is out of range");
    }
    return result;
}

std::optional<double> to_optional_number(const py::object& value, const char* what, double low, double high) {
    if (value.is_none()) return std::nullopt;
    const double number = to_number(value, what);
    if (!(number >= low && number <= high)) {
        const auto text = [](double x) { return py::str(py::float_(x)).cast<std::string>(); };
        throw ParameterError(std::string(what) + " must be from " + text(low) + " to " + text(high) + ", not " +
                             text(number));
    }
    return number;
}

SearchBudget to_budget(const py::object& simulations, const py::object& seconds) {
    SearchBudget budget;
    if (!simulations.is_none()) {
        const auto number = to_integer(simulations, "simulations");
        if (number < 1 || number > max_simulations) {
            throw ParameterError("simulations must be from 1 to " + std::to_string(max_simulations) + ", not " +
                                 std::to_string(number));
        }
        budget.simulations = number;
    }
    if (!seconds.is_none()) {
        const double number = to_number(seconds, "seconds");
        if (!(number > 0) || !std::isfinite(number)) throw ParameterError("seconds must be finite and above 0");
        budget.seconds = number;
    }
    if (!budget.simulations && !budget.seconds) budget.simulations = default_simulations;
    return budget;
}

bool to_flag(py::handle value, const char* what) {
    if (!PyBool_Check(value.ptr())) {
        throw py::type_error(std::string(what) + " must be True or False, not " + Py_TYPE(value.ptr())->tp_name);
    }
    return value.ptr() == Py_True;
}

/// A Python callable, or None for playouts.
py::object to_evaluator(const py::object& value) {
    if (value.is_none()) return py::none();
    if (py::isinstance<py::str>(value)) {
        const auto name = to_text(value, "evaluator");
        if (name == "playout") return py::none();
        throw ParameterError("evaluator must be 'playout' or a callable, not " + quoted(name));
    }
    if (!PyCallable_Check(value.ptr())) {
        throw py::type_error(std::string("evaluator must be 'playout' or a callable, not ") +
                             Py_TYPE(value.ptr())->tp_name);
    }
    return value;
}

// ---- the evaluator

/// An array of the given shape out of what the evaluator returned.
FloatArray to_array(py::handle value, const char* what, const std::vector<py::ssize_t>& shape) {
    const auto array = to_floats(value);
    const auto shape_text = [](const py::ssize_t* extents, std::size_t dimensions) {
        std::string text = "(";
        for (std::size_t i = 0; i < dimensions; ++i) text += (i ? ", " : "") + std::to_string(extents[i]);
        return text + (dimensions == 1 ? ",)" : ")");
    };
    const auto expected =
        "the evaluator must return " + std::string(what) + " of shape " + shape_text(shape.data(), shape.size());
    if (!array) {
        throw ParameterError(expected + " of real numbers, not " + Py_TYPE(value.ptr())->tp_name);
    }
    const auto dimensions = static_cast<std::size_t>(array->ndim());
    if (!std::equal(shape.begin(), shape.end(), array->shape(), array->shape() + dimensions)) {
        throw ParameterError(expected + ", not " + shape_text(array->shape(), dimensions));
    }
    return *array;
}

void call_evaluator(const py::object& evaluator, LeafBatch& batch) {
    const py::gil_scoped_acquire gil;
    const auto n = static_cast<py::ssize_t>(batch.leaves.size());
    const py::ssize_t actions = batch.num_actions;
    std::vector<py::ssize_t> shape{n};
    shape.insert(shape.end(), batch.observation_shape.begin(), batch.observation_shape.end());
    // New arrays, so that the callable may keep them.
    py::array_t<float> observations(shape);
    std::copy_n(batch.observations.data(), observations.size(), observations.mutable_data());
    py::array_t<bool> masks({n, actions});
    std::copy_n(batch.masks.data(), masks.size(), masks.mutable_data());
    const py::object answer = evaluator(observations, masks);
    if (!PySequence_Check(answer.ptr()) || py::len(answer) != 2) {
        throw ParameterError("the evaluator must return a pair (priors, values), not " +
                             std::string(Py_TYPE(answer.ptr())->tp_name));
    }
    const auto pair = py::reinterpret_borrow<py::sequence>(answer);
    const auto priors = to_array(pair[0], "priors", {n, actions});
    const auto values = to_array(pair[1], "values", {n});
    std::copy_n(priors.data(), priors.size(), batch.priors.data());
    std::copy_n(values.data(), values.size(), batch.values.data());
}

// ---- results

struct PyResult {
    SearchResult found;
    GameRef game;
    py::array_t<std::int64_t> visits;
    py::array_t<float> values;
    py::dict proven_actions;
    py::list principal_variation;
};

PyResult to_python(SearchResult&& found, GameRef game) {
    PyResult result{std::move(found), std::move(game), {}, {}, py::dict(), py::list()};
    auto& core = result.found;
    result.visits = py::array_t<std::int64_t>(static_cast<py::ssize_t>(core.visits.size()), core.visits.data());
    result.values = py::array_t<float>(static_cast<py::ssize_t>(core.values.size()), core.values.data());
    for (const auto& [action, value] : core.proven_actions) {
        result.proven_actions[py::int_(action)] = static_cast<double>(value);
    }
    for (const Action action : core.principal_variation) result.principal_variation.append(action);
    return result;
}

std::optional<double> proven(const SearchResult& found) {
    if (!found.proven) return std::nullopt;
    return static_cast<double>(*found.proven);
}

std::string repr(const PyResult& self) {
    const auto& found = self.found;
    char value[32];
    std::snprintf(value, sizeof value, "%+.3f", found.value);
    const auto verdict = !found.proven       ? ""
                         : *found.proven > 0 ? ", a proven win"
                         : *found.proven < 0 ? ", a proven loss"
                                             : ", a proven draw";
    return "<SearchResult: " + self.game->action_to_string(found.best_action) + ", value " + value + verdict + ", " +
           std::to_string(found.simulations) + " simulations>";
}

// ---- the search

struct PyMcts {
    PyMcts(const SearchSettings& settings, const SearchBudget& allowed, py::object callable)
        : budget(allowed),
          evaluator(std::move(callable)),
          search(settings, evaluator.is_none() ? BatchEvaluator() : BatchEvaluator([this](LeafBatch& batch) {
                     call_evaluator(evaluator, batch);
                 })) {}

    const SearchBudget budget;
    const py::object evaluator;
    AnySearch search;
};

std::unique_ptr<PyMcts> make_mcts(const py::object& simulations, const py::object& seconds, const py::object& c,
                                  py::handle seed, py::handle threads, const py::object& evaluator,
                                  py::handle batch_size, py::handle memory_mb, const py::object& first_play,
                                  const py::object& rave, const py::object& look_ahead, const py::object& decisive,
                                  const py::object& sensible) {
    const auto budget = to_budget(simulations, seconds);
    SearchSettings settings;
    settings.c = to_optional_number(c, "c", 0, 1000);
    settings.seed = to_unsigned(seed, "seed");
    settings.threads = to_int_between(threads, "threads", 1, max_threads);
    auto callable = to_evaluator(evaluator);
    settings.batch_size = to_int_between(batch_size, "batch_size", 1, max_batch);
    settings.memory_mb = static_cast<std::size_t>(to_int_between(memory_mb, "memory_mb", 1, max_memory_mb));
    settings.first_play = to_optional_number(first_play, "first_play", -1e9, HUGE_VAL);
    settings.rave = to_optional_number(rave, "rave", 0, 1e9);
    if (!look_ahead.is_none()) settings.look_ahead = to_flag(look_ahead, "look_ahead");
    if (!decisive.is_none()) settings.decisive = to_int_between(decisive, "decisive", 0, 1'000'000);
    if (!sensible.is_none()) settings.sensible = to_flag(sensible, "sensible");
    if (!callable.is_none()) {
        if (settings.threads != 1) throw ParameterError("threads must be 1 with an evaluator: leaves come in batches");
        if (settings.first_play || settings.rave || settings.look_ahead || settings.decisive || settings.sensible) {
            throw ParameterError(
                "first_play, rave, look_ahead, decisive and sensible are for playouts, not for an evaluator");
        }
    }
    return std::make_unique<PyMcts>(settings, budget, std::move(callable));
}

PyMcts& mcts_of(py::handle self) { return held<PyMcts>(self, "MCTS"); }

PyResult search(py::handle object, py::handle position, const py::object& on_progress) {
    PyMcts& self = mcts_of(object);
    const StateRef state = to_state(position);
    const auto game = state->game().shared_from_this();
    if (!on_progress.is_none() && !PyCallable_Check(on_progress.ptr())) {
        throw py::type_error(std::string("on_progress must be a callable, not ") + Py_TYPE(on_progress.ptr())->tp_name);
    }
    SearchProgress progress;
    if (!on_progress.is_none()) {
        progress = [&](const SearchResult& so_far) {
            const py::gil_scoped_acquire gil;
            const auto answer = on_progress(to_python(SearchResult(so_far), game));
            return answer.ptr() != Py_False;
        };
    }
    auto found = run_unlocked([&](Cancel& cancel) { return self.search.search(state, self.budget, cancel, progress); });
    return to_python(std::move(found), game);
}

py::object optional_number(const std::optional<double>& number) {
    return number ? py::object(py::float_(*number)) : py::none();
}

std::string repr(const PyMcts& self) {
    const auto& settings = self.search.settings();
    std::string text = "MCTS(";
    if (self.budget.simulations) text += "simulations=" + std::to_string(*self.budget.simulations) + ", ";
    if (self.budget.seconds) text += "seconds=" + py::repr(py::float_(*self.budget.seconds)).cast<std::string>() + ", ";
    if (settings.c) text += "c=" + py::repr(py::float_(*settings.c)).cast<std::string>() + ", ";
    text += "seed=" + std::to_string(settings.seed);
    if (settings.threads != 1) text += ", threads=" + std::to_string(settings.threads);
    if (!self.evaluator.is_none()) text += ", evaluator=" + py::repr(self.evaluator).cast<std::string>();
    return text + ")";
}

}  // namespace

void bind_mcts(py::module_& module) {
    py::class_<PyResult> result_class(
        module, "SearchResult",
        "What a search has found. Values are those of the player to move at the root: 1 a win, -1 a loss.");
    forbid_new(result_class);
    result_class
        .def_property_readonly(
            "best_action", [](const PyResult& self) { return self.found.best_action; },
            "The id of the action to play: a proven win if there is one (the quickest found), never a proven loss if\n"
            "there is anything else (of losses the longest found), a proven draw if the alternative looks worse, else\n"
            "the most visits, then the higher value, then the lowest id.")
        .def_readonly(
            "visits", &PyResult::visits,
            "numpy int64, shape (num_distinct_actions(),): the simulations that went through each action, 0 where\n"
            "illegal. Those of earlier searches whose tree was kept are among them.")
        .def_readonly(
            "values", &PyResult::values,
            "numpy float32, shape (num_distinct_actions(),): the mean result of each action, exact where proven, NaN\n"
            "where illegal or not known.")
        .def_property_readonly(
            "value", [](const PyResult& self) { return self.found.value; }, "The value of the best action, a float.")
        .def_property_readonly(
            "proven", [](const PyResult& self) { return proven(self.found); },
            "1.0, 0.0 or -1.0 if the result with best play is certain, else None.")
        .def_readonly("proven_actions", &PyResult::proven_actions,
                      "A dict from the id of each action whose result is certain to 1.0, 0.0 or -1.0.")
        .def_readonly("principal_variation", &PyResult::principal_variation,
                      "The action ids that the search expects, the best action first.")
        .def_property_readonly(
            "player", [](const PyResult& self) { return self.found.player; }, "The player to move at the root, 0 or 1.")
        .def_property_readonly(
            "simulations", [](const PyResult& self) { return self.found.simulations; },
            "How many simulations this search made; fewer than asked for if the result was proven.")
        .def_property_readonly(
            "seconds", [](const PyResult& self) { return self.found.seconds; }, "How long this search took.")
        .def_property_readonly(
            "nodes", [](const PyResult& self) { return self.found.nodes; },
            "How many positions the tree holds, 32 bytes each.")
        .def_property_readonly(
            "memory_full", [](const PyResult& self) { return self.found.memory_full; },
            "True if the tree could not grow any more; the search went on with playouts from its leaves.")
        .def("__repr__", [](const PyResult& self) { return repr(self); });

    py::class_<PyMcts>(
        module, "MCTS",
        "Monte Carlo tree search, for any state of any game.\n\n"
        "Without an evaluator: UCT with random playouts, with all-moves-as-first values where they help.\n"
        "Wins, losses and draws that are certain are proven: the search never walks past them, and ends when the\n"
        "result of the root is certain. What is known is kept from one search to the next as long as the states\n"
        "follow each other in one game; a state of anything else starts afresh. One search at a time: a second one at\n"
        "the same time on the same object raises RuntimeError.")
        .def(
            py::init(&make_mcts), py::arg("simulations") = py::none(), py::arg("seconds") = py::none(), py::kw_only(),
            py::arg("c") = py::none(), py::arg("seed") = 0, py::arg("threads") = 1, py::arg("evaluator") = py::none(),
            py::arg("batch_size") = 16, py::arg("memory_mb") = 1024, py::arg("first_play") = py::none(),
            py::arg("rave") = py::none(), py::arg("look_ahead") = py::none(), py::arg("decisive") = py::none(),
            py::arg("sensible") = py::none(),
            "A search ends after `simulations` or after `seconds`, whichever comes first; without either, after 1000\n"
            "simulations.\n\n"
            "With `threads=1` and without `seconds` the same seed gives the same result. `memory_mb` is address space\n"
            "for the tree, of which only what is used takes memory; a full tree does not end a search.\n\n"
            "`evaluator` is \"playout\" (or None), or a callable (PUCT): it is given up to `batch_size` leaves at "
            "once\n"
            "as `observations` (numpy float32, shape (n, *observation_tensor_shape()), each as the player to move\n"
            "sees it) and `legal` (numpy bool, shape (n, num_distinct_actions())), and returns `priors` (shape\n"
            "(n, num_distinct_actions()), not negative; they are normalised over the legal actions, and taken as "
            "equal\n"
            "if all are 0) and `values` (shape (n,), from -1 to 1, for the player to move). The root is evaluated\n"
            "beside the simulations asked for. What the callable raises ends the search and reaches the caller.\n\n"
            "The rest is None for values that matches have chosen for each game: `c`, the weight of uncertainty;\n"
            "`first_play`, the value of an action not yet visited; `rave`, how many visits an all-moves-as-first mean\n"
            "is worth (0: none); `look_ahead`, whether each new node tries all its actions for an end of the game;\n"
            "`decisive`: where at most so many actions are legal, a playout takes one that wins at once.\n"
            "`sensible`: playouts of meigo spare own eyes and are judged when they are as long as the board has\n"
            "points; nothing in other games.\n\n"
            "Raises ValueError or TypeError for a bad argument.")
        .def("search", &search, py::arg("state"), py::arg("on_progress") = py::none(),
             "Searches from a state and returns a SearchResult.\n\n"
             "`on_progress` is called with the result so far about every 0.2 seconds; if it returns False the search\n"
             "ends. Runs without the GIL and answers Ctrl-C. Raises ValueError if the game is over or the evaluator\n"
             "returns what it should not.")
        .def(
            "step", [](py::handle self, py::handle state) { return search(self, state, py::none()).found.best_action; },
            py::arg("state"),
            "Searches from a state and returns the id of the best action: the verb of OpenSpiel's bots.")
        .def(
            "reset", [](py::handle self) { mcts_of(self).search.reset(); },
            "Forgets the tree: the next search is as that of a new object.")
        .def_property_readonly(
            "simulations", [](py::handle self) { return mcts_of(self).budget.simulations; },
            "The most simulations of a search; None if only time ends it.")
        .def_property_readonly(
            "seconds", [](py::handle self) { return optional_number(mcts_of(self).budget.seconds); },
            "The longest time of a search; None if only simulations end it.")
        .def_property_readonly(
            "c", [](py::handle self) { return optional_number(mcts_of(self).search.settings().c); },
            "The weight of uncertainty; None: chosen for each game.")
        .def_property_readonly(
            "seed", [](py::handle self) { return mcts_of(self).search.settings().seed; }, "The seed.")
        .def_property_readonly(
            "threads", [](py::handle self) { return mcts_of(self).search.settings().threads; },
            "How many threads search.")
        .def_property_readonly(
            "batch_size", [](py::handle self) { return mcts_of(self).search.settings().batch_size; },
            "The most leaves that an evaluator is given at once.")
        .def_property_readonly(
            "memory_mb", [](py::handle self) { return mcts_of(self).search.settings().memory_mb; },
            "The most memory that the tree takes, in megabytes.")
        .def_property_readonly(
            "evaluator",
            [](py::handle self) {
                const auto& evaluator = mcts_of(self).evaluator;
                return evaluator.is_none() ? py::object(py::str("playout")) : evaluator;
            },
            "\"playout\" or the callable.")
        .def("__repr__", [](py::handle self) { return repr(mcts_of(self)); });
}

}  // namespace quincunx::python
