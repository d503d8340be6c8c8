// ConnectionLimits: max.connections, max.connections.per.ip and its overrides of a pool, counted
// over all reactors. They may change while connections are open; those stay. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "net/reactor.h"
#include "net/socket_address.h"

namespace millrace::net {

enum class Admission : uint8_t { kAdmitted, kTooMany, kTooManyOfAddress };

class ConnectionLimits {
 public:
  explicit ConnectionLimits(const ConnectionMaxima& maxima) { Change(maxima); }

  void Change(const ConnectionMaxima& maxima);

  // Counts a connection in, unless a limit is reached.
  Admission Admit(const IpBytes& ip);
  // Counts an admitted connection out.
  void Release(const IpBytes& ip);

 private:
  std::mutex mutex_;
  int32_t connections_max_ = 0;
  int32_t connections_per_ip_max_ = 0;
  std::map<IpBytes, int32_t> maxima_of_ip_;
  int32_t connections_ = 0;
  // Only addresses with open connections, hence bounded by their number.
  std::map<IpBytes, int32_t> connections_of_ip_;
};

}  // namespace millrace::net
