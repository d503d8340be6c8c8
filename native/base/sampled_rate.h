// SampledRate: a rate over the last windows of time, as Kafka's metrics measure it: at most `num`
// samples of `size_ms` each. While there are fewer, the rate is taken over num - 1 windows, so that
// a burst after silence is not a high rate. Not for several threads at once.
// src/quotas/sampled-rate.ts is the same for the control plane.
#pragma once

#include <cstdint>
#include <deque>

namespace millrace {

struct QuotaWindows {
  int32_t num = 11;        // quota.window.num
  int64_t size_ms = 1000;  // quota.window.size.seconds
};

class SampledRate {
 public:
  // Negative values take back what was recorded in the same window.
  void Record(const QuotaWindows& windows, double value, int64_t now_ms);
  // How long to wait until the rate is back at `limit` per second; 0: it is not above.
  int64_t ThrottleMs(const QuotaWindows& windows, double limit, int64_t now_ms);
  // Nothing was recorded for so long that forgetting this changes nothing.
  bool IsIdle(const QuotaWindows& windows, int64_t now_ms) const;

 private:
  struct Sample {
    int64_t start_ms;
    int64_t last_ms;
    double sum;
  };

  void DropOld(const QuotaWindows& windows, int64_t now_ms);

  std::deque<Sample> samples_;  // At most num + 1.
};

}  // namespace millrace
