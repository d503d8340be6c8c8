// FakeLog: a log in memory for the tests of the data plane. Keeps its batches in an anonymous file,
// so that slices have a descriptor; checks nothing of them. Its flushed offset moves by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "log/log.h"

namespace millrace::dataplane {

// A batch of `count` records with a v2 header and `payload` bytes behind it.
std::vector<uint8_t> MakeBatch(int32_t count, size_t payload = 39, uint16_t attributes = 0);

class FakeLog final : public log::Log {
 public:
  FakeLog();
  ~FakeLog() override;

  // As if a client had appended. The caller wakes.
  void Append(const std::vector<uint8_t>& batch);
  void SetFlushed(int64_t offset);
  void SetLogStart(int64_t offset);
  void SetError(KafkaError error);  // Of appends from now on.
  void SetEpochEnd(log::EpochEndOffset end);
  size_t append_calls();
  size_t read_calls();
  std::vector<size_t> jobs_per_call();
  bool abandoned();

  void AppendAsLeader(std::span<log::AppendJob> jobs, const log::AppendContext& context) override;
  log::ReadResult Read(const log::ReadRequest& request) override;
  log::LogOffsets offsets() const override;
  void SetSingleReplica(bool) override {}
  void AdvanceHighWatermark(int64_t) override {}
  void StartWriteback() override {}
  Status Flush() override { return Status::Ok(); }
  void UpdateConfig(const log::LogConfig&) override {}
  log::LogConfig config() const override { return {}; }
  Status BecomeLeader(int32_t) override { return Status::Ok(); }
  log::EpochEndOffset EndOffsetForEpoch(int32_t) const override;
  int32_t EpochForOffset(int64_t) const override { return 0; }
  Result<std::optional<log::BatchCopy>> FirstBatchWithTimestamp(int64_t, int64_t, int64_t) override;
  Result<std::optional<log::BatchCopy>> BatchWithMaxTimestamp() override;
  std::vector<log::ActiveProducer> ActiveProducers() const override { return {}; }
  int64_t SizeBytes() const override { return 0; }
  int64_t SegmentCount() const override { return 1; }
  Result<std::vector<log::SegmentInfo>> Segments() override {
    return std::vector<log::SegmentInfo>{};
  }
  Status AdvanceLogStartOffset(int64_t) override { return Status::Ok(); }
  Status DeleteSegmentsBelow(int64_t, int64_t) override { return Status::Ok(); }
  void Tick(int64_t) override {}
  Status Close() override { return Status::Ok(); }
  void Abandon() override;

 private:
  struct Batch {
    int64_t base_offset;
    int64_t next_offset;
    uint64_t position;
    size_t size;
  };
  Batch Store(const uint8_t* data, size_t size);

  mutable std::mutex mutex_;
  int descriptor_;
  uint64_t file_size_ = 0;
  std::vector<Batch> batches_;
  log::LogOffsets offsets_;
  log::EpochEndOffset epoch_end_{0, 1'000'000};
  KafkaError error_ = KafkaError::kNone;
  size_t append_calls_ = 0;
  size_t read_calls_ = 0;
  std::vector<size_t> jobs_per_call_;
  bool abandoned_ = false;
};

}  // namespace millrace::dataplane
