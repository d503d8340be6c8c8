// What a measured phase cost: wall time, and processor time of broker and client.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "load/report.h"
#include "wire/clock.h"

namespace millrace::bench {

struct Usage {
  int64_t wall = 0;
  int64_t broker = 0;
  int64_t client = 0;

  // Readings of now; `broker_pid` 0 when the broker is not to be measured.
  static Usage Now(pid_t broker_pid) {
    return {.wall = MonotonicNanos(),
            .broker = broker_pid == 0 ? 0 : CpuNanos(broker_pid),
            .client = CpuNanos(0)};
  }

  Usage Since(const Usage& start) const {
    return {wall - start.wall, broker - start.broker, client - start.client};
  }

  double WallSeconds() const { return static_cast<double>(wall) / 1e9; }

  void AddTo(Report& report) const {
    report.Add("seconds", WallSeconds());
    report.Add("brokerCpuSeconds", static_cast<double>(broker) / 1e9);
    report.Add("clientCpuSeconds", static_cast<double>(client) / 1e9);
  }
};

}  // namespace millrace::bench
