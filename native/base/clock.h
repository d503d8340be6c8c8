// Time as the data plane sees it. Passed in, so that tests and the simulation set it.
#pragma once

#include <cstdint>

namespace millrace {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970; may jump. For timestamps that are stored or sent.
  virtual int64_t WallMs() const = 0;
  // Milliseconds since some fixed moment; never goes back. For timers and durations.
  virtual int64_t MonotonicMs() const = 0;
};

// The machine's clocks. Any thread.
class SystemClock final : public Clock {
 public:
  int64_t WallMs() const override;
  int64_t MonotonicMs() const override;
};

}  // namespace millrace
