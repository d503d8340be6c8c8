// ByteRateQuotas: producer_byte_rate and consumer_byte_rate of clients (KIP-13): which limit a
// client is under, what it used, and for how long it must be held off. One for all reactors; any
// thread. Where no quota of a kind is set, asking costs one load.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sampled_rate.h"
#include "dataplane/data_plane.h"

namespace millrace::dataplane {

enum class ByteRateKind : uint8_t { kProduce, kFetch };

class ByteRateQuotas {
 public:
  explicit ByteRateQuotas(const QuotaWindows& windows) : windows_(windows) {}

  // Replaces all limits; what was used counts on.
  void Set(const std::vector<ByteRateQuota>& quotas);

  bool active(ByteRateKind kind) const {
    return active_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }
  // Records bytes of a client; returns for how many milliseconds it must be held off.
  int64_t Record(ByteRateKind kind, std::string_view client_id, size_t bytes, int64_t now_ms);
  // The same, but takes the bytes back where the client is to be held off: they are not sent.
  int64_t RecordUnlessThrottled(ByteRateKind kind, std::string_view client_id, size_t bytes,
                                int64_t now_ms);
  // What a client may use of an empty window without being held off.
  std::optional<size_t> WindowBytes(ByteRateKind kind, std::string_view client_id);

 private:
  // A user and a client id; an entity of one of them has an empty optional for the other.
  using Name = std::optional<std::string>;
  using Meter = std::pair<Name, Name>;
  // Whether it is the default of its kind, and else its name.
  using Part = std::pair<bool, std::string>;
  using Entity = std::pair<std::optional<Part>, std::optional<Part>>;
  struct Applied {
    double limit;
    Meter meter;
  };

  std::optional<Applied> Find(ByteRateKind kind, std::string_view client_id) const;
  SampledRate& RateOf(ByteRateKind kind, const Meter& meter, int64_t now_ms);

  const QuotaWindows windows_;
  std::array<std::atomic<bool>, 2> active_{};
  std::mutex mutex_;  // Guards all below.
  std::array<std::map<Entity, double>, 2> limits_;
  std::array<std::map<Meter, SampledRate>, 2> rates_;
  std::array<size_t, 2> sweep_at_;
};

}  // namespace millrace::dataplane
