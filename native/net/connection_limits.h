// ConnectionLimits: max.connections, max.connections.per.ip and its overrides, and the rates at
// which addresses may connect, of a pool, counted over all reactors. They may change while
// connections are open; those stay. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "net/reactor.h"
#include "net/socket_address.h"

namespace millrace::net {

enum class Admission : uint8_t { kAdmitted, kTooMany, kTooManyOfAddress, kTooFast };

class ConnectionLimits {
 public:
  explicit ConnectionLimits(const ConnectionMaxima& maxima, const QuotaWindows& windows = {})
      : windows_(windows) {
    Change(maxima);
  }

  void Change(const ConnectionMaxima& maxima);

  void ChangeRates(const ConnectionRates& rates);

  struct Answer {
    Admission admission;
    int64_t throttle_ms = 0;  // kTooFast: how long the client shall wait for being closed.
  };
  // Counts a connection in, unless a limit is reached.
  Answer Admit(const IpBytes& ip, int64_t now_ms);
  // Counts an admitted connection out.
  void Release(const IpBytes& ip);

  // Addresses whose rate is being measured.
  size_t measured_addresses();

 private:
  // 0: not too fast.
  int64_t MeasureRate(const IpBytes& ip, int64_t now_ms);
  Admission Count(const IpBytes& ip);

  const QuotaWindows windows_;
  std::mutex mutex_;
  int32_t connections_max_ = 0;
  int32_t connections_per_ip_max_ = 0;
  std::map<IpBytes, int32_t> maxima_of_ip_;
  double rate_per_ip_ = 0;
  std::map<IpBytes, double> rates_of_ip_;
  std::map<IpBytes, SampledRate> measured_;
  size_t sweep_at_ = 0;
  int32_t connections_ = 0;
  // Only addresses with open connections, hence bounded by their number.
  std::map<IpBytes, int32_t> connections_of_ip_;
};

}  // namespace millrace::net
