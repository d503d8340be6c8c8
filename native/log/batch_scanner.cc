#include "log/batch_scanner.h"

#include <algorithm>

namespace millrace::log {
namespace {

bool AllZero(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

}  // namespace

ScanStep BatchScanner::Bad(const char* problem) {
  problem_ = problem;
  return ScanStep::kBad;
}

Result<size_t> BatchScanner::LoadHeader() {
  const size_t wanted =
      static_cast<size_t>(std::min<uint64_t>(record::kHeaderSize, limit_ - next_));
  const bool buffered = next_ >= buffer_start_ && next_ + wanted <= buffer_start_ + buffer_size_;
  if (!buffered) {
    const size_t size = static_cast<size_t>(std::min<uint64_t>(buffer_.size(), limit_ - next_));
    Result<size_t> read = file_.ReadAt(next_, buffer_.first(size));
    if (!read.ok()) return read.error();
    buffer_start_ = next_;
    buffer_size_ = read.value();
  }
  header_at_ = static_cast<size_t>(next_ - buffer_start_);
  return std::min(wanted, buffer_size_ - header_at_);
}

Result<ScanStep> BatchScanner::Next() {
  if (next_ >= limit_) return ScanStep::kEnd;
  Result<size_t> present = LoadHeader();
  if (!present.ok()) return present.error();
  if (AllZero(buffer_.subspan(header_at_, present.value()))) return ScanStep::kEnd;
  if (present.value() < record::kHeaderSize) return Bad("a batch header is cut off");
  const record::RecordBatch header = batch();
  if (header.magic() != record::kMagicV2) return Bad("the magic byte is not 2");
  if (header.batch_length() < record::kMinBatchLength) return Bad("the batch length is too small");
  if (header.size() > limit_ - next_) return Bad("a batch is cut off");
  position_ = next_;
  next_ += header.size();
  return ScanStep::kBatch;
}

Result<const uint8_t*> BatchScanner::WholeBatch(std::vector<uint8_t>& spill) {
  const size_t size = batch().size();
  if (header_at_ + size <= buffer_size_) {
    return static_cast<const uint8_t*>(buffer_.data() + header_at_);
  }
  spill.resize(size);  // Checked against the file's length by Next().
  Result<size_t> read = file_.ReadAt(position_, spill);
  if (!read.ok()) return read.error();
  return read.value() == size ? static_cast<const uint8_t*>(spill.data()) : nullptr;
}

}  // namespace millrace::log
