// RecentBatches: where the last few batches of the active segment lie, so that readers at the tail
// need no index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "log/segment.h"

namespace millrace::log {

// Not thread-safe: guarded by the log's mutex. Takes no memory until the first batch.
class RecentBatches {
 public:
  static constexpr size_t kCapacity = 32;

  void Add(const BatchPlace& place) {
    if (places_.empty()) places_.reserve(kCapacity);
    if (places_.size() < kCapacity) {
      places_.push_back(place);
    } else {
      places_[oldest_] = place;
      oldest_ = (oldest_ + 1) % kCapacity;
    }
  }

  void Clear() {
    places_.clear();
    oldest_ = 0;
  }

  // The first batch whose last offset is at or above `offset`; null if it may lie before the
  // batches known here.
  const BatchPlace* Find(int64_t offset) const {
    const size_t count = places_.size();
    if (count == 0 || offset < At(0).base_offset) return nullptr;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (At(middle).last_offset < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == count ? nullptr : &At(low);
  }

 private:
  const BatchPlace& At(size_t i) const { return places_[(oldest_ + i) % places_.size()]; }

  std::vector<BatchPlace> places_;
  size_t oldest_ = 0;
};

}  // namespace millrace::log
