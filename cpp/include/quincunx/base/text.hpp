// Reading position strings and action texts strictly, with messages that name the field.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quincunx/base/error.hpp"

namespace quincunx {

inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

/// The text in quotes for a message: control and non-ASCII bytes as '?', long texts cut.
inline std::string quoted(std::string_view text) {
    constexpr std::size_t limit = 60;
    std::string out = "'";
    for (char c : text.substr(0, limit)) out += c >= ' ' && c <= '~' ? c : '?';
    if (text.size() > limit) out += "...";
    return out + "'";
}

/// A non-negative decimal number without sign or leading zeros, at most `limit`.
inline std::optional<int> parse_number(std::string_view text, int limit) {
    if (text.empty() || text[0] < '0' || (text.size() > 1 && text[0] == '0')) return std::nullopt;
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value > limit) return std::nullopt;
    return value;
}

/// Splits a position string into exactly `names.size()` fields separated by single spaces.
inline std::vector<std::string_view> position_fields(std::string_view text, std::initializer_list<const char*> names) {
    auto fields = split(text, ' ');
    bool empty_field = false;
    for (auto field : fields) empty_field = empty_field || field.empty();
    if (fields.size() != names.size() || empty_field) {
        std::string message = "a position has " + std::to_string(names.size()) + " fields separated by single spaces (";
        bool first = true;
        for (auto name : names) message += (first ? "" : ", ") + std::string(name), first = false;
        throw PositionError(message + "), but this one is " + quoted(text));
    }
    return fields;
}

[[noreturn]] inline void bad_field(const char* field, std::string_view found, const std::string& expected) {
    throw PositionError(std::string("the field '") + field + "' must be " + expected + ", not " + quoted(found));
}

/// The rows of a board field, given top row first; returned bottom row first. Each row is checked by `length(row)`.
template <class Length>
std::vector<std::string_view> board_rows(std::string_view field, int rows, Length length, char within_row = '\0') {
    auto parts = split(field, '/');
    if (static_cast<int>(parts.size()) != rows) {
        throw PositionError("the field 'rows' must have " + std::to_string(rows) + " rows separated by '/', not " +
                            std::to_string(parts.size()));
    }
    std::vector<std::string_view> bottom_up(parts.rbegin(), parts.rend());
    for (int r = 0; r < rows; ++r) {
        const auto found = within_row ? split(bottom_up[r], within_row).size() : bottom_up[r].size();
        if (static_cast<int>(found) != length(r)) {
            throw PositionError("the field 'rows' must have " + std::to_string(length(r)) + " cells in row " +
                                std::to_string(r + 1) + " from the bottom, not " + std::to_string(found));
        }
    }
    return bottom_up;
}

}  // namespace quincunx
