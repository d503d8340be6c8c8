#include "dataplane/fake_log.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "base/endian.h"

namespace millrace::dataplane {

std::vector<uint8_t> MakeBatch(int32_t count, size_t payload, uint16_t attributes) {
  std::vector<uint8_t> batch(61 + payload, 0x5A);
  std::fill_n(batch.begin(), 61, uint8_t{0});
  StoreBe32(batch.data() + 8, static_cast<uint32_t>(batch.size() - 12));
  batch[16] = 2;
  StoreBe16(batch.data() + 21, attributes);
  StoreBe32(batch.data() + 57, static_cast<uint32_t>(count));
  return batch;
}

FakeLog::FakeLog() : descriptor_(memfd_create("fake log", MFD_CLOEXEC)) {}
FakeLog::~FakeLog() { close(descriptor_); }

FakeLog::Batch FakeLog::Store(const uint8_t* data, size_t size) {
  const int64_t base = offsets_.log_end_offset;
  const auto count = static_cast<int64_t>(LoadBe32(data + 57));
  const Batch batch{base, base + count, file_size_, size};
  MR_CHECK(
      pwrite(descriptor_, data, size, static_cast<off_t>(file_size_)) == static_cast<ssize_t>(size),
      "the test's anonymous file takes writes");
  file_size_ += size;
  batches_.push_back(batch);
  offsets_.log_end_offset = batch.next_offset;
  offsets_.high_watermark = batch.next_offset;
  offsets_.last_stable_offset = batch.next_offset;
  return batch;
}

void FakeLog::Append(const std::vector<uint8_t>& batch) {
  const std::lock_guard lock(mutex_);
  Store(batch.data(), batch.size());
}

void FakeLog::AppendAsLeader(std::span<log::AppendJob> jobs, const log::AppendContext&) {
  const std::lock_guard lock(mutex_);
  ++append_calls_;
  jobs_per_call_.push_back(jobs.size());
  for (log::AppendJob& job : jobs) {
    job.error = error_;
    if (job.size < 61) job.error = KafkaError::kInvalidRecord;
    if (job.error != KafkaError::kNone) {
      job.error_message = "the fake log refuses";
      continue;
    }
    const Batch batch = Store(job.records, job.size);
    job.base_offset = batch.base_offset;
    job.last_offset = batch.next_offset - 1;
  }
}

log::ReadResult FakeLog::Read(const log::ReadRequest& request) {
  const std::lock_guard lock(mutex_);
  ++read_calls_;
  log::ReadResult result;
  result.high_watermark = offsets_.high_watermark;
  result.last_stable_offset = offsets_.last_stable_offset;
  result.log_start_offset = offsets_.log_start_offset;
  const auto first = std::ranges::find_if(
      batches_, [&](const Batch& batch) { return batch.next_offset > request.offset; });
  if (first == batches_.end()) return result;
  const auto available = static_cast<size_t>(file_size_ - first->position);
  size_t size = std::min(available, request.max_bytes);
  if (size < first->size) size = request.min_one_batch ? first->size : 0;
  result.slice.descriptor = descriptor_;
  result.slice.position = first->position;
  result.slice.size = size;
  return result;
}

log::LogOffsets FakeLog::offsets() const {
  const std::lock_guard lock(mutex_);
  return offsets_;
}
void FakeLog::SetFlushed(int64_t offset) {
  const std::lock_guard lock(mutex_);
  offsets_.flushed_offset = offset;
}
void FakeLog::SetLogStart(int64_t offset) {
  const std::lock_guard lock(mutex_);
  offsets_.log_start_offset = offset;
}
void FakeLog::SetError(KafkaError error) {
  const std::lock_guard lock(mutex_);
  error_ = error;
}
void FakeLog::SetEpochEnd(log::EpochEndOffset end) {
  const std::lock_guard lock(mutex_);
  epoch_end_ = end;
}
log::EpochEndOffset FakeLog::EndOffsetForEpoch(int32_t) const {
  const std::lock_guard lock(mutex_);
  return epoch_end_;
}
size_t FakeLog::append_calls() {
  const std::lock_guard lock(mutex_);
  return append_calls_;
}
size_t FakeLog::read_calls() {
  const std::lock_guard lock(mutex_);
  return read_calls_;
}
std::vector<size_t> FakeLog::jobs_per_call() {
  const std::lock_guard lock(mutex_);
  return jobs_per_call_;
}
bool FakeLog::abandoned() {
  const std::lock_guard lock(mutex_);
  return abandoned_;
}
void FakeLog::Abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
}
Result<std::optional<log::BatchCopy>> FakeLog::FirstBatchWithTimestamp(int64_t, int64_t, int64_t) {
  return std::optional<log::BatchCopy>();
}
Result<std::optional<log::BatchCopy>> FakeLog::BatchWithMaxTimestamp() {
  return std::optional<log::BatchCopy>();
}

}  // namespace millrace::dataplane
