// PartitionLog: the implementation behind Log. Split by concern: partition_log.cc (offsets, epochs,
// configuration), _append.cc (validation, rolling, writing), _read.cc (reads and lookups),
// _flush.cc (durability, housekeeping, closing), _retention.cc (old segments).
//
// Locks: flush_mutex_ before mutex_. mutex_ guards everything below it and is never held across a
// sync; flush_mutex_ lets one flush or close run at a time.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "log/leader_epoch_cache.h"
#include "log/log.h"
#include "log/log_loader.h"
#include "log/offset_cell.h"
#include "log/producer_state.h"
#include "log/recent_batches.h"
#include "log/segment.h"
#include "record/produce_validator.h"

namespace millrace::log {

class PartitionLog final : public Log {
 public:
  PartitionLog(std::shared_ptr<LogDir> dir, const LogOpenOptions& options, LoadedLog loaded);

  void AppendAsLeader(std::span<AppendJob> jobs, const AppendContext& context) override;
  ReadResult Read(const ReadRequest& request) override;

  LogOffsets offsets() const override { return offset_cell_.Load(); }
  void SetSingleReplica(bool single) override;
  void AdvanceHighWatermark(int64_t offset) override;

  void StartWriteback() override;
  Status Flush() override;

  void UpdateConfig(const LogConfig& config) override;
  LogConfig config() const override;
  Status BecomeLeader(int32_t leader_epoch) override;
  EpochEndOffset EndOffsetForEpoch(int32_t leader_epoch) const override;
  int32_t EpochForOffset(int64_t offset) const override;

  Result<std::optional<BatchCopy>> FirstBatchWithTimestamp(int64_t timestamp, int64_t from_offset,
                                                           int64_t below_offset) override;
  Result<std::optional<BatchCopy>> BatchWithMaxTimestamp() override;

  std::vector<ActiveProducer> ActiveProducers() const override;
  int64_t SizeBytes() const override;
  int64_t SegmentCount() const override;
  Result<std::vector<SegmentInfo>> Segments() override;
  Status AdvanceLogStartOffset(int64_t offset) override;
  Status DeleteSegmentsBelow(int64_t offset, int64_t now_ms) override;
  void Tick(int64_t now_ms) override;
  Status Close() override;
  void Abandon() override;

 private:
  // Batches that were given their place but are not written yet: consecutive, in the active
  // segment.
  struct PendingWrite {
    std::vector<iovec> pieces;
    uint64_t position = 0;
    size_t total = 0;
  };
  struct PendingSnapshot {
    int64_t offset = 0;
    std::vector<uint8_t> bytes;
  };
  struct SegmentEnd {  // A segment and how far of it is published.
    std::shared_ptr<Segment> segment;
    uint64_t size = 0;
  };
  struct FlushWork {
    struct Item {
      std::shared_ptr<Segment> segment;
      uint64_t size = 0;
      bool sealed = false;
    };
    std::vector<Item> segments;
    std::vector<PendingSnapshot> snapshots;
    bool sync_dir = false;
    int64_t log_end_offset = 0;
  };

  bool Unusable() const { return closed_ || dir_->offline(); }
  Segment& active() { return *segments_.back(); }
  void Publish();  // Derives high watermark and last stable offset, stores all offsets.
  Status AssignEpoch(
      int32_t leader_epoch);  // At next_offset_; written to disk before it returns ok.
  Status WriteEpochs();
  Status Failed(Status status);  // Fails the dir unless the status is ok or kNoSpace.

  // Retention.
  struct DoomedSegment {
    int64_t base_offset = 0;
    int64_t due_ms = -1;  // -1: set by the next Tick.
  };
  Status MoveLogStart(int64_t offset);
  void RemoveDoomed(int64_t now_ms);

  // Append.
  record::ProduceRules Rules(const AppendContext& context) const;
  bool CheckProducer(AppendJob& job) const;
  Status AppendOne(AppendJob& job, const AppendContext& context);
  Result<bool> MustRoll(const record::RecordBatch& batch, int64_t base_offset, int64_t now_ms);
  Status Roll(int64_t base_offset, size_t first_batch_size, int64_t now_ms);
  Status WritePending();

  // Read.
  int64_t Bound(Isolation isolation, const LogOffsets& offsets) const;
  SegmentEnd SegmentFor(int64_t offset) const;  // The one that holds it or would.
  SegmentEnd SegmentAfter(int64_t base_offset) const;
  Result<std::optional<BatchPlace>> Place(SegmentEnd& at, int64_t offset);
  Result<uint64_t> UpperPosition(const SegmentEnd& at, int64_t bound);
  Result<std::optional<BatchCopy>> CopyBatch(const SegmentEnd& at, const BatchPlace& place);
  std::vector<SegmentEnd> AllSegments() const;

  // Flush.
  std::vector<FlushWork::Item> DirtySegments() const;
  FlushWork GatherFlushWork();
  Status Perform(const FlushWork& work);
  Status WriteSnapshot(const PendingSnapshot& snapshot);
  Status CloseFiles();
  void ExpireProducers(int64_t now_ms);

  const std::shared_ptr<LogDir> dir_;
  const std::string directory_;
  const std::string parent_directory_;
  OffsetCell offset_cell_;

  std::mutex flush_mutex_;
  mutable std::mutex mutex_;
  std::shared_ptr<const LogConfig> config_;
  std::vector<std::shared_ptr<Segment>> segments_;  // Ascending; the last is active.
  LeaderEpochCache epochs_;
  bool epochs_dirty_ = false;  // The file is older than the cache.
  ProducerStateTable producers_;
  int64_t producers_expired_ms_ = 0;
  bool transactions_seen_ =
      false;  // Else no scan of the producers for the last stable offset is needed.
  RecentBatches recent_;
  LogOffsets offsets_;
  int64_t next_offset_ = 0;  // offsets_.log_end_offset plus what is pending.
  PendingWrite pending_;
  std::vector<PendingSnapshot> pending_snapshots_;
  std::vector<DoomedSegment> doomed_;  // Files set aside, to be removed later.
  int64_t last_snapshot_offset_ = -1;
  bool single_replica_ = true;
  bool names_dirty_ = true;   // Files were made, renamed or removed since the folder was synced.
  bool folder_dirty_ = true;  // The folder itself may be new.
  bool closed_ = false;
};

}  // namespace millrace::log
