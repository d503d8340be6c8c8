#include "base/sampled_rate.h"

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

// Longer waits end with the connection anyway.
constexpr double kThrottleMsMax = 2'147'483'647;

}  // namespace

void SampledRate::Record(const QuotaWindows& windows, double value, int64_t now_ms) {
  DropOld(windows, now_ms);
  if (samples_.empty() || now_ms - samples_.back().start_ms >= windows.size_ms) {
    samples_.push_back({now_ms, now_ms, 0});
  }
  samples_.back().sum += value;
  samples_.back().last_ms = now_ms;
}

int64_t SampledRate::ThrottleMs(const QuotaWindows& windows, double limit, int64_t now_ms) {
  DropOld(windows, now_ms);
  if (samples_.empty()) return 0;
  double sum = 0;
  for (const Sample& sample : samples_) sum += sample.sum;
  const int64_t elapsed_ms = now_ms - samples_.front().start_ms;
  const int64_t missing = std::max<int64_t>(0, windows.num - 1 - elapsed_ms / windows.size_ms);
  const auto window_ms =
      static_cast<double>(std::max<int64_t>(1, elapsed_ms + missing * windows.size_ms));
  const double rate = sum * 1000 / window_ms;
  if (rate <= limit) return 0;
  return std::llround(std::min((rate - limit) / limit * window_ms, kThrottleMsMax));
}

bool SampledRate::IsIdle(const QuotaWindows& windows, int64_t now_ms) const {
  return samples_.empty() || now_ms - samples_.back().last_ms >= windows.num * windows.size_ms;
}

void SampledRate::DropOld(const QuotaWindows& windows, int64_t now_ms) {
  const int64_t age_max_ms = windows.num * windows.size_ms;
  while (!samples_.empty() && now_ms - samples_.front().last_ms >= age_max_ms) samples_.pop_front();
}

}  // namespace millrace
