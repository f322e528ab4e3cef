// Sets of cells, selection of bits, random numbers, lists, reading of numbers.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "quincunx/base/bits.hpp"
#include "quincunx/base/expand.hpp"
#include "quincunx/base/fixed_list.hpp"
#include "quincunx/base/hash.hpp"
#include "quincunx/base/rng.hpp"
#include "quincunx/base/select.hpp"
#include "quincunx/base/text.hpp"
#include "statistics.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

int select_naively(std::uint64_t word, int k) {
    for (int bit = 0;; ++bit) {
        if ((word >> bit & 1) != 0 && k-- == 0) return bit;
    }
}

// Sparse, even and dense words.
std::uint64_t random_word(Rng& rng) {
    switch (rng.below(4)) {
        case 0:
            return rng.next() & rng.next() & rng.next();
        case 1:
            return rng.next() | rng.next() | rng.next();
        case 2:
            return std::uint64_t{1} << rng.below(64);
        default:
            return rng.next();
    }
}

/// Every operation against a std::set of the members.
template <int Words>
void check_bits() {
    using Set = Bits<Words>;
    constexpr int capacity = Set::capacity;
    Rng rng(2024, Words);
    CHECK(Set{}.none() && !Set{}.any() && Set{}.count() == 0 && !Set{}.several());
    CHECK(Set::first(0) == Set{});
    CHECK(Set::first(capacity) == ~Set{});
    CHECK(Set::first(capacity).count() == capacity);
    CHECK((Set::first(capacity - 1) ^ Set::first(capacity)) == Set::of(capacity - 1));
    for (int round = 0; round < 300; ++round) {
        Set a, b;
        for (auto& w : a.word) w = rng.below(3) == 0 ? 0 : random_word(rng);
        for (auto& w : b.word) w = random_word(rng);
        std::set<int> members, others;
        for (int i = 0; i < capacity; ++i) {
            if (a.test(i)) members.insert(i);
            if (b.test(i)) others.insert(i);
        }
        const auto of = [](const std::set<int>& numbers) {
            Set s;
            for (int i : numbers) s.set(i);
            return s;
        };
        CHECK(of(members) == a);
        CHECK(a.count() == static_cast<int>(members.size()));
        CHECK(a.any() == !members.empty() && a.none() == members.empty());
        CHECK(a.several() == (members.size() >= 2));

        std::set<int> both, either, one;
        for (int i = 0; i < capacity; ++i) {
            const bool in_a = members.count(i) != 0, in_b = others.count(i) != 0;
            if (in_a && in_b) both.insert(i);
            if (in_a || in_b) either.insert(i);
            if (in_a != in_b) one.insert(i);
        }
        CHECK((a & b) == of(both));
        CHECK((a | b) == of(either));
        CHECK((a ^ b) == of(one));
        CHECK((a & ~a).none() && (a | ~a) == ~Set{});

        const int distance = 1 + rng.below(63);
        std::set<int> up, down;
        for (int i : members) {
            if (i + distance < capacity) up.insert(i + distance);
            if (i - distance >= 0) down.insert(i - distance);
        }
        CHECK((a << distance) == of(up));
        CHECK((a >> distance) == of(down));

        std::vector<int> visited;
        a.each([&](int i) { visited.push_back(i); });
        CHECK(std::equal(visited.begin(), visited.end(), members.begin(), members.end()));
        for (int k = 0; k < static_cast<int>(visited.size()); ++k) CHECK(a.select(k) == visited[k]);
        Set rest = a;
        for (int i : visited) {
            CHECK(rest.lowest() == i);
            CHECK(rest.pop() == i);
        }
        CHECK(rest.none());
        Set changed = a;
        const int cell = rng.below(capacity);
        changed.set(cell);
        CHECK(changed == (a | Set::of(cell)));
        changed.reset(cell);
        CHECK(changed == (a & ~Set::of(cell)));
    }
}

/// Both ways of interleaving, and that they write no further than they say.
template <std::size_t Sets, int Words>
void check_interleaved(const std::array<Bits<Words>, 8>& all, int cells) {
    std::array<Bits<Words>, Sets> sets;
    std::copy_n(all.begin(), Sets, sets.begin());
    const std::size_t size = Sets * static_cast<std::size_t>(cells);
    std::vector<std::uint8_t> mixed(size + 8 - Sets + 1, 7), portable = mixed;
    CHECK(expand_interleaved(sets, cells, mixed.data()) == mixed.data() + size);
    interleave_eights(sets, cells, portable.data());
    CHECK(mixed.back() == 7 && portable.back() == 7);
    for (std::size_t place = 0; place < size; ++place) {
        CHECK(mixed[place] == sets[place % Sets].test(static_cast<int>(place / Sets)));
        CHECK(portable[place] == mixed[place]);
    }
}

template <class T, int Words>
void check_expansions() {
    Rng rng(static_cast<std::uint64_t>(Words));
    for (int round = 0; round < 200; ++round) {
        const int count = rng.below(64 * Words) + 1;
        std::array<Bits<Words>, 8> sets;
        for (auto& set : sets) {
            for (auto& word : set.word) word = random_word(rng);
            set &= Bits<Words>::first(count);
        }
        std::vector<T> numbers(static_cast<std::size_t>(count) + 1, T{7});
        CHECK(expand(sets[0], count, numbers.data()) == numbers.data() + count);
        CHECK(numbers.back() == T{7});
        for (int cell = 0; cell < count; ++cell) {
            CHECK(numbers[static_cast<std::size_t>(cell)] == static_cast<T>(sets[0].test(cell)));
        }
        check_interleaved<2>(sets, count);
        check_interleaved<4>(sets, count);
        check_interleaved<5>(sets, count);
        check_interleaved<6>(sets, count);
        check_interleaved<8>(sets, count);
        // A slice put elsewhere.
        const int length = rng.below(std::min(63, count)) + 1, from = rng.below(count - length + 1);
        const int to = rng.below(64 * Words - length + 1);
        Bits<Words> moved;
        moved.add_slice(to, length, sets[0].slice(from, length));
        for (int cell = 0; cell < 64 * Words; ++cell) {
            CHECK(moved.test(cell) == (cell >= to && cell < to + length && sets[0].test(cell - to + from)));
        }
        CHECK(Bits<Words>::first(64 * Words).slice(64 * Words - 1, 3) == 1);
    }
}

}  // namespace

TEST(sets_written_out) {
    check_expansions<float, 1>();
    check_expansions<float, 2>();
    check_expansions<std::uint8_t, 1>();
    check_expansions<std::uint8_t, 6>();
}

TEST(bits_are_sets) {
    check_bits<1>();
    check_bits<2>();
    check_bits<3>();
    check_bits<4>();
    check_bits<6>();
}

TEST(words_for_cells) {
    CHECK(words_for(1) == 1 && words_for(64) == 1 && words_for(65) == 2 && words_for(128) == 2 && words_for(361) == 6);
}

TEST(select_bit_agrees_with_counting) {
    Rng rng(7);
    for (int round = 0; round < 5000; ++round) {
        const auto word = random_word(rng);
        for (int k = 0; k < std::popcount(word); ++k) {
            const int expected = select_naively(word, k);
            CHECK(select_bit_portable(word, k) == expected);
            CHECK(select_bit(word, k) == expected);
#if defined(__x86_64__) && defined(__GNUC__)
            if (has_fast_pdep) CHECK(select_bit_pdep(word, k) == expected);
#endif
        }
    }
    for (int k = 0; k < 64; ++k) CHECK(select_bit_portable(~std::uint64_t{0}, k) == k);
}

// A seed has to mean the same games in every release.
TEST(rng_gives_the_recorded_numbers) {
    Rng first(0), second(1), stream(0, 1);
    const std::array<std::uint64_t, 3> of_first{0xb4d45fb87233d541, 0x3b43f58715caa0b3, 0x3c29389d0b364085};
    const std::array<std::uint64_t, 3> of_second{0xbfdc3ec6049eeccc, 0xa7c0387331f7b7aa, 0xe3b528ce9a0d7314};
    const std::array<std::uint64_t, 3> of_stream{0x96c40e948d733022, 0x437fb2b928e7ea19, 0x961e617dc3047b72};
    for (int i = 0; i < 3; ++i) {
        CHECK(first.next() == of_first[i]);
        CHECK(second.next() == of_second[i]);
        CHECK(stream.next() == of_stream[i]);
    }
}

TEST(rng_below_is_uniform) {
    for (int n : {1, 2, 3, 5, 7, 19, 61, 64, 100, 362}) {
        Rng rng(11, static_cast<std::uint64_t>(n));
        std::vector<int> counts(static_cast<std::size_t>(n));
        bool in_range = true;
        for (int i = 0; i < 400 * n; ++i) {
            const int drawn = rng.below(n);
            in_range = in_range && 0 <= drawn && drawn < n;
            if (in_range) ++counts[static_cast<std::size_t>(drawn)];
        }
        CHECK(in_range);
        CHECK(excess(counts) < 5, "below(" + std::to_string(n) + ")");
    }
    // For a range that does not divide 2^32 a draw without rejection would prefer the lower third twofold.
    constexpr int large = 1'431'655'766;  // a little over 2^32 / 3
    Rng rng(12);
    std::vector<int> thirds(3);
    for (int i = 0; i < 30'000; ++i) ++thirds[static_cast<std::size_t>(3 * std::int64_t{rng.below(large)} / large)];
    CHECK(excess(thirds) < 5);
}

TEST(rng_streams_differ) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        for (std::uint64_t stream = 0; stream < 30; ++stream) seen.insert(Rng(seed, stream).next());
    }
    CHECK(seen.size() == 900);
}

TEST(mix_is_a_bijection_on_samples) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 10'000; ++i) seen.insert(mix(i));
    CHECK(seen.size() == 10'000);
    CHECK(hash_combine(hash_combine(0, 1), 2) != hash_combine(hash_combine(0, 2), 1));
}

TEST(fixed_list_is_a_list) {
    FixedList<int, 5> list;
    CHECK(list.empty() && list.size() == 0 && list.begin() == list.end());
    for (int i = 0; i < 5; ++i) list.push_back(10 + i);
    CHECK(list.size() == 5 && !list.empty() && list[0] == 10 && list[4] == 14);
    const auto copy = list;
    list[2] = 0;
    CHECK(copy[2] == 12 && std::vector<int>(copy.begin(), copy.end()) == std::vector<int>({10, 11, 12, 13, 14}));
    list.clear();
    CHECK(list.empty() && copy.size() == 5);
}

TEST(parse_number_is_strict) {
    CHECK(parse_number("0", 9) == 0);
    CHECK(parse_number("9", 9) == 9);
    CHECK(parse_number("361", 361) == 361);
    for (const char* text : {"", "10", "00", "01", "-0", "-1", "-", "+1", " 1", "1 ", "1x", "x", "99999999999999999999",
                             "1.0", "\xd9\xa1"}) {
        CHECK(!parse_number(text, 9), text);
    }
    CHECK(!parse_number(std::string_view("1\0", 2), 9));
}

TEST(split_keeps_empty_parts) {
    CHECK(split("", ' ').size() == 1);
    CHECK(split(" ", ' ').size() == 2);
    CHECK(split("a//b", '/') == std::vector<std::string_view>({"a", "", "b"}));
}

TEST(quoted_texts_are_short_and_printable) {
    CHECK(quoted("e5") == "'e5'");
    CHECK(quoted("a\nb\xff") == "'a?b?'");
    CHECK(quoted(std::string(1000, 'x')).size() < 80);
}
