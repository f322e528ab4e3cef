// The kinds of error that a caller's input can cause. Every message is one sentence for a player.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace quincunx {

class Error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A parameter of a game or a call: unknown, of the wrong form, or out of range.
class ParameterError : public Error {
    using Error::Error;
};

/// A position string that is malformed or impossible; the message names the field.
class PositionError : public Error {
    using Error::Error;
};

/// Text that does not denote an action of the game at all.
class ActionTextError : public Error {
    using Error::Error;
};

/// An action that the rules forbid in this state.
class IllegalActionError : public Error {
public:
    IllegalActionError(std::string action_text, std::string position_text, const std::string& why,
                       std::optional<int> row_of_batch = {})
        : Error(why),
          action(std::move(action_text)),
          position(std::move(position_text)),
          reason(why),
          row(row_of_batch) {}
    std::string action, position, reason;
    std::optional<int> row;  // in a batch
};

}  // namespace quincunx
