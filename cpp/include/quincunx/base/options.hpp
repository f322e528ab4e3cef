// Options: the parameters of a game as text, read by name with a default and a range.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "quincunx/base/error.hpp"
#include "quincunx/base/text.hpp"

namespace quincunx {

/// Parameters as given, by name: a text, as a command line has it, or a list of texts.
using GivenOptions = std::map<std::string, std::variant<std::string, std::vector<std::string>>>;
using OptionValue = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

/// One parameter as read: what it is, what it may be, and the value it has.
struct OptionEntry {
    std::string name;
    OptionValue value;
    std::string allowed;
    std::string meaning;
};

/// A game reads its parameters in turn, each with default and meaning; `finish` refuses names nobody asked for.
/// Reading from no text at all yields the defaults, which is how the parameters of a game are listed.
class Options {
public:
    Options(std::string game, GivenOptions given) : game_(std::move(game)), given_(std::move(given)) {}

    int integer(const std::string& name, int low, int high, int otherwise, const std::string& meaning) {
        const auto allowed = "an integer from " + std::to_string(low) + " to " + std::to_string(high);
        int value = otherwise;
        if (const auto* text = find(name, allowed)) {
            const auto number = parse_number(*text, high);
            if (!number || *number < low) refuse(name, *text, allowed);
            value = *number;
        }
        keep(name, std::int64_t{value}, allowed, meaning);
        return value;
    }

    bool flag(const std::string& name, bool otherwise, const std::string& meaning) {
        bool value = otherwise;
        if (const auto* text = find(name, "true or false")) {
            if (*text != "true" && *text != "false") refuse(name, *text, "true or false");
            value = *text == "true";
        }
        keep(name, value, "true or false", meaning);
        return value;
    }

    std::string choice(const std::string& name, const std::vector<std::string>& choices, const std::string& meaning) {
        std::string allowed;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            allowed += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
        }
        std::string value = choices.front();
        if (const auto* text = find(name, allowed)) {
            value = *text;
            if (std::find(choices.begin(), choices.end(), value) == choices.end()) refuse(name, value, allowed);
        }
        keep(name, value, allowed, meaning);
        return value;
    }

    /// A grid size such as "8x7": width and height, each from `low` to `high`.
    std::pair<int, int> grid_size(const std::string& name, int low, int high, int otherwise,
                                  const std::string& meaning) {
        const auto allowed = "width x height such as '" + std::to_string(otherwise) + "x" + std::to_string(otherwise) +
                             "', each from " + std::to_string(low) + " to " + std::to_string(high);
        std::pair value{otherwise, otherwise};
        if (const auto* text = find(name, allowed)) {
            const auto parts = split(*text, 'x');
            if (parts.size() != 2) refuse(name, *text, allowed);
            const auto width = parse_number(parts[0], high), height = parse_number(parts[1], high);
            if (!width || !height || *width < low || *height < low) refuse(name, *text, allowed);
            value = {*width, *height};
        }
        keep(name, std::to_string(value.first) + "x" + std::to_string(value.second), allowed, meaning);
        return value;
    }

    std::string text(const std::string& name, const std::string& otherwise, const std::string& allowed,
                     const std::string& meaning) {
        const auto* given = find(name, allowed);
        const auto value = given ? *given : otherwise;
        keep(name, value, allowed, meaning);
        return value;
    }

    /// A list separated by commas; no text or an empty text is the empty list.
    std::vector<std::string> list(const std::string& name, const std::string& allowed, const std::string& meaning) {
        std::vector<std::string> value;
        const auto at = given_.find(name);
        if (at != given_.end() && std::holds_alternative<std::vector<std::string>>(at->second)) {
            value = std::get<std::vector<std::string>>(at->second);
        } else if (at != given_.end() && !std::get<std::string>(at->second).empty()) {
            for (auto part : split(std::get<std::string>(at->second), ',')) value.emplace_back(part);
        }
        keep(name, value, allowed, meaning);
        return value;
    }

    /// Call once all parameters are read.
    void finish() const {
        for (const auto& [name, text] : given_) {
            const bool known = std::any_of(entries_.begin(), entries_.end(),
                                           [&name = name](const OptionEntry& entry) { return entry.name == name; });
            if (known) continue;
            std::string names;
            for (const auto& entry : entries_) names += (names.empty() ? "" : ", ") + entry.name;
            throw ParameterError(game_ + " has no parameter " + quoted(name) + "; it has: " + names);
        }
    }

    [[noreturn]] void refuse(const std::string& name, const std::string& found, const std::string& allowed) const {
        throw ParameterError(game_ + ": " + name + " must be " + allowed + ", not " + quoted(found));
    }

    /// Replaces the value of a parameter already read by its normal form.
    void normalise(const std::string& name, OptionValue value) {
        for (auto& entry : entries_) {
            if (entry.name == name) entry.value = std::move(value);
        }
    }

    bool given(const std::string& name) const { return given_.count(name) != 0; }
    const std::vector<OptionEntry>& entries() const { return entries_; }

private:
    const std::string* find(const std::string& name, const std::string& allowed) const {
        const auto at = given_.find(name);
        if (at == given_.end()) return nullptr;
        const auto* text = std::get_if<std::string>(&at->second);
        if (!text) refuse(name, "a list", allowed);
        return text;
    }
    void keep(const std::string& name, OptionValue value, const std::string& allowed, const std::string& meaning) {
        entries_.push_back({name, std::move(value), allowed, meaning});
    }

    std::string game_;
    GivenOptions given_;
    std::vector<OptionEntry> entries_;
};

}  // namespace quincunx
