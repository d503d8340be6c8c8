#include "base/clock.h"

#include <ctime>

namespace millrace {
namespace {

int64_t ReadMs(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

int64_t SystemClock::WallMs() const { return ReadMs(CLOCK_REALTIME); }

int64_t SystemClock::MonotonicMs() const { return ReadMs(CLOCK_MONOTONIC); }

}  // namespace millrace
