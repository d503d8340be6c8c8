#include "dataplane/byte_rate_quotas.h"

#include <algorithm>

namespace millrace::dataplane {
namespace {

// Until clients authenticate, everyone is this user, as in Kafka.
constexpr const char* kAnonymous = "ANONYMOUS";
// Client ids come from outside: beyond this many, those that fell silent are forgotten.
constexpr size_t kMetersKeptMin = 1000;

size_t IndexOf(ByteRateKind kind) { return static_cast<size_t>(kind); }

}  // namespace

void ByteRateQuotas::Set(const std::vector<ByteRateQuota>& quotas) {
  const auto part = [](const ByteRateQuota::Part& given) -> std::optional<Part> {
    if (given.kind == ByteRateQuota::PartKind::kAbsent) return std::nullopt;
    return Part{given.kind == ByteRateQuota::PartKind::kDefault, given.name};
  };
  const std::lock_guard lock(mutex_);
  for (auto& limits : limits_) limits.clear();
  for (const ByteRateQuota& quota : quotas) {
    const Entity entity{part(quota.user), part(quota.client_id)};
    const std::array<double, 2> rates = {quota.producer_byte_rate, quota.consumer_byte_rate};
    for (size_t i = 0; i < rates.size(); ++i) {
      if (rates[i] > 0) limits_[i][entity] = rates[i];
    }
  }
  for (size_t i = 0; i < limits_.size(); ++i) {
    if (limits_[i].empty()) rates_[i].clear();
    sweep_at_[i] = kMetersKeptMin;
    active_[i].store(!limits_[i].empty(), std::memory_order_relaxed);
  }
}

int64_t ByteRateQuotas::Record(ByteRateKind kind, std::string_view client_id, size_t bytes,
                               int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto applied = Find(kind, client_id);
  if (!applied.has_value()) return 0;
  SampledRate& rate = RateOf(kind, applied->meter, now_ms);
  rate.Record(windows_, static_cast<double>(bytes), now_ms);
  return rate.ThrottleMs(windows_, applied->limit, now_ms);
}

int64_t ByteRateQuotas::RecordUnlessThrottled(ByteRateKind kind, std::string_view client_id,
                                              size_t bytes, int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto applied = Find(kind, client_id);
  if (!applied.has_value()) return 0;
  SampledRate& rate = RateOf(kind, applied->meter, now_ms);
  rate.Record(windows_, static_cast<double>(bytes), now_ms);
  const int64_t throttle_ms = rate.ThrottleMs(windows_, applied->limit, now_ms);
  if (throttle_ms > 0) rate.Record(windows_, -static_cast<double>(bytes), now_ms);
  return throttle_ms;
}

std::optional<size_t> ByteRateQuotas::WindowBytes(ByteRateKind kind, std::string_view client_id) {
  const std::lock_guard lock(mutex_);
  const auto applied = Find(kind, client_id);
  if (!applied.has_value()) return std::nullopt;
  constexpr double kMost = 1 << 30;  // No response is larger.
  const double seconds =
      static_cast<double>(windows_.num - 1) * static_cast<double>(windows_.size_ms) / 1000;
  return static_cast<size_t>(std::min(applied->limit * seconds, kMost));
}

std::optional<ByteRateQuotas::Applied> ByteRateQuotas::Find(ByteRateKind kind,
                                                            std::string_view client_id) const {
  const auto& limits = limits_[IndexOf(kind)];
  if (limits.empty()) return std::nullopt;
  const std::string user = kAnonymous;
  const std::string client(client_id);
  const std::optional<Part> named_user = Part{false, user};
  const std::optional<Part> named_client = Part{false, client};
  const std::optional<Part> any = Part{true, {}};
  const std::optional<Part> none;
  const Meter both{user, client};
  const Meter user_only{user, std::nullopt};
  const Meter client_only{std::nullopt, client};
  // Kafka's order. A default is what each client may use, not all together: it has the client's
  // own meter.
  const std::array<std::pair<Entity, const Meter*>, 8> candidates = {{
      {{named_user, named_client}, &both},
      {{named_user, any}, &both},
      {{named_user, none}, &user_only},
      {{any, named_client}, &both},
      {{any, any}, &both},
      {{any, none}, &user_only},
      {{none, named_client}, &client_only},
      {{none, any}, &client_only},
  }};
  for (const auto& [entity, meter] : candidates) {
    const auto found = limits.find(entity);
    if (found != limits.end()) return Applied{found->second, *meter};
  }
  return std::nullopt;
}

SampledRate& ByteRateQuotas::RateOf(ByteRateKind kind, const Meter& meter, int64_t now_ms) {
  auto& rates = rates_[IndexOf(kind)];
  const auto found = rates.find(meter);
  if (found != rates.end()) return found->second;
  size_t& sweep_at = sweep_at_[IndexOf(kind)];
  if (rates.size() >= sweep_at) {
    std::erase_if(rates, [&](const auto& entry) { return entry.second.IsIdle(windows_, now_ms); });
    sweep_at = std::max(kMetersKeptMin, rates.size() * 2);
  }
  return rates[meter];
}

}  // namespace millrace::dataplane
