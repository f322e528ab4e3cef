#include <map>
#include <string>
#include <vector>

#include "games.hpp"
#include "quincunx/erased/any_state.hpp"

namespace quincunx {

namespace {

struct Entry {
    GameInfo info;
    GameRef (*make)(Options&);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all{
        {{"fano330", "Fano330-R-Morris", "Masahiro Nakajima"}, make_fano330},
        {{"impedio", "Impedio", "the Impedio rule sheet (2026)"}, make_impedio},
        {{"meigo", "Meigo", "Luis Bolaños Mures"}, make_meigo},
        {{"unane", "Ūnane", "Mark Steere"}, make_unane},
        {{"unmergo", "Unmergo", "the Unmergo rule sheet (2026)"}, make_unmergo},
    };
    return all;
}

}  // namespace

const std::vector<GameInfo>& registered_games() {
    static const std::vector<GameInfo> infos = [] {
        std::vector<GameInfo> all;
        for (const auto& entry : entries()) all.push_back(entry.info);
        return all;
    }();
    return infos;
}

GameRef load_game(const std::string& name, const GivenOptions& parameters) {
    std::string names;
    for (const auto& entry : entries()) {
        if (entry.info.name == name) {
            Options options(name, parameters);
            return entry.make(options);
        }
        names += (names.empty() ? "" : ", ") + entry.info.name;
    }
    throw ParameterError("there is no game " + quoted(name) + "; the games are: " + names);
}

}  // namespace quincunx
