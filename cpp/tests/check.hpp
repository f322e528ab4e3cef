// The whole test framework: checks are counted, a failed one is reported and the test goes on.
#pragma once

#include <iostream>
#include <string>
#include <vector>

namespace quincunx::test {

struct Test {
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

struct Registration {
    Registration(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline long passed = 0, failed = 0;

inline void fail(const char* file, int line, const char* condition, const std::string& context) {
    constexpr long shown_at_most = 50;
    if (++failed > shown_at_most) return;
    std::cerr << file << ':' << line << ": not so: " << condition << (context.empty() ? "" : "\n    ") << context
              << '\n';
}

}  // namespace quincunx::test

/// CHECK(condition) or CHECK(condition, context): the context, a string, is made only when the condition is false.
#define CHECK(condition, ...)                                                               \
    do {                                                                                    \
        if (condition) {                                                                    \
            ++quincunx::test::passed;                                                       \
        } else {                                                                            \
            quincunx::test::fail(__FILE__, __LINE__, #condition, std::string(__VA_ARGS__)); \
        }                                                                                   \
    } while (false)

/// CHECK_THROWS(kind, expression): the expression throws exactly that kind of exception.
#define CHECK_THROWS(kind, ...)             \
    do {                                    \
        bool as_expected = false;           \
        try {                               \
            static_cast<void>(__VA_ARGS__); \
        } catch (const kind&) {             \
            as_expected = true;             \
        }                                   \
        CHECK(as_expected, #__VA_ARGS__);   \
    } while (false)

#define TEST(name)                                                                     \
    static void test_##name();                                                         \
    static const quincunx::test::Registration registration_##name(#name, test_##name); \
    static void test_##name()
