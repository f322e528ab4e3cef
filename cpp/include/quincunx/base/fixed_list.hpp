// FixedList: a list inside its owner, for the actions of a position; never allocates.
#pragma once

#include <cassert>
#include <cstddef>

namespace quincunx {

template <class T, int Capacity>
class FixedList {
public:
    static constexpr int capacity = Capacity;

    FixedList() {}  // the elements stay uninitialised: lists of actions are made at every node of a search

    void push_back(T value) {
        assert(size_ < Capacity);
        items_[size_++] = value;
    }
    /// Adds what `write(out)` writes from `out` on, which returns where it ended. For inner loops: the size stays in a
    /// register, where push_back has to load and store it for every element.
    template <class Write>
    void append(Write&& write) {
        size_ = static_cast<int>(write(items_ + size_) - items_);
        assert(size_ <= Capacity);
    }
    void clear() { size_ = 0; }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](int i) { return items_[i]; }
    const T& operator[](int i) const { return items_[i]; }
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }

private:
    T items_[Capacity];
    int size_ = 0;
};

}  // namespace quincunx
