#include "quincunx/solve/proof_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "quincunx/base/error.hpp"
#include "quincunx/base/hash.hpp"
#include "quincunx/solve/retrograde.hpp"

namespace quincunx {

std::uint64_t hash_words(std::span<const std::uint64_t> words) {
    std::uint64_t hash = 0;
    for (const auto word : words) hash = hash_combine(hash, word);
    return hash;
}

// ---- ProofTable

ProofTable::ProofTable(std::size_t bytes, int key_words) : words_(static_cast<std::size_t>(key_words)) {
    const auto room = bytes / entry_bytes();
    slots_ = std::max(bucket, std::bit_floor(room));
    // Zeroed by the system, which gives the memory as it is used.
    keys_.reset(static_cast<std::uint64_t*>(std::calloc(slots_ * words_, sizeof(std::uint64_t))));
    entries_.reset(static_cast<Entry*>(std::calloc(slots_, sizeof(Entry))));
    if (!keys_ || !entries_) throw std::bad_alloc();
    used_.resize((slots_ + stretch - 1) / stretch);
}

std::size_t ProofTable::first_slot(const std::uint64_t* key) const {
    return hash_words({key, words_}) & (slots_ - bucket);
}

bool ProofTable::is_at(std::size_t slot, const std::uint64_t* key) const {
    return entries_[slot].work != 0 && std::equal(key, key + words_, keys_.get() + slot * words_);
}

const ProofTable::Entry* ProofTable::find(const std::uint64_t* key) const {
    const auto first = first_slot(key);
    for (auto slot = first; slot < first + bucket; ++slot) {
        if (is_at(slot, key)) return &entries_[slot];
    }
    return nullptr;
}

ProofTable::Entry& ProofTable::entry_of(const std::uint64_t* key) {
    const auto first = first_slot(key);
    auto chosen = first;
    for (auto slot = first; slot < first + bucket; ++slot) {
        if (is_at(slot, key)) return entries_[slot];
        if (entries_[slot].work < entries_[chosen].work) chosen = slot;
    }
    used_[chosen / stretch] = true;
    std::copy_n(key, words_, keys_.get() + chosen * words_);
    return entries_[chosen] = {};
}

void ProofTable::store(const std::uint64_t* key, int role, bool wins, int plies, std::uint64_t nodes) {
    auto& entry = entry_of(key);
    const auto bound = static_cast<std::uint8_t>(plies);
    if (wins) {
        entry.wins[role] = entry.wins[role] == 0 ? bound : std::min(entry.wins[role], bound);
    } else {
        entry.fails[role] = std::max(entry.fails[role], static_cast<std::uint8_t>(bound + 1));
    }
    entry.work = std::max(entry.work, static_cast<std::uint8_t>(std::bit_width(nodes) + 1));
}

template <class Visit>
void ProofTable::each_to_save(const Visit& visit) const {
    for (std::size_t i = 0; i < used_.size(); ++i) {
        if (!used_[i]) continue;
        for (auto slot = i * stretch; slot < std::min(slots_, (i + 1) * stretch); ++slot) {
            if (entries_[slot].work >= work_worth_saving) visit(slot);
        }
    }
}

std::size_t ProofTable::saved_bytes() const {
    std::size_t bytes = 0;
    each_to_save([&](std::size_t) { bytes += entry_bytes(); });
    return bytes;
}

void ProofTable::save(const Write& write) const {
    constexpr std::size_t piece = 1 << 20;
    std::string bytes;
    each_to_save([&](std::size_t slot) {
        bytes.append(reinterpret_cast<const char*>(keys_.get() + slot * words_), words_ * sizeof(std::uint64_t));
        bytes.append(reinterpret_cast<const char*>(&entries_[slot]), sizeof(Entry));
        if (bytes.size() >= piece) write(std::exchange(bytes, {}));
    });
    write(bytes);
}

void ProofTable::load(std::string_view saved, const std::function<void()>& look) {
    const auto key_bytes = words_ * sizeof(std::uint64_t), size = entry_bytes();
    if (saved.size() % size != 0) throw ParameterError("the checkpoint does not fit: its table has another form");
    std::vector<std::uint64_t> key(words_);
    for (std::size_t at = 0; at < saved.size(); at += size) {
        look();
        Entry entry;
        std::memcpy(key.data(), saved.data() + at, key_bytes);
        std::memcpy(&entry, saved.data() + at + key_bytes, sizeof(Entry));
        if (entry.work == 0) throw ParameterError("the checkpoint does not fit: its table has an empty entry");
        entry_of(key.data()) = entry;
    }
}

// ---- KeyIndex

std::size_t KeyIndex::slot(const std::uint64_t* key) const {
    auto slot = hash_words({key, words_}) & (table_.size() - 1);
    while (table_[slot] != 0 && !std::equal(key, key + words_, (*this)[table_[slot] - 1])) {
        slot = (slot + 1) & (table_.size() - 1);
    }
    return slot;
}

std::uint32_t KeyIndex::add(const std::uint64_t* key) {
    auto at = slot(key);
    if (table_[at] != 0) return table_[at] - 1;
    const auto number = size();
    if (2 * (std::size_t{number} + 1) > table_.size()) {
        enlarge();
        at = slot(key);
    }
    keys_.insert(keys_.end(), key, key + words_);
    table_[at] = number + 1;
    return number;
}

std::uint32_t KeyIndex::find(const std::uint64_t* key) const {
    const auto at = slot(key);
    return table_[at] == 0 ? size() : table_[at] - 1;
}

std::size_t KeyIndex::bytes_to_go_on() const { return bytes_to_grow(keys_) + 2 * table_.size() * sizeof table_[0]; }

void KeyIndex::enlarge() {
    table_.assign(2 * table_.size(), 0);
    for (std::uint32_t number = 0; number < size(); ++number) table_[slot((*this)[number])] = number + 1;
}

void KeyIndex::assign(std::string_view bytes, const std::function<void()>& look) {
    keys_.clear();
    table_.assign(1024, 0);
    std::vector<std::uint64_t> key(words_);
    const auto size = words_ * sizeof key[0];
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        look();
        std::memcpy(key.data(), bytes.data() + at, size);
        add(key.data());
    }
}

}  // namespace quincunx
