#pragma once
// Quickselect: after it, no item of [first, nth) comes after *nth and no item of [nth, last) before
// it.
//
// std::nth_element would do, were the order always complete. Bounding-box trees sort by centres,
// and a face without area has a centre that is NaN or noise: then the outcome depends on the steps
// taken. These are the steps of the reference's library (LLVM's libc++): median of three as pivot,
// partition from both ends, selection sort for up to seven items, and a stop when a part turns out
// to be sorted. Scans are bounded, so an order that contradicts itself does no harm.

#include <algorithm>
#include <utility>

namespace pliant {

/// Sorts three items; whether any moved.
template <class T, class Before>
bool sort_three(T& a, T& b, T& c, const Before& before) {
  if (!before(b, a)) {
    if (!before(c, b)) return false;
    std::swap(b, c);
    if (before(b, a)) std::swap(a, b);
  } else if (before(c, b)) {
    std::swap(a, c);
  } else {
    std::swap(a, b);
    if (before(c, b)) std::swap(b, c);
  }
  return true;
}

template <class T, class Before>
bool is_chain(const T* first, const T* last, const Before& before) {
  for (const T* next = first + 1; next < last; ++next) {
    if (before(*next, *(next - 1))) return false;
  }
  return true;
}

/// The first item is one of the smallest: splits into those equal to it and the rest. Returns the
/// start of the rest, or null when all are equal.
template <class T, class Before>
T* split_off_smallest(T* first, T* last, const Before& before) {
  T* i = first + 1;
  T* j = last - 1;
  if (!before(*first, *j)) {
    for (; i != j && !before(*first, *i); ++i) {
    }
    if (i == j) return nullptr;
    std::swap(*i++, *j);
  }
  if (i == j) return nullptr;
  while (true) {
    while (i < last - 1 && !before(*first, *i)) ++i;
    do --j;
    while (j > first && before(*first, *j));
    if (i >= j) return i;
    std::swap(*i++, *j);
  }
}

template <class T, class Before>
void select_middle(T* first, T* nth, T* last, const Before& before) {
  constexpr int kSmall = 7;
  while (nth != last && last - first > 1) {
    if (last - first == 2) {
      if (before(last[-1], *first)) std::swap(*first, last[-1]);
      return;
    }
    if (last - first == 3) {
      sort_three(first[0], first[1], first[2], before);
      return;
    }
    if (last - first <= kSmall) {
      for (; first != last - 1; ++first) {
        T* smallest = std::min_element(first, last, before);
        if (smallest != first) std::swap(*first, *smallest);
      }
      return;
    }
    T* pivot = first + (last - first) / 2;
    bool moved = sort_three(*first, *pivot, last[-1], before);
    T* i = first;
    T* j = last - 1;
    if (!before(*i, *pivot)) {
      // the first item equals the pivot: something smaller is needed in its place
      do --j;
      while (i != j && !before(*j, *pivot));
      if (i == j) {
        T* rest = split_off_smallest(first, last, before);
        if (!rest || nth < rest) return;
        first = rest;
        continue;
      }
      std::swap(*i, *j);
      moved = true;
    }
    ++i;
    while (i < j) {
      while (i < last - 1 && before(*i, *pivot)) ++i;
      do --j;
      while (j > first && !before(*j, *pivot));
      if (i >= j) break;
      std::swap(*i, *j);
      moved = true;
      if (pivot == i) pivot = j;  // it has just been moved
      ++i;
    }
    if (i != pivot && before(*pivot, *i)) {
      std::swap(*i, *pivot);
      moved = true;
    }
    if (nth == i) return;
    if (!moved && (nth < i ? is_chain(first, i, before) : is_chain(i, last, before))) return;
    if (nth < i)
      last = i;
    else
      first = i + 1;
  }
}

}  // namespace pliant
