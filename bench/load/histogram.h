// Latencies in logarithmic buckets of 1/128 relative width, as HdrHistogram keeps them: constant
// memory, no sorting, at most 0.8 % error.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "load/report.h"

namespace millrace::bench {

class Histogram {
 public:
  Histogram() : counts_(64 * kSteps) {}

  void Record(int64_t nanos) {
    const uint64_t value = static_cast<uint64_t>(std::max<int64_t>(nanos, 0));
    counts_[Bucket(value)]++;
    count_++;
    max_ = std::max(max_, value);
  }

  // The value below which `fraction` of the recorded ones lie (upper edge of its bucket).
  uint64_t Percentile(double fraction) const {
    const auto wanted = static_cast<uint64_t>(fraction * static_cast<double>(count_));
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < counts_.size(); bucket++) {
      seen += counts_[bucket];
      if (seen > wanted) {
        return std::min(UpperEdge(bucket), max_);
      }
    }
    return max_;
  }

  // Adds p50Us, p99Us, p999Us and maxUs, in microseconds.
  void AddTo(Report& report) const {
    const auto micros = [](uint64_t nanos) { return static_cast<double>(nanos) / 1000; };
    report.Add("p50Us", micros(Percentile(0.5)));
    report.Add("p99Us", micros(Percentile(0.99)));
    report.Add("p999Us", micros(Percentile(0.999)));
    report.Add("maxUs", micros(max_));
  }

  uint64_t count() const { return count_; }

 private:
  static constexpr int kStepBits = 7;
  static constexpr size_t kSteps = size_t{1} << kStepBits;

  static size_t Bucket(uint64_t value) {
    if (value < kSteps) {
      return value;
    }
    const int shift = static_cast<int>(std::bit_width(value)) - 1 - kStepBits;
    return (static_cast<size_t>(shift) << kStepBits) + (value >> shift);
  }
  static uint64_t UpperEdge(size_t bucket) {
    if (bucket < 2 * kSteps) {
      return bucket;
    }
    const size_t shift = (bucket >> kStepBits) - 1;
    return (((bucket & (kSteps - 1)) + kSteps + 1) << shift) - 1;
  }

  std::vector<uint64_t> counts_;
  uint64_t count_ = 0;
  uint64_t max_ = 0;
};

}  // namespace millrace::bench
