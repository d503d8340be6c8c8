#include "dataplane/fetch_reader.h"

#include <algorithm>

namespace millrace::dataplane {
namespace {

log::Isolation IsolationOf(const FetchParameters& parameters) {
  return parameters.read_committed ? log::Isolation::kLastStable : log::Isolation::kHighWatermark;
}

int64_t EndOf(const log::LogOffsets& offsets, const FetchParameters& parameters) {
  return parameters.read_committed ? offsets.last_stable_offset : offsets.high_watermark;
}

// An answer with an error carries no offsets, as Kafka's.
void Fail(PartitionAnswer& answer, KafkaError error) {
  answer.error = error;
  answer.high_watermark = answer.last_stable_offset = answer.log_start_offset = -1;
  answer.diverging_epoch = {};
  answer.slice = {};
}

}  // namespace

PartitionAnswer FetchReader::Read(FetchEntry& entry, const FetchParameters& parameters,
                                  size_t bytes_left, bool first) const {
  PartitionAnswer answer;
  answer.entry = &entry;
  answer.error = entry.Resolve(table_);
  answer.unknown = answer.error != KafkaError::kNone;
  if (answer.unknown) return answer;
  answer.leader_epoch = entry.partition()->leader_epoch();
  answer.error = CheckAccess(entry, parameters);
  if (answer.error != KafkaError::kNone) return answer;

  log::Log& log = entry.partition()->log();
  const log::LogOffsets offsets = log.offsets();
  answer.high_watermark = offsets.high_watermark;
  answer.last_stable_offset = offsets.last_stable_offset;
  answer.log_start_offset = offsets.log_start_offset;
  CheckEpoch(entry, answer);
  if (answer.error != KafkaError::kNone || answer.diverging()) return answer;
  if (entry.fetch_offset < offsets.log_start_offset ||
      entry.fetch_offset > offsets.log_end_offset) {
    Fail(answer, KafkaError::kOffsetOutOfRange);
    return answer;
  }
  if (entry.fetch_offset >= EndOf(offsets, parameters)) return answer;

  const size_t limit = std::min(entry.max_bytes, bytes_left);
  if (limit == 0 && !first) {
    answer.held_back = true;
    return answer;
  }
  log::ReadResult read = log.Read({entry.fetch_offset, limit, first, IsolationOf(parameters)});
  if (read.error != KafkaError::kNone) {
    Fail(answer, read.error);
    return answer;
  }
  // Nothing to a first look means that there is no batch, whatever the offsets say.
  answer.held_back = !first && read.slice.size == 0;
  answer.high_watermark = read.high_watermark;
  answer.last_stable_offset = read.last_stable_offset;
  answer.log_start_offset = read.log_start_offset;
  answer.slice = std::move(read.slice);
  return answer;
}

FetchReader::Glimpse FetchReader::Peek(const FetchEntry& entry, const FetchParameters& parameters) {
  if (CheckAccess(entry, parameters) != KafkaError::kNone) return Glimpse::kUrgent;
  const log::LogOffsets offsets = entry.partition()->log().offsets();
  if (entry.fetch_offset < offsets.log_start_offset) return Glimpse::kUrgent;
  return entry.fetch_offset < EndOf(offsets, parameters) ? Glimpse::kRecords : Glimpse::kNothing;
}

size_t FetchReader::AvailableBytes(const FetchEntry& entry, const FetchParameters& parameters) {
  return entry.partition()
      ->log()
      .Read({entry.fetch_offset, entry.max_bytes, true, IsolationOf(parameters)})
      .slice.size;
}

KafkaError FetchReader::CheckAccess(const FetchEntry& entry, const FetchParameters& parameters) {
  const Partition& partition = *entry.partition();
  if (entry.current_leader_epoch >= 0) {
    const int32_t epoch = partition.leader_epoch();
    if (entry.current_leader_epoch < epoch) return KafkaError::kFencedLeaderEpoch;
    if (entry.current_leader_epoch > epoch) return KafkaError::kUnknownLeaderEpoch;
  }
  // A fetch in the name of a broker that is no replica of this partition. Kafka takes a follower
  // that agrees on the epoch for one with newer metadata and lets it retry.
  if (parameters.replica_id >= 0) {
    return entry.current_leader_epoch >= 0 ? KafkaError::kUnknownLeaderEpoch
                                           : KafkaError::kNotLeaderOrFollower;
  }
  return partition.offline() ? KafkaError::kKafkaStorageError : KafkaError::kNone;
}

// Compares the histories of client and log (KIP-320, KIP-595): the client has read up to
// fetch_offset, the last record with last_fetched_epoch.
void FetchReader::CheckEpoch(const FetchEntry& entry, PartitionAnswer& answer) {
  if (entry.last_fetched_epoch < 0) return;
  const log::EpochEndOffset end =
      entry.partition()->log().EndOffsetForEpoch(entry.last_fetched_epoch);
  if (end.end_offset < 0 || end.leader_epoch < 0 || entry.fetch_offset < answer.log_start_offset) {
    Fail(answer, KafkaError::kOffsetOutOfRange);
    return;
  }
  if (end.leader_epoch < entry.last_fetched_epoch || end.end_offset < entry.fetch_offset) {
    answer.diverging_epoch = end;
  }
}

}  // namespace millrace::dataplane
