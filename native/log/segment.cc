#include "log/segment.h"

#include <algorithm>
#include <array>

#include "log/segment_file_name.h"

namespace millrace::log {

Result<std::shared_ptr<Segment>> Segment::Open(io::FileSystem& file_system,
                                               const std::string& directory, int64_t base_offset,
                                               io::OpenMode mode, int64_t now_ms) {
  const std::string path = SegmentPath(directory, base_offset, kLogSuffix);
  Result<std::unique_ptr<io::File>> file = file_system.Open(path, mode);
  if (!file.ok()) return file.error();
  Result<uint64_t> size = file.value()->Size();
  if (!size.ok()) return size.error();
  auto segment =
      std::make_shared<Segment>(file.Take(), size.value(), file_system, directory, base_offset);
  segment->created_ms_ = now_ms;
  return segment;
}

Segment::Segment(std::unique_ptr<io::File> file, uint64_t length, io::FileSystem& file_system,
                 const std::string& directory, int64_t base_offset)
    : base_offset_(base_offset),
      path_(SegmentPath(directory, base_offset, kLogSuffix)),
      log_file_(std::move(file), length),
      offset_index_(file_system, SegmentPath(directory, base_offset, kIndexSuffix), base_offset),
      time_index_(file_system, SegmentPath(directory, base_offset, kTimeIndexSuffix), base_offset),
      size_(length) {}

Result<TimestampOffset> Segment::MaxTimestamp() {
  if (!max_timestamp_) {
    Result<TimestampOffset> last = time_index_.Last();
    if (!last.ok()) return last.error();
    max_timestamp_ = last.value();
  }
  return *max_timestamp_;
}

Result<std::optional<int64_t>> Segment::FirstBatchTimestamp() {
  if (!first_batch_timestamp_ && size_ > 0) {
    std::array<uint8_t, record::kHeaderSize> buffer;
    BatchScanner scanner(file(), 0, size_, buffer);
    Result<ScanStep> step = scanner.Next();
    if (!step.ok()) return step.error();
    if (step.value() != ScanStep::kBatch) return BadBatch(scanner);
    first_batch_timestamp_ = scanner.batch().max_timestamp();
  }
  return first_batch_timestamp_;
}

Status Segment::Reserve(size_t size, const LogConfig& config) {
  Status reserved = log_file_.Reserve(size_ + size, static_cast<uint64_t>(config.segment_bytes));
  return reserved.ok() ? ReserveIndexEntries(config) : reserved;
}

Status Segment::ReserveIndexEntries(const LogConfig& config) {
  if (bytes_since_index_entry_ <= static_cast<uint64_t>(config.index_interval_bytes)) {
    return Status::Ok();
  }
  Status reserved = offset_index_.file().Reserve(1, config.segment_index_bytes);
  if (!reserved.ok()) return reserved;
  // Two: sealing adds one more.
  return time_index_.file().Reserve(2, config.segment_index_bytes);
}

Status Segment::Note(const record::RecordBatch& batch, const LogConfig& config) {
  const int64_t last_offset = batch.last_offset();
  Result<TimestampOffset> max = MaxTimestamp();
  if (!max.ok()) return max.error();
  if (batch.max_timestamp() > max.value().timestamp) {
    max_timestamp_ = TimestampOffset{batch.max_timestamp(), last_offset};
  }
  if (size_ == 0) first_batch_timestamp_ = batch.max_timestamp();
  if (bytes_since_index_entry_ > static_cast<uint64_t>(config.index_interval_bytes)) {
    offset_index_.Append(last_offset, size_);
    Status added = time_index_.AppendIfLater(*max_timestamp_);
    if (!added.ok()) return added;
    bytes_since_index_entry_ = 0;
  }
  size_ += batch.size();
  bytes_since_index_entry_ += batch.size();
  return Status::Ok();
}

Status Segment::ResetIndexes() {
  max_timestamp_ = TimestampOffset{-1, base_offset_};
  first_batch_timestamp_.reset();
  bytes_since_index_entry_ = 0;
  size_ = 0;
  Status cleared = offset_index_.file().Clear();
  return cleared.ok() ? time_index_.file().Clear() : cleared;
}

Status Segment::Seal(const LogConfig& config) {
  if (sealed_) return Status::Ok();
  Status reserved = time_index_.file().Reserve(1, config.segment_index_bytes);
  if (!reserved.ok()) return reserved;
  Result<TimestampOffset> max = MaxTimestamp();
  if (!max.ok()) return max.error();
  Status done = time_index_.AppendIfLater(max.value());
  if (done.ok()) done = time_index_.file().Seal();
  if (done.ok()) done = offset_index_.file().Seal();
  if (done.ok()) done = log_file_.Seal(size_);
  if (!done.ok()) return done;
  sealed_ = true;
  seal_synced_ = false;
  return Status::Ok();
}

void Segment::MarkLoadedSealed() {
  sealed_ = true;
  MarkSynced(size_, true);
}

void Segment::MarkSynced(uint64_t size, bool sealed) {
  synced_size_ = std::max(synced_size_, size);
  seal_synced_ = seal_synced_ || sealed;
}

Error Segment::BadBatch(const BatchScanner& scanner) const {
  return Error{ErrorCode::kCorrupt, 0,
               path_ + " is damaged at byte " + std::to_string(scanner.next_position()) + ": " +
                   scanner.problem()};
}

template <class Wanted>
Result<std::optional<BatchPlace>> Segment::Scan(uint64_t position, uint64_t limit, Wanted wanted) {
  std::array<uint8_t, 4096> buffer;
  BatchScanner scanner(file(), position, limit, buffer);
  while (true) {
    Result<ScanStep> step = scanner.Next();
    if (!step.ok()) return step.error();
    if (step.value() == ScanStep::kEnd) return std::optional<BatchPlace>();
    if (step.value() == ScanStep::kBad) return BadBatch(scanner);
    const record::RecordBatch batch = scanner.batch();
    if (wanted(batch)) {
      return std::optional(BatchPlace{batch.base_offset(), batch.last_offset(), scanner.position(),
                                      static_cast<uint32_t>(batch.size())});
    }
  }
}

Result<std::optional<BatchPlace>> Segment::FindOffset(int64_t offset, uint64_t limit) {
  Result<OffsetPosition> start = offset_index_.Lookup(offset);
  if (!start.ok()) return start.error();
  return Scan(start.value().position, limit,
              [offset](const record::RecordBatch& batch) { return batch.last_offset() >= offset; });
}

Result<std::optional<BatchPlace>> Segment::FindTimestamp(int64_t timestamp, int64_t from_offset,
                                                         uint64_t limit) {
  // The greatest entry below the timestamp: every batch before it has only older records.
  Result<TimestampOffset> older = time_index_.Lookup(timestamp - 1);
  if (!older.ok()) return older.error();
  Result<OffsetPosition> start = offset_index_.Lookup(std::max(older.value().offset, from_offset));
  if (!start.ok()) return start.error();
  return Scan(start.value().position, limit, [=](const record::RecordBatch& batch) {
    return batch.max_timestamp() >= timestamp && batch.last_offset() >= from_offset;
  });
}

}  // namespace millrace::log
