// Runs all tests, or those whose names contain the first argument.
#include <exception>
#include <iostream>
#include <string_view>

#include "check.hpp"

int main(int argc, char** argv) {
    using namespace quincunx::test;
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    for (const auto& test : tests()) {
        if (std::string_view(test.name).find(wanted) == std::string_view::npos) continue;
        const long before = passed, failed_before = failed;
        try {
            test.run();
        } catch (const std::exception& error) {
            fail(test.name, 0, "no exception leaves the test", error.what());
        } catch (...) {
            fail(test.name, 0, "no exception leaves the test", "an exception of an unknown type");
        }
        std::cout << test.name << ": " << passed - before << " passed, " << failed - failed_before << " failed"
                  << std::endl;
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return failed == 0 && passed > 0 ? 0 : 1;
}
