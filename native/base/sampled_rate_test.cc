// Rates over windows: Kafka's figures for a burst, a steady flow and a silence.
#include "base/sampled_rate.h"

#include <doctest/doctest.h>

namespace millrace {

TEST_CASE("a burst counts over all windows but the current one") {
  const QuotaWindows windows;
  SampledRate rate;
  rate.Record(windows, 10'000, 5'000);
  // 10,000 over ten seconds are 1,000 a second.
  CHECK(rate.ThrottleMs(windows, 1000, 5'000) == 0);
  // (1000 - 500) / 500 of ten seconds.
  CHECK(rate.ThrottleMs(windows, 500, 5'000) == 10'000);
  // Time passes inside the first window: 10,000 over 10.5 seconds.
  CHECK(rate.ThrottleMs(windows, 500, 5'500) == 9'500);
}

TEST_CASE("what is older than all windows is forgotten") {
  const QuotaWindows windows;
  SampledRate rate;
  rate.Record(windows, 1'000'000, 0);
  CHECK(rate.ThrottleMs(windows, 1, 10'999) > 0);
  CHECK_FALSE(rate.IsIdle(windows, 10'999));
  CHECK(rate.IsIdle(windows, 11'000));
  CHECK(rate.ThrottleMs(windows, 1, 11'000) == 0);
}

TEST_CASE("waiting as long as told brings a steady flow to its limit") {
  const QuotaWindows windows;
  SampledRate rate;
  int64_t now_ms = 0;
  double sent = 0;
  while (now_ms < 600'000) {
    rate.Record(windows, 50'000, now_ms);
    sent += 50'000;
    now_ms += 10 + rate.ThrottleMs(windows, 100'000, now_ms);
  }
  CHECK(sent / 600 > 95'000);
  CHECK(sent / 600 < 105'000);
}

TEST_CASE("what is taken back does not count, and a long wait stays in bounds") {
  const QuotaWindows windows{2, 1000};
  SampledRate rate;
  rate.Record(windows, 500, 0);
  rate.Record(windows, -500, 0);
  CHECK(rate.ThrottleMs(windows, 1, 0) == 0);
  rate.Record(windows, 1e18, 1);
  CHECK(rate.ThrottleMs(windows, 1, 1) == 2'147'483'647);
}

}  // namespace millrace
