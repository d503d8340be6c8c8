// The write path of PartitionLog.
#include <algorithm>
#include <limits>

#include "log/partition_folder.h"
#include "log/partition_log.h"
#include "log/producer_snapshot.h"
#include "log/segment_file_name.h"

namespace millrace::log {
namespace {

constexpr const char* kOfflineMessage =
    "The log dir is offline after a disk error; the broker must be restarted once it is repaired.";
constexpr const char* kFullMessage =
    "The disk of the log dir is full; nothing was stored. Writing works again once there is space.";
constexpr const char* kDuplicateEpochMessage =
    "The producer's epoch is older than the one this partition has seen.";
constexpr const char* kOutOfOrderMessage =
    "The sequence does not follow the last batch of this producer.";
constexpr const char* kOpenTransactionMessage =
    "The producer has an open transaction here, but the batch is not transactional.";

void Refuse(AppendJob& job, KafkaError error, const char* message) {
  job.error = error;
  job.error_message = message;
  job.base_offset = -1;
  job.last_offset = -1;
  job.log_append_time_ms = -1;
}

// A number that differs between partitions and segments, so that not all of them roll at once
// (segment.jitter.ms).
int64_t Jitter(const std::string& directory, int64_t base_offset, const LogConfig& config) {
  const int64_t most = std::min(config.segment_jitter_ms, config.segment_ms);
  if (most <= 0) return 0;
  const uint64_t seed = std::hash<std::string>()(directory) +
                        static_cast<uint64_t>(base_offset) * 0x9E3779B97F4A7C15u;
  return static_cast<int64_t>((seed ^ seed >> 29) % static_cast<uint64_t>(most));
}

}  // namespace

record::ProduceRules PartitionLog::Rules(const AppendContext& context) const {
  const LogConfig& config = *config_;
  return record::ProduceRules{
      .api_version = context.api_version,
      .max_message_bytes = config.max_message_bytes,
      .segment_bytes = config.segment_bytes,
      .log_append_time = config.message_timestamp_type == TimestampType::kLogAppendTime,
      .timestamp_before_max_ms = config.message_timestamp_before_max_ms,
      .timestamp_after_max_ms = config.message_timestamp_after_max_ms,
      .now_ms = context.now_ms,
      .keys_required = config.compacted,
  };
}

void PartitionLog::AppendAsLeader(std::span<AppendJob> jobs, const AppendContext& context) {
  record::ProduceRules rules;
  {
    const std::lock_guard lock(mutex_);
    rules = Rules(context);
  }
  // Checksums are computed outside of the mutex.
  for (AppendJob& job : jobs) {
    const record::ProduceVerdict verdict = record::ValidateProduce({job.records, job.size}, rules);
    job.error = verdict.error;
    job.error_message = verdict.message;
    if (verdict.error == KafkaError::kNone) {
      record::ApplyTimestampType({job.records, verdict.batch_size}, rules);
      if (rules.log_append_time) job.log_append_time_ms = context.now_ms;
    }
  }
  const std::lock_guard lock(mutex_);
  Status status;
  for (AppendJob& job : jobs) {
    if (job.error != KafkaError::kNone) continue;
    if (Unusable()) {
      Refuse(job, KafkaError::kKafkaStorageError, kOfflineMessage);
      continue;
    }
    if (!CheckProducer(job)) continue;
    status = Failed(AppendOne(job, context));
    if (!status.ok()) {
      const bool full = status.error().code == ErrorCode::kNoSpace;
      Refuse(job, KafkaError::kKafkaStorageError, full ? kFullMessage : kOfflineMessage);
    }
  }
  if (!Unusable()) (void)WritePending();
  if (dir_->offline()) {
    pending_ = {};
    // What was written before the failure is published; what was not is refused.
    for (AppendJob& job : jobs) {
      const bool lost = job.error == KafkaError::kNone && !job.duplicate &&
                        job.last_offset >= offsets_.log_end_offset;
      if (lost) Refuse(job, KafkaError::kKafkaStorageError, kOfflineMessage);
    }
  }
  Publish();
}

bool PartitionLog::CheckProducer(AppendJob& job) const {
  const record::RecordBatch batch(job.records);
  if (!batch.has_producer_id()) return true;
  ProducerBatch duplicate;
  switch (producers_.Check(batch, duplicate)) {
    case SequenceCheck::kInOrder:
      return true;
    case SequenceCheck::kDuplicate:
      job.duplicate = true;
      job.base_offset = duplicate.first_offset();
      job.last_offset = duplicate.last_offset;
      job.log_append_time_ms = duplicate.timestamp;
      return false;
    case SequenceCheck::kOutOfOrder:
      Refuse(job, KafkaError::kOutOfOrderSequenceNumber, kOutOfOrderMessage);
      return false;
    case SequenceCheck::kStaleEpoch:
      Refuse(job, KafkaError::kInvalidProducerEpoch, kDuplicateEpochMessage);
      return false;
    case SequenceCheck::kOpenTransaction:
      Refuse(job, KafkaError::kInvalidTxnState, kOpenTransactionMessage);
      return false;
  }
  return false;
}

Status PartitionLog::AppendOne(AppendJob& job, const AppendContext& context) {
  record::MutableRecordBatch batch(job.records);
  const size_t size = batch.size();
  const int64_t base_offset = next_offset_;
  Result<bool> must_roll = MustRoll(batch, base_offset, context.now_ms);
  if (!must_roll.ok()) return must_roll.error();
  Status ready = must_roll.value() ? Roll(base_offset, size, context.now_ms)
                                   : active().Reserve(size, *config_);
  if (!ready.ok()) return ready;
  if (context.leader_epoch > epochs_.LatestEpoch() || epochs_dirty_) {
    Status assigned = AssignEpoch(context.leader_epoch);
    if (!assigned.ok()) return assigned;
  }

  batch.set_base_offset(base_offset);
  batch.set_partition_leader_epoch(context.leader_epoch);
  const uint64_t position = active().size();
  if (pending_.pieces.empty()) pending_.position = position;
  pending_.pieces.push_back({job.records, size});
  pending_.total += size;
  Status noted = active().Note(batch, *config_);
  if (!noted.ok()) return noted;
  const int64_t last_offset = batch.last_offset();
  recent_.Add({base_offset, last_offset, position, static_cast<uint32_t>(size)});
  if (batch.has_producer_id()) {
    producers_.Update(batch, context.now_ms);
    transactions_seen_ = transactions_seen_ || batch.is_transactional();
  }
  next_offset_ = last_offset + 1;
  job.base_offset = base_offset;
  job.last_offset = last_offset;
  return Status::Ok();
}

Result<bool> PartitionLog::MustRoll(const record::RecordBatch& batch, int64_t base_offset,
                                    int64_t now_ms) {
  Segment& segment = active();
  const LogConfig& config = *config_;
  if (segment.size() == 0) return false;
  if (segment.size() + batch.size() > static_cast<uint64_t>(config.segment_bytes)) return true;
  const int64_t last_offset = base_offset + batch.last_offset_delta();
  if (last_offset - segment.base_offset() > std::numeric_limits<int32_t>::max()) return true;
  Result<bool> full = segment.offset_index().IsFull(config.segment_index_bytes);
  if (full.ok() && !full.value()) full = segment.time_index().IsFull(config.segment_index_bytes);
  if (!full.ok() || full.value()) return full;
  Result<std::optional<int64_t>> first = segment.FirstBatchTimestamp();
  if (!first.ok()) return first.error();
  // The age of a segment is told by the records' clock if they have one, else by the broker's.
  const bool timed = first.value() && *first.value() >= 0;
  const int64_t age =
      timed ? batch.max_timestamp() - *first.value() : now_ms - segment.created_ms();
  return age > config.segment_ms - Jitter(directory_, segment.base_offset(), config);
}

Status PartitionLog::Roll(int64_t base_offset, size_t first_batch_size, int64_t now_ms) {
  Status written = WritePending();
  if (!written.ok()) return written;
  Result<std::shared_ptr<Segment>> next =
      Segment::Open(dir_->file_system(), directory_, base_offset, io::OpenMode::kCreate, now_ms);
  if (!next.ok()) return next.error();
  names_dirty_ = true;
  next.value()->set_size(0);
  Status ready = next.value()->Reserve(first_batch_size, *config_);
  if (ready.ok()) ready = active().Seal(*config_);
  if (!ready.ok()) {
    // The full disk gets the new file back; the old segment stays active.
    (void)RemoveSegmentFiles(dir_->file_system(), directory_, base_offset);
    return ready;
  }
  recent_.Clear();
  segments_.push_back(next.Take());
  pending_snapshots_.push_back({base_offset, EncodeProducerSnapshot(producers_)});
  return Status::Ok();
}

Status PartitionLog::WritePending() {
  if (pending_.total > 0) {
    Status written = active().log_file().Write(pending_.position, pending_.pieces, pending_.total);
    pending_.pieces.clear();
    pending_.total = 0;
    if (!written.ok()) {
      // Preallocated space cannot run out; whatever it is, the file no longer holds what the
      // indexes say.
      dir_->Fail();
      return written;
    }
  }
  offsets_.log_end_offset = next_offset_;
  return Status::Ok();
}

}  // namespace millrace::log
