#include "log/segment_scan.h"

#include <vector>

#include "log/segment_file_name.h"

namespace millrace::log {
namespace {

constexpr size_t kRecoveryBuffer = 1 << 20;
constexpr size_t kEndBuffer = 16 << 10;

// What the header of a batch must be, given the batches before it. Null: all is well.
const char* HeaderProblem(const record::RecordBatch& batch, int64_t expected_offset,
                          int32_t latest_epoch, bool contiguous) {
  const int64_t base = batch.base_offset();
  if (contiguous ? base != expected_offset : base < expected_offset) {
    return "the base offset does not follow the batch before";
  }
  const int64_t delta = batch.last_offset_delta();
  const int64_t count = batch.records_count();
  if (delta < 0 || count < 0 || count > delta + 1) {
    return "the record count contradicts the last offset delta";
  }
  if (contiguous && count != delta + 1) return "records are missing in a batch";
  if (__builtin_add_overflow(base, delta, &expected_offset)) return "the last offset overflows";
  if (batch.partition_leader_epoch() < latest_epoch) return "the leader epoch goes back";
  return nullptr;
}

// Message formats v0 and v1. Only looked at where a file begins: a torn header further on may look
// the same.
bool IsLegacy(const record::RecordBatch& batch) {
  return (batch.magic() == 0 || batch.magic() == 1) && batch.batch_length() >= 14;
}

class SegmentScanner {
 public:
  SegmentScanner(Segment& segment, const LogConfig& config, const SegmentScanRules& rules,
                 LeaderEpochCache& epochs)
      : segment_(segment), config_(config), rules_(rules), epochs_(epochs) {
    scan_.next_offset = segment.base_offset();
  }

  Result<SegmentScan> Run() {
    Result<uint64_t> length = segment_.file().Size();
    if (!length.ok()) return length.error();
    Status reset = segment_.ResetIndexes();
    if (!reset.ok()) return reset.error();
    std::vector<uint8_t> buffer(
        static_cast<size_t>(std::min<uint64_t>(kRecoveryBuffer, length.value() + 1)));
    BatchScanner scanner(segment_.file(), 0, length.value(), buffer);
    while (!scan_.damaged) {
      Result<ScanStep> step = scanner.Next();
      if (!step.ok()) return step.error();
      if (step.value() == ScanStep::kEnd) break;
      if (step.value() == ScanStep::kBad) {
        if (scan_.valid_size == 0 && IsLegacy(scanner.batch())) return LegacyError();
        Damaged(scanner.problem());
        break;
      }
      Status taken = Take(scanner);
      if (!taken.ok()) return taken.error();
    }
    return std::move(scan_);
  }

 private:
  Error LegacyError() const {
    return Error{ErrorCode::kCorrupt, 0,
                 "segment " + std::to_string(segment_.base_offset()) +
                     " is in a message format older than v2, which is not supported; let Apache "
                     "Kafka 3.x rewrite the topic first"};
  }

  void Damaged(const char* problem) {
    scan_.damaged = true;
    scan_.problem = std::string(problem) + " at byte " + std::to_string(scan_.valid_size);
  }

  Status Take(BatchScanner& scanner) {
    const record::RecordBatch header = scanner.batch();
    const char* problem =
        HeaderProblem(header, scan_.next_offset, latest_epoch_, rules_.contiguous);
    if (problem == nullptr && rules_.check_crc) {
      Result<const uint8_t*> bytes = scanner.WholeBatch(spill_);
      if (!bytes.ok()) return bytes.error();
      const record::RecordBatch whole(bytes.value() ? bytes.value() : header.data());
      if (bytes.value() == nullptr || whole.ComputeCrc() != whole.crc()) {
        problem = "the CRC of a batch does not match";
      }
    }
    if (problem != nullptr) {
      Damaged(problem);
      return Status::Ok();
    }
    latest_epoch_ = header.partition_leader_epoch();
    if (latest_epoch_ > epochs_.LatestEpoch()) epochs_.Assign(latest_epoch_, header.base_offset());
    scan_.next_offset = header.last_offset() + 1;
    scan_.valid_size = scanner.next_position();
    Status reserved = segment_.ReserveIndexEntries(config_);
    return reserved.ok() ? segment_.Note(header, config_) : reserved;
  }

  Segment& segment_;
  const LogConfig& config_;
  const SegmentScanRules& rules_;
  LeaderEpochCache& epochs_;
  SegmentScan scan_;
  int32_t latest_epoch_ = -1;
  std::vector<uint8_t> spill_;
};

}  // namespace

Result<SegmentScan> ScanSegment(Segment& segment, const LogConfig& config,
                                const SegmentScanRules& rules, LeaderEpochCache& epochs) {
  return SegmentScanner(segment, config, rules, epochs).Run();
}

Result<SegmentScan> ScanSegmentEnd(Segment& segment) {
  Result<uint64_t> length = segment.file().Size();
  if (!length.ok()) return length.error();
  Result<OffsetPosition> last = segment.offset_index().Last();
  if (!last.ok()) return last.error();
  Result<TimestampOffset> max = segment.MaxTimestamp();
  if (!max.ok()) return max.error();
  std::vector<uint8_t> buffer(
      static_cast<size_t>(std::min<uint64_t>(kEndBuffer, length.value() + 1)));
  SegmentScan scan{last.value().position, segment.base_offset(), false, {}};
  BatchScanner scanner(segment.file(), scan.valid_size, length.value(), buffer);
  while (true) {
    Result<ScanStep> step = scanner.Next();
    if (!step.ok()) return step.error();
    if (step.value() == ScanStep::kEnd) break;
    const bool first = scanner.position() == last.value().position && scanner.position() > 0;
    const bool good = step.value() == ScanStep::kBatch &&
                      scanner.batch().base_offset() >= scan.next_offset &&
                      (!first || scanner.batch().last_offset() == last.value().offset);
    if (!good) {
      scan.damaged = true;
      scan.problem = "what follows byte " + std::to_string(scan.valid_size) + " is no batch";
      break;
    }
    const record::RecordBatch batch = scanner.batch();
    if (batch.max_timestamp() > max.value().timestamp) {
      max.value() = TimestampOffset{batch.max_timestamp(), batch.last_offset()};
    }
    scan.next_offset = batch.last_offset() + 1;
    scan.valid_size = scanner.next_position();
  }
  segment.set_size(scan.valid_size);
  segment.set_max_timestamp(max.value());
  segment.set_bytes_since_index_entry(scan.valid_size - last.value().position);
  return scan;
}

}  // namespace millrace::log
