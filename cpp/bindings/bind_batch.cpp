#include <pybind11/numpy.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "quincunx/erased/any_batch.hpp"

namespace quincunx::python {

namespace {

constexpr int max_rows = 10'000'000;

using BatchRef = std::shared_ptr<AnyBatch>;

/// An array of numbers that the batch owns; whoever has it keeps them alive.
template <class T>
py::array view_of(const BatchRef& batch, const void* data, const std::vector<py::ssize_t>& shape) {
    const py::capsule owner(new BatchRef(batch), [](void* ref) { delete static_cast<BatchRef*>(ref); });
    return py::array(py::dtype::of<T>(), shape, static_cast<const T*>(data), owner);
}

struct PyBatch {
    explicit PyBatch(BatchRef made) : batch(std::move(made)) {
        const py::ssize_t n = batch->rows();
        std::vector<py::ssize_t> shape{n};
        for (int extent : batch->game().observation_shape()) shape.push_back(extent);
        observations = view_of<float>(batch, batch->observations(), shape);
        mask = view_of<bool>(batch, batch->masks(), {n, batch->game().num_distinct_actions()});
        players = view_of<std::int32_t>(batch, batch->players(), {n});
        rewards = view_of<float>(batch, batch->rewards(), {n, 2});
        dones = view_of<bool>(batch, batch->dones(), {n});
    }

    BatchRef batch;
    py::array observations, mask, players, rewards, dones;
};

/// `Batch.states`.
struct PyBatchStates {
    BatchRef batch;
};

std::unique_ptr<PyBatch> make_batch(py::handle of, py::handle n, py::handle seed, py::handle threads) {
    const GameRef game = to_game(of);
    const int rows = to_int_between(n, "n", 1, max_rows);
    const auto number = to_unsigned(seed, "seed");
    const int workers = to_int_between(threads, "threads", 1, max_threads);
    BatchRef batch;
    try {
        batch = run_unlocked([&](Cancel& cancel) { return game->new_batch(rows, number, workers, cancel); });
    } catch (const std::bad_alloc&) {
        throw ParameterError("n is too large: there is no memory for " + std::to_string(rows) + " rows of " +
                             game->name());
    }
    return std::make_unique<PyBatch>(std::move(batch));
}

BatchRef batch_of(py::handle self) { return held<PyBatch>(self, "Batch").batch; }

/// A one-dimensional array, of integers if it is right.
py::array to_array(py::handle value, const std::string& what) {
    auto array = py::array::ensure(value);
    if (!array || (array.ndim() == 0 && array.dtype().kind() != 'i')) {
        PyErr_Clear();
        throw py::type_error(what + " must be an array of integers, not " + Py_TYPE(value.ptr())->tp_name);
    }
    if (array.ndim() != 1) {
        throw ParameterError(what + " must have one dimension, not " + std::to_string(array.ndim()));
    }
    return array;
}

std::vector<std::int64_t> to_integers(const py::array& array, const std::string& what) {
    if (array.size() == 0) return {};
    const char kind = array.dtype().kind();
    if (kind != 'i' && kind != 'u') {
        throw py::type_error(what + " must be integers, not of the dtype " +
                             py::str(array.dtype()).cast<std::string>());
    }
    const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> integers(array);
    std::vector<std::int64_t> values(integers.data(), integers.data() + integers.size());
    if (kind == 'u') {
        for (auto& number : values) {  // those beyond the range of int64 have become negative
            if (number < 0) number = std::numeric_limits<std::int64_t>::max();
        }
    }
    return values;
}

/// Rows by their numbers, or by a bool for each.
std::vector<int> to_rows(py::handle indices, int rows) {
    auto array = to_array(indices, "indices");
    if (array.dtype().kind() == 'b') {
        if (array.size() != rows) {
            throw ParameterError("indices must be integers or " + std::to_string(rows) + " bools, not " +
                                 std::to_string(array.size()) + " bools");
        }
        // Of a copy: numpy counts them first, and another thread might step meanwhile, if they are `dones`.
        array = array.attr("copy")().attr("nonzero")().cast<py::tuple>()[0];
    }
    std::vector<int> chosen;
    for (const auto index : to_integers(array, "indices")) {
        if (index < 0 || index >= rows) {
            throw ParameterError("indices must be from 0 to " + std::to_string(rows - 1) + ", not " +
                                 std::to_string(index));
        }
        chosen.push_back(static_cast<int>(index));
    }
    return chosen;
}

void step(py::handle self, py::handle actions) {
    const BatchRef batch = batch_of(self);
    // A copy: another thread might write to the array meanwhile.
    const auto ids = to_integers(to_array(actions, "actions"), "actions");
    if (ids.size() != static_cast<std::size_t>(batch->rows())) {
        throw ParameterError("actions must be one for each of the " + std::to_string(batch->rows()) + " rows, not " +
                             std::to_string(ids.size()));
    }
    run_unlocked([&](Cancel& cancel) { batch->step(ids, cancel); });
}

void reset(py::handle self, py::handle indices) {
    const BatchRef batch = batch_of(self);
    if (indices.is_none()) {
        run_unlocked([&](Cancel& cancel) { batch->reset(cancel); });
        return;
    }
    const auto rows = to_rows(indices, batch->rows());
    run_unlocked([&](Cancel& cancel) { batch->reset(rows, cancel); });
}

py::array_t<std::int64_t> random_actions(py::handle self) {
    const BatchRef batch = batch_of(self);
    py::array_t<std::int64_t> actions(batch->rows());
    const std::span<std::int64_t> ids(actions.mutable_data(), static_cast<std::size_t>(batch->rows()));
    run_unlocked([&](Cancel& cancel) { batch->random_actions(ids, cancel); });
    return actions;
}

PyState state_at(const PyBatchStates& self, py::handle index) {
    const auto number = to_integer(index, "the number of a row"), rows = std::int64_t{self.batch->rows()};
    if (number < -rows || number >= rows) {
        throw py::index_error("the batch has the rows 0 to " + std::to_string(rows - 1) + ", not " +
                              std::to_string(number));
    }
    return {self.batch->state(static_cast<int>(number < 0 ? number + rows : number))};
}

}  // namespace

void bind_batch(py::module_& module) {
    py::class_<PyBatchStates> states_class(module, "BatchStates", "The states of a Batch, a sequence: `Batch.states`.");
    forbid_new(states_class);
    states_class.def("__len__", [](const PyBatchStates& self) { return self.batch->rows(); })
        .def("__getitem__", &state_at, py::arg("index"),
             "The State of a row, with the plies since the start of its game: a copy, made anew on every call.\n\n"
             "Raises IndexError for a row that is not there.");

    py::class_<PyBatch>(
        module, "Batch",
        "Many games side by side, stepped together: for learning by self-play.\n\n"
        "Each row is a game of its own. A game that ends starts again within the same step: then `rewards` and "
        "`dones`\n"
        "tell of the game that has ended, all else of the new one. What is seen of the rows are numpy arrays, the "
        "same\n"
        "objects for the life of the batch: every step and reset writes them anew, so copy what is to be kept. They\n"
        "stay valid as long as anything refers to them. One call at a time: a second one meanwhile from another "
        "thread\n"
        "raises RuntimeError.")
        .def(py::init(&make_batch), py::arg("game"), py::arg("n"), py::arg("seed") = 0, py::arg("threads") = 1,
             "`n` games (1 to 10,000,000) at their start.\n\n"
             "`seed` serves `random_actions` alone. `threads` share the rows out among themselves and change no "
             "result;\n"
             "each call starts them, so they pay from some thousand rows on.\n\n"
             "Raises ValueError or TypeError for a bad argument, or if there is no memory for so many rows.")
        .def("step", &step, py::arg("actions"),
             "Plays an action in every row.\n\n"
             "`actions` are n integers, a numpy array or what makes one. Raises ValueError or TypeError for another\n"
             "form and IllegalActionError (a ValueError, its attribute `row` says where) for an illegal action; then "
             "no\n"
             "row has changed. Runs without the GIL and answers Ctrl-C; a step so cut short leaves some rows stepped\n"
             "and some not, and all but `reset()` raises RuntimeError after it.")
        .def("reset", &reset, py::arg("indices") = py::none(),
             "Starts the games of some rows again, by default of all; their `rewards` are 0 and `dones` False then.\n\n"
             "`indices` are integers from 0 to n − 1, or n bools, such as `dones`. Raises ValueError or\n"
             "TypeError if not, nothing changed.")
        .def("random_actions", &random_actions,
             "A legal action for every row, each with the same probability: a new numpy array, int64, shape (n,).\n\n"
             "Row i draws as game i of `playouts` with the same seed: played this way, its first game is that one.\n"
             "Stopped by Ctrl-C, it has drawn for some rows and not for others.")
        .def_property_readonly(
            "observations", [](py::handle self) { return held<PyBatch>(self, "Batch").observations; },
            "numpy float32, n times `observation_tensor_shape()`: what the player to move sees.")
        .def_property_readonly(
            "legal_actions_mask", [](py::handle self) { return held<PyBatch>(self, "Batch").mask; },
            "numpy bool, shape (n, num_distinct_actions()): the legal actions, at least one a row.")
        .def_property_readonly(
            "current_players", [](py::handle self) { return held<PyBatch>(self, "Batch").players; },
            "numpy int32, shape (n,): the player to move, 0 or 1.")
        .def_property_readonly(
            "rewards", [](py::handle self) { return held<PyBatch>(self, "Batch").rewards; },
            "numpy float32, shape (n, 2): what the last step earned players 0 and 1: 1 and −1, −1 and 1, or 0 and 0 "
            "for\n"
            "a draw or while the game goes on.")
        .def_property_readonly(
            "dones", [](py::handle self) { return held<PyBatch>(self, "Batch").dones; },
            "numpy bool, shape (n,): whether the last step ended the game.")
        .def_property_readonly(
            "states", [](py::handle self) { return PyBatchStates{batch_of(self)}; },
            "A sequence: `states[i]` is a State, that of row i now, with the plies since the start of its game.")
        .def_property_readonly(
            "game", [](py::handle self) { return PyGame{batch_of(self)->game().shared_from_this()}; }, "The game.")
        .def_property_readonly(
            "seed", [](py::handle self) { return batch_of(self)->seed(); }, "The seed.")
        .def_property_readonly(
            "threads", [](py::handle self) { return batch_of(self)->threads(); }, "How many threads step.")
        .def("__len__", [](py::handle self) { return batch_of(self)->rows(); })
        .def("__repr__", [](py::handle self) {
            const BatchRef batch = batch_of(self);
            return "<Batch of " + std::to_string(batch->rows()) + " games of " + batch->game().name() + ">";
        });
}

}  // namespace quincunx::python
