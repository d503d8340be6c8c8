// Counting connections; see connection_limits.h.
#include "net/connection_limits.h"

#include <algorithm>

namespace millrace::net {

namespace {

// Beyond this many measured addresses those that fell silent are forgotten.
constexpr size_t kMeasuredMin = 1000;

}  // namespace

ConnectionLimits::Answer ConnectionLimits::Admit(const IpBytes& ip, int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const int64_t throttle_ms = MeasureRate(ip, now_ms);
  if (throttle_ms > 0) return {Admission::kTooFast, throttle_ms};
  return {Count(ip)};
}

int64_t ConnectionLimits::MeasureRate(const IpBytes& ip, int64_t now_ms) {
  if (rate_per_ip_ <= 0 && rates_of_ip_.empty()) return 0;
  const auto own = rates_of_ip_.find(ip);
  const double limit = own == rates_of_ip_.end() ? rate_per_ip_ : own->second;
  if (limit <= 0) return 0;
  if (measured_.size() >= std::max(sweep_at_, kMeasuredMin)) {
    std::erase_if(measured_,
                  [&](const auto& entry) { return entry.second.IsIdle(windows_, now_ms); });
    sweep_at_ = measured_.size() * 2;
  }
  SampledRate& rate = measured_[ip];
  rate.Record(windows_, 1, now_ms);
  const int64_t throttle_ms = rate.ThrottleMs(windows_, limit, now_ms);
  if (throttle_ms <= 0) return 0;
  // A connection that is refused does not count, or an eager client would never get in again.
  rate.Record(windows_, -1, now_ms);
  return std::min(throttle_ms, windows_.size_ms);
}

size_t ConnectionLimits::measured_addresses() {
  const std::lock_guard lock(mutex_);
  return measured_.size();
}

Admission ConnectionLimits::Count(const IpBytes& ip) {
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

void ConnectionLimits::ChangeRates(const ConnectionRates& rates) {
  const std::lock_guard lock(mutex_);
  rate_per_ip_ = rates.per_ip;
  rates_of_ip_.clear();
  for (const auto& [text, rate] : rates.of_address) {
    const auto ip = ParseIp(text);
    if (ip.has_value()) rates_of_ip_[*ip] = rate;
  }
  if (rate_per_ip_ <= 0 && rates_of_ip_.empty()) measured_.clear();
}

void ConnectionLimits::Release(const IpBytes& ip) {
  const std::lock_guard lock(mutex_);
  connections_--;
  const auto found = connections_of_ip_.find(ip);
  if (found != connections_of_ip_.end() && --found->second == 0) connections_of_ip_.erase(found);
}

}  // namespace millrace::net
