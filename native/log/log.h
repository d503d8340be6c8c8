// Log: the records of one partition on disk, in Apache Kafka's files (docs/log-format.md). The only
// writer of its folder.
//
//   log start                high watermark      log end
//      |  segment 0  |  segment 1  |  active segment  |....preallocated....
//
// Threads: every method may be called from any thread; appends and configuration changes take the
// log's mutex, reads take it only to find a segment and then work on its immutable part. Append
// order is call order. Durability: an append is in the page cache (it survives kill -9) when
// AppendAsLeader returns, and on disk when flushed_offset() is beyond it. Flush() moves
// flushed_offset(); the committer (log/committer.h) calls it in groups. A failed write or sync
// takes the whole LogDir offline; a full disk (kNoSpace) only fails the append at hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/kafka_error.h"
#include "base/result.h"
#include "io/file_system.h"
#include "log/log_config.h"

namespace millrace::log {

class Segment;

// A log dir: where it is, and whether it failed. Shared by its logs. `Fail` is called at the first
// failed write or sync and is final: no further append or acknowledgement comes from this dir until
// the broker starts again (DESIGN 4.8).
class LogDir {
 public:
  LogDir(io::FileSystem& file_system, std::string path)
      : file_system_(file_system), path_(std::move(path)) {}

  io::FileSystem& file_system() const { return file_system_; }
  const std::string& path() const { return path_; }
  bool offline() const { return offline_.load(std::memory_order_acquire); }
  void Fail() { offline_.store(true, std::memory_order_release); }

 private:
  io::FileSystem& file_system_;
  std::string path_;
  std::atomic<bool> offline_{false};
};

struct LogOpenOptions {
  std::string directory;  // <log dir>/<topic>-<partition>, made if absent.
  LogConfig config;
  bool clean_shutdown = false;  // The dir had .kafka_cleanshutdown: nothing is scanned.
  int64_t recovery_point =
      0;  // From recovery-point-offset-checkpoint; segments at or above are recovered.
  int64_t log_start_offset = 0;  // From log-start-offset-checkpoint; 0 = the first segment's.
  int64_t now_ms = 0;            // Wall clock at open, for segment age.
};

// One Produce partition: its bytes as they came, and what became of them.
struct AppendJob {
  // In: exactly what the `records` field held. baseOffset, partitionLeaderEpoch and, where the
  // topic asks for it, the timestamp type, maxTimestamp and CRC are rewritten in place. Must stay
  // untouched until AppendAsLeader returns.
  uint8_t* records = nullptr;
  size_t size = 0;
  // Out.
  KafkaError error = KafkaError::kNone;
  const char* error_message = nullptr;  // A constant sentence, or null.
  int64_t base_offset = -1;
  int64_t last_offset = -1;
  int64_t log_append_time_ms =
      -1;                  // LogAppendTime topics, and duplicates (see kafka.md 5.4); else -1.
  bool duplicate = false;  // Already stored: base_offset is the original one, nothing was appended.
};

struct AppendContext {
  int32_t leader_epoch = 0;
  int64_t now_ms = 0;  // Wall clock of this tick.
  int16_t api_version =
      0;  // Produce version: below 7 zstd is refused with kUnsupportedCompressionType.
};

// A contiguous piece of one segment's file, ready for sendfile. Holds the segment, so that deletion
// or rolling does not disturb it. `size` may end inside a batch (Kafka cuts at the byte limit;
// clients expect it).
struct LogSlice {
  std::shared_ptr<Segment> segment;  // Null when empty.
  int descriptor = -1;
  uint64_t position = 0;
  size_t size = 0;
};

// Copies the bytes of a slice to `out` (slice.size bytes): for small answers, and for file systems
// without descriptors. Any thread. kIo: the disk failed.
Status CopySlice(const LogSlice& slice, uint8_t* out);

enum class Isolation : uint8_t { kLogEnd /* followers */, kHighWatermark, kLastStable };

struct ReadRequest {
  int64_t offset = 0;
  size_t max_bytes = 0;
  bool min_one_batch =
      true;  // The first batch is returned whole even if it is larger than max_bytes (KIP-74).
  Isolation isolation = Isolation::kHighWatermark;
};

struct ReadResult {
  KafkaError error = KafkaError::kNone;  // kOffsetOutOfRange, kKafkaStorageError.
  LogSlice slice;
  int64_t high_watermark = -1;
  int64_t last_stable_offset = -1;
  int64_t log_start_offset = -1;
};

struct LogOffsets {
  int64_t log_start_offset = 0;
  int64_t high_watermark = 0;
  int64_t last_stable_offset = 0;
  int64_t log_end_offset = 0;
  int64_t flushed_offset = 0;
};

struct EpochEndOffset {
  int32_t leader_epoch = -1;
  int64_t end_offset = -1;
};

// A segment as retention looks at it.
struct SegmentInfo {
  int64_t base_offset = 0;
  int64_t size = 0;
  int64_t largest_timestamp_ms = -1;  // Of its records; when it was last written if they have none.
};

// What a log remembers of an idempotent producer (KIP-98), for DescribeProducers.
struct ActiveProducer {
  int64_t producer_id = -1;
  int16_t epoch = -1;
  int32_t last_sequence = -1;
  int64_t last_timestamp = -1;
  int32_t coordinator_epoch = -1;
  int64_t transaction_first_offset = -1;  // -1: no open transaction.
};

// A whole batch copied out of the log, for lookups that look at records (TypeScript decodes them).
struct BatchCopy {
  std::vector<uint8_t> bytes;
};

class Log {
 public:
  // Opens or makes the log of one partition, recovering it if the dir was not shut down cleanly:
  // temporary files are dropped, swaps resolved, segments from the recovery point on are scanned
  // (CRC of each batch), the torn tail is cut, indexes, producer state and epoch cache are rebuilt
  // where needed. Blocks; call it off the reactors. kCorrupt (below the recovery point, or garbage
  // after a clean stop), kIo, kNoSpace.
  static Result<std::shared_ptr<Log>> Open(std::shared_ptr<LogDir> dir, LogOpenOptions options);

  virtual ~Log() = default;

  // Validates and appends jobs in order; each succeeds or fails by itself (Kafka's errors,
  // kafka.md 2.1, 5.4). All that are valid go to the file with one write. Wakes nobody: the caller
  // does.
  virtual void AppendAsLeader(std::span<AppendJob> jobs, const AppendContext& context) = 0;

  virtual ReadResult Read(const ReadRequest& request) = 0;

  // Consistent snapshot of all offsets. Cheap (atomics).
  virtual LogOffsets offsets() const = 0;
  // On a partition with one replica the high watermark is the log end, moved by AppendAsLeader
  // itself. Replication turns that off and moves it with AdvanceHighWatermark.
  virtual void SetSingleReplica(bool single) = 0;
  virtual void AdvanceHighWatermark(int64_t offset) = 0;

  // Makes everything appended so far durable. Starts with write-back of all dirty files when
  // `start_only`. On failure the LogDir is failed and must not be retried.
  virtual void StartWriteback() = 0;
  virtual Status Flush() = 0;

  virtual void UpdateConfig(const LogConfig& config) = 0;
  virtual LogConfig config() const = 0;
  // Records that a leader epoch starts at the log end (also without data), persisted in
  // leader-epoch-checkpoint.
  virtual Status BecomeLeader(int32_t leader_epoch) = 0;
  virtual EpochEndOffset EndOffsetForEpoch(int32_t leader_epoch) const = 0;
  // The epoch that wrote `offset`; -1 if unknown.
  virtual int32_t EpochForOffset(int64_t offset) const = 0;

  // The first batch at or after `from_offset` and below `below_offset` whose maxTimestamp >=
  // timestamp; nullopt: none. Uses the time index, then scans batch headers.
  virtual Result<std::optional<BatchCopy>> FirstBatchWithTimestamp(int64_t timestamp,
                                                                   int64_t from_offset,
                                                                   int64_t below_offset) = 0;
  // The first batch that holds the largest timestamp of the log; nullopt if the log is empty or has
  // no timestamps.
  virtual Result<std::optional<BatchCopy>> BatchWithMaxTimestamp() = 0;

  virtual std::vector<ActiveProducer> ActiveProducers() const = 0;
  virtual int64_t SizeBytes() const = 0;
  virtual int64_t SegmentCount() const = 0;
  // All segments in order, the active one last. Reads the time index of segments that were not
  // looked at before.
  virtual Result<std::vector<SegmentInfo>> Segments() = 0;
  // Removes segments wholly below `offset` and moves the log start offset there (DeleteRecords).
  // Their files get the suffix .deleted and go file.delete.delay.ms later, in Tick; who reads them
  // is not disturbed. kInvalidArgument: above the high watermark.
  virtual Status AdvanceLogStartOffset(int64_t offset) = 0;
  // The same for retention, which may also take the active segment: if `offset` is the log end, a
  // new one is begun.
  virtual Status DeleteSegmentsBelow(int64_t offset, int64_t now_ms) = 0;
  // Housekeeping off the hot path: preallocates and populates ahead, flushes rolled segments,
  // expires producer ids. As in Kafka, segments roll by time only when something is appended.
  // Called every second or so by the background thread.
  virtual void Tick(int64_t now_ms) = 0;

  // Flushes, writes the producer snapshot, trims preallocation and indexes, closes files. Later
  // calls fail kClosed.
  virtual Status Close() = 0;
  // Closes files without flushing: the folder is about to be renamed and deleted.
  virtual void Abandon() = 0;
};

}  // namespace millrace::log
