#include "load/fetcher.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "wire/clock.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

// A byte count of recv, 0 when the socket is empty for now.
size_t Checked(ssize_t got) {
  if (got == 0 || (got < 0 && errno != EAGAIN)) {
    Fail("The broker closed a consumer's connection; its log says why.");
  }
  return got < 0 ? 0 : static_cast<size_t>(got);
}

}  // namespace

Fetcher::Fetcher(const Address& address, const std::string& topic, int32_t partition, int64_t start)
    : connection_(address),
      topic_(topic),
      frame_(topic, partition),
      start_(start),
      offset_(start),
      header_size_(FetchHeaderSize(topic)),
      head_(header_size_ + kBatchHeaderSize, '\0') {
  connection_.SetNonBlocking();
}

void Fetcher::Pump(int64_t budget) {
  if (in_flight_ || budget <= 0) {
    return;
  }
  const std::string& frame = frame_.At(++correlation_id_, offset_);
  if (send(fd(), frame.data(), frame.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(frame.size())) {
    Fail("Sending a Fetch request failed: %s.", std::strerror(errno));
  }
  sent_at_ = MonotonicNanos();
  in_flight_ = true;
}

bool Fetcher::Fill(size_t wanted) {
  head_size_ += Checked(recv(fd(), head_.data() + head_size_, wanted - head_size_, 0));
  return head_size_ == wanted;
}

bool Fetcher::ReceiveHeader() {
  if (!Fill(header_size_)) {
    return false;
  }
  header_ = ReadFetchHeader(std::string_view(head_.data(), header_size_), topic_);
  if (header_.correlation_id != correlation_id_) {
    Fail("A Fetch response has correlation id %d where %d was due.", header_.correlation_id,
         correlation_id_);
  }
  part_ = header_.records_size < kBatchHeaderSize ? Part::kRest : Part::kBatchHeader;
  rest_ = header_.records_size;
  next_offset_ = offset_;
  return true;
}

bool Fetcher::ReceiveBatchHeader() {
  if (!Fill(header_size_ + kBatchHeaderSize)) {
    return false;
  }
  const char* batch = head_.data() + header_size_;
  const int64_t base_offset = LoadInt64(batch);
  if (base_offset != offset_) {
    Fail("A fetch from offset %ld got a batch that starts at %ld.", static_cast<long>(offset_),
         static_cast<long>(base_offset));
  }
  // All batches of a benchmark's topic are alike, so the first one tells how many follow.
  const int64_t size = LoadInt32(batch + kBatchLengthAt) + static_cast<int64_t>(kBatchLogOverhead);
  const int64_t records = LoadInt32(batch + kBatchLastOffsetDeltaAt) + 1;
  next_offset_ = offset_ + static_cast<int64_t>(header_.records_size) / size * records;
  rest_ = header_.records_size - kBatchHeaderSize;
  part_ = Part::kRest;
  return true;
}

void Fetcher::Finish(Histogram& latencies) {
  latencies.Record(MonotonicNanos() - sent_at_);
  offset_ = next_offset_ >= header_.high_watermark ? start_ : next_offset_;
  in_flight_ = false;
  head_size_ = 0;
  part_ = Part::kHeader;
}

int64_t Fetcher::Receive(Histogram& latencies) {
  if (!in_flight_ || (part_ == Part::kHeader && !ReceiveHeader()) ||
      (part_ == Part::kBatchHeader && !ReceiveBatchHeader())) {
    return 0;
  }
  while (rest_ > 0) {
    const size_t dropped = Checked(recv(fd(), nullptr, rest_, MSG_TRUNC));
    if (dropped == 0) {
      return 0;
    }
    rest_ -= dropped;
  }
  Finish(latencies);
  return static_cast<int64_t>(header_.records_size);
}

}  // namespace millrace::bench
