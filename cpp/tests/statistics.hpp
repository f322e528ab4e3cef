// The chi-square test of "each with the same probability".
#pragma once

#include <cmath>
#include <vector>

namespace quincunx::test {

/// How many standard deviations the chi-square of counts that should be equal lies above what chance makes likely
/// (Wilson and Hilferty's normal approximation). Seeds are fixed, so a bound of five never fails by chance later.
inline double excess(const std::vector<int>& counts) {
    double total = 0, chi_square = 0;
    for (int count : counts) total += count;
    const double expected = total / static_cast<double>(counts.size());
    for (int count : counts) chi_square += (count - expected) * (count - expected) / expected;
    const double freedom = static_cast<double>(counts.size()) - 1;
    if (freedom < 1) return 0;
    const double spread = 2 / (9 * freedom);
    return (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
}

}  // namespace quincunx::test
