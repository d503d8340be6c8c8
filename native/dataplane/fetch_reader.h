// FetchReader: looks at one partition on behalf of a fetch: who may read, from which offset, how
// much (kafka.md 4.3 to 4.5). Also what a Fetch request asks in general.
#pragma once

#include <cstdint>
#include <string>

#include "base/kafka_error.h"
#include "dataplane/fetch_session.h"
#include "log/log.h"

namespace millrace::dataplane {

enum class FetchMode : uint8_t {
  kSessionless,
  kFull,         // All partitions; opens a session.
  kIncremental,  // Only what changed.
};

struct FetchParameters {
  int16_t version = 0;
  int32_t correlation_id = 0;
  FetchMode mode = FetchMode::kSessionless;
  bool read_committed = false;
  int32_t replica_id = -1;
  int64_t max_wait_ms = 0;
  size_t min_bytes = 0;
  size_t max_bytes = 0;
  // Whose quota it counts for; both only where a quota is set.
  bool metered = false;
  std::string client_id;
};

// What a look at one partition found.
struct PartitionAnswer {
  FetchEntry* entry = nullptr;
  KafkaError error = KafkaError::kNone;
  bool unknown = false;    // The error says that the partition is not here.
  bool held_back = false;  // There are records, but the limits leave no room for them.
  int64_t high_watermark = -1;
  int64_t last_stable_offset = -1;
  int64_t log_start_offset = -1;
  log::EpochEndOffset diverging_epoch;
  int32_t leader_epoch = -1;
  log::LogSlice slice;

  bool diverging() const { return diverging_epoch.leader_epoch >= 0; }
  // Ends the wait of a parked fetch whatever its min bytes are.
  bool urgent() const { return (error != KafkaError::kNone && !unknown) || diverging(); }
};

class FetchReader {
 public:
  explicit FetchReader(const PartitionTable& table) : table_(table) {}

  // `bytes_left`: of the whole response. `first`: nothing was read for this response yet, so that
  // the first batch comes whatever the limits say (KIP-74); a later one comes only if it fits.
  PartitionAnswer Read(FetchEntry& entry, const FetchParameters& parameters, size_t bytes_left,
                       bool first) const;

  // A cheap look, for waiting fetches whose partition is in service.
  enum class Glimpse : uint8_t { kNothing, kRecords, kUrgent /* an error, most likely */ };
  static Glimpse Peek(const FetchEntry& entry, const FetchParameters& parameters);
  // How much of what `entry` asks for is here, at most its own limit.
  static size_t AvailableBytes(const FetchEntry& entry, const FetchParameters& parameters);

 private:
  static KafkaError CheckAccess(const FetchEntry& entry, const FetchParameters& parameters);
  static void CheckEpoch(const FetchEntry& entry, PartitionAnswer& answer);

  const PartitionTable& table_;
};

}  // namespace millrace::dataplane
