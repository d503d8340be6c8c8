#include "load/producer.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "wire/clock.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

constexpr size_t kInputSize = 256 << 10;
constexpr size_t kLargeFrame = 64 << 10;

}  // namespace

Producer::Producer(const ProduceLoad& load, const RecordBatch& batch, int64_t index)
    : connection_(load.address), depth_(load.depth), partitions_(load.partitions) {
  const int64_t batch_size = static_cast<int64_t>(batch.bytes.size());
  const int64_t wanted = std::max<int64_t>(1, load.request_bytes / batch_size);
  batches_per_request_ = std::min<int64_t>(wanted, load.partitions);
  first_partition_ = index * batches_per_request_ % partitions_;
  const std::string frame = EncodeFrame(load, batch);
  frame_size_ = frame.size();
  // Small frames get a slot for each request in flight, so that several leave in one system call;
  // of large ones there is one, to stay in the cache.
  slots_ = frame_size_ < kLargeFrame ? depth_ : 1;
  for (int64_t slot = 0; slot < slots_; slot++) {
    frames_ += frame;
  }
  queued_at_.resize(static_cast<size_t>(depth_));
  input_.resize(kInputSize);
  connection_.SetNonBlocking();
}

std::string Producer::EncodeFrame(const ProduceLoad& load, const RecordBatch& batch) {
  Encoder frame;
  frame.BeginRequest(kProduceApi);
  frame.Int16(-1);
  frame.Int16(load.acks);
  frame.Int32(30'000);
  frame.Int32(1);
  frame.String(load.topic);
  frame.Int32(static_cast<int32_t>(batches_per_request_));
  partition_at_ = frame.size();
  partition_stride_ = 2 * sizeof(int32_t) + batch.bytes.size();
  for (int64_t at = 0; at < batches_per_request_; at++) {
    frame.Int32(0);
    frame.Int32(static_cast<int32_t>(batch.bytes.size()));
    frame.Raw(batch.bytes);
  }
  frame.EndFrame();
  return frame.Take();
}

void Producer::Address(char* frame, int64_t number) const {
  StoreInt32(frame + Encoder::kCorrelationAt, static_cast<int32_t>(number));
  const int64_t first = first_partition_ + number * batches_per_request_;
  for (int64_t at = 0; at < batches_per_request_; at++) {
    StoreInt32(frame + partition_at_ + static_cast<size_t>(at) * partition_stride_,
               static_cast<int32_t>((first + at) % partitions_));
  }
}

void Producer::Pump(int64_t& budget) {
  const int64_t count = std::min(budget, answered_ + depth_ - queued_);
  const int64_t now = count > 0 ? MonotonicNanos() : 0;
  for (int64_t done = 0; done < count; done++) {
    queued_at_[static_cast<size_t>(queued_++ % depth_)] = now;
  }
  budget -= count;
  Send();
}

void Producer::Send() {
  while (sending_ < queued_) {
    const int64_t slot = sending_ % slots_;
    const int64_t run = std::min(queued_ - sending_, slots_ - slot);
    char* start = frames_.data() + static_cast<size_t>(slot) * frame_size_;
    for (int64_t at = 0; at < run; at++) {
      Address(start + static_cast<size_t>(at) * frame_size_, sending_ + at);
    }
    const size_t size = static_cast<size_t>(run) * frame_size_ - sent_of_frame_;
    const ssize_t sent = send(fd(), start + sent_of_frame_, size, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EAGAIN) {
        return;
      }
      Fail("Sending to the broker failed: %s.", std::strerror(errno));
    }
    sent_of_frame_ += static_cast<size_t>(sent);
    sending_ += static_cast<int64_t>(sent_of_frame_ / frame_size_);
    sent_of_frame_ %= frame_size_;
  }
}

void Producer::Receive(Histogram& latencies) {
  for (bool full = true; full;) {
    const size_t room = input_.size() - input_size_;
    const ssize_t got = recv(fd(), input_.data() + input_size_, room, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN)) {
      Fail("The broker closed a producer's connection; its log says why.");
    }
    input_size_ += got > 0 ? static_cast<size_t>(got) : 0;
    std::string_view rest(input_.data(), input_size_);
    const int64_t now = MonotonicNanos();
    while (rest.size() >= 4) {
      const size_t size = static_cast<size_t>(static_cast<uint32_t>(LoadInt32(rest.data()))) + 4;
      if (size > input_.size()) {
        Fail("A Produce response announced %zu bytes.", size);
      }
      if (rest.size() < size) {
        break;
      }
      CheckResponse(rest.substr(4, size - 4));
      latencies.Record(now - queued_at_[static_cast<size_t>(answered_++ % depth_)]);
      rest.remove_prefix(size);
    }
    std::memmove(input_.data(), rest.data(), rest.size());
    input_size_ = rest.size();
    full = got == static_cast<ssize_t>(room);
  }
}

void Producer::CheckResponse(std::string_view bytes) const {
  Decoder response(bytes);
  const int32_t correlation_id = response.Int32();
  if (answered_ == sending_ || correlation_id != static_cast<int32_t>(answered_)) {
    Fail("A Produce response has correlation id %d where %d was due.", correlation_id,
         static_cast<int32_t>(answered_));
  }
  response.Count();
  response.String();
  const int32_t count = response.Count();
  if (count != batches_per_request_) {
    Fail("A Produce response covers %d partitions instead of %d.", count,
         static_cast<int>(batches_per_request_));
  }
  for (int32_t at = 0; at < count; at++) {
    const int32_t partition = response.Int32();
    const int16_t error = response.Int16();
    if (error != 0) {
      Fail("Produce to partition %d failed with error %d.", partition, error);
    }
    response.Int64();
    response.Int64();
    response.Int64();
  }
  response.Int32();
  if (!response.ok()) {
    Fail("A Produce response was cut short.");
  }
}

}  // namespace millrace::bench
