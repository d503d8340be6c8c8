// Counting connections; see connection_limits.h.
#include "net/connection_limits.h"

namespace millrace::net {

Admission ConnectionLimits::Admit(const IpBytes& ip) {
  const std::lock_guard lock(mutex_);
  if (connections_ >= connections_max_) return Admission::kTooMany;
  const auto own = maxima_of_ip_.find(ip);
  const int32_t most = own == maxima_of_ip_.end() ? connections_per_ip_max_ : own->second;
  if (most <= 0) return Admission::kTooManyOfAddress;
  int32_t& of_ip = connections_of_ip_[ip];
  // A full address has an entry already: refusing it leaves nothing behind.
  if (of_ip >= most) return Admission::kTooManyOfAddress;
  of_ip++;
  connections_++;
  return Admission::kAdmitted;
}

void ConnectionLimits::Change(const ConnectionMaxima& maxima) {
  const std::lock_guard lock(mutex_);
  connections_max_ = maxima.connections;
  connections_per_ip_max_ = maxima.connections_per_ip;
  maxima_of_ip_.clear();
  for (const auto& [text, most] : maxima.of_address) {
    const auto ip = ParseIp(text);
    if (ip.has_value()) maxima_of_ip_[*ip] = most;
  }
}

void ConnectionLimits::Release(const IpBytes& ip) {
  const std::lock_guard lock(mutex_);
  connections_--;
  const auto found = connections_of_ip_.find(ip);
  if (found != connections_of_ip_.end() && --found->second == 0) connections_of_ip_.erase(found);
}

}  // namespace millrace::net
