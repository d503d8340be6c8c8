#include "log/log_file.h"

#include <algorithm>
#include <cstring>

namespace millrace::log {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kFirstStep = 64 << 10;
constexpr uint64_t kLastStep = 16 << 20;
constexpr uint64_t kWindow = 1 << 20;

uint64_t RoundUpToPage(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

uint64_t Step(uint64_t allocated) { return std::clamp(allocated, kFirstStep, kLastStep); }

}  // namespace

Status LogFile::Grow(uint64_t least, uint64_t limit) {
  const uint64_t exact = RoundUpToPage(least);
  const uint64_t ahead = RoundUpToPage(allocated_ + Step(allocated_));
  uint64_t size = std::max(exact, std::min(ahead, RoundUpToPage(limit)));
  Status allocated = file_->Allocate(size);
  if (!allocated.ok() && allocated.error().code == ErrorCode::kNoSpace && size > exact) {
    size = exact;
    allocated = file_->Allocate(size);
  }
  if (allocated.ok()) allocated_ = size;
  return allocated;
}

Status LogFile::Reserve(uint64_t end, uint64_t limit) {
  // A file as it was found may end within a page, or be sparse; before the first write it is
  // allocated anew.
  return end <= allocated_ && allocated_ % kPage == 0 ? Status::Ok() : Grow(end, limit);
}

Status LogFile::ReserveAhead(uint64_t end, uint64_t limit) {
  if (allocated_ >= RoundUpToPage(limit) || allocated_ - end >= Step(allocated_) / 2) {
    return Status::Ok();
  }
  Status grown = Grow(end, limit);
  const bool full = !grown.ok() && grown.error().code == ErrorCode::kNoSpace;
  return full ? Status::Ok() : grown;
}

Status LogFile::MoveWindow(uint64_t position, size_t size) {
  const bool inside =
      window_ && position >= window_start_ && position + size <= window_start_ + window_->size();
  if (inside) return Status::Ok();
  const uint64_t start = position / kPage * kPage;
  const uint64_t length =
      std::min(std::max(kWindow, RoundUpToPage(size + kPage)), allocated_ - start);
  Result<std::unique_ptr<io::Mapping>> window = file_->Map(start, static_cast<size_t>(length));
  if (!window.ok()) return window.error();
  window_ = window.Take();
  window_start_ = start;
  return Status::Ok();
}

Status LogFile::Write(uint64_t position, std::span<const iovec> pieces, size_t total) {
  if (total >= mapped_below_) return file_->WriteAt(position, pieces);
  Status moved = MoveWindow(position, total);
  if (!moved.ok()) return moved;
  uint8_t* to = window_->data() + (position - window_start_);
  for (const iovec& piece : pieces) {
    std::memcpy(to, piece.iov_base, piece.iov_len);
    to += piece.iov_len;
  }
  mapped_end_ = position + total;
  mapped_since_ahead_ += total;
  return Status::Ok();
}

Status LogFile::Seal(uint64_t size) {
  window_.reset();
  allocated_ = size;
  return file_->Truncate(size);
}

LogFile::Ahead LogFile::TakeAhead() {
  Ahead ahead;
  const uint64_t window_end = window_ ? window_start_ + window_->size() : 0;
  if (mapped_since_ahead_ > 0 && mapped_end_ < window_end) {
    ahead.window = window_;
    ahead.offset = static_cast<size_t>(mapped_end_ - window_start_);
    ahead.bytes = std::min(2 * mapped_since_ahead_, window_->size() - ahead.offset);
  }
  mapped_since_ahead_ = 0;
  return ahead;
}

}  // namespace millrace::log
