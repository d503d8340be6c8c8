// Clocks of the bench programs: monotonic time, and processor time of this or another process.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>

#include "wire/fail.h"

namespace millrace::bench {

inline int64_t ReadClock(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) {
    Fail("A clock could not be read; a broker that was being measured has probably ended.");
  }
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

inline int64_t MonotonicNanos() { return ReadClock(CLOCK_MONOTONIC); }

// User and kernel time of all threads of a process, ended threads included; nanoseconds, taken
// from the scheduler and therefore finer than the ticks in /proc/PID/stat. `pid` 0 is this process.
inline int64_t CpuNanos(pid_t pid) {
  clockid_t clock{};
  if (clock_getcpuclockid(pid, &clock) != 0) {
    Fail("There is no process %d to measure; give the broker's own process id.", pid);
  }
  return ReadClock(clock);
}

}  // namespace millrace::bench
