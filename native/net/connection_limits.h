// ConnectionLimits: max.connections and max.connections.per.ip of a pool, counted over all
// reactors. Any thread.
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
  explicit ConnectionLimits(const NetOptions& options)
      : connections_max_(options.connections_max),
        connections_per_ip_max_(options.connections_per_ip_max) {}

  // Counts a connection in, unless a limit is reached.
  Admission Admit(const IpBytes& ip);
  // Counts an admitted connection out.
  void Release(const IpBytes& ip);

 private:
  const int32_t connections_max_;
  const int32_t connections_per_ip_max_;
  std::mutex mutex_;
  int32_t connections_ = 0;
  // Only addresses with open connections, hence bounded by their number.
  std::map<IpBytes, int32_t> connections_of_ip_;
};

}  // namespace millrace::net
