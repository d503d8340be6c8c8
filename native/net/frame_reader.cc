// How much to ask for and where to put it; see frame_reader.h for the rules.
#include "net/frame_reader.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "net/framing.h"

namespace millrace::net {

namespace {

// From here on the start of a frame stays in its big buffer instead of being copied out.
constexpr size_t kLargePartialBytes = 128u << 10;
constexpr size_t kPartialBytesMin = 512;
constexpr size_t kPartialGrowth = 4;

ReceiveResult ReceiveInto(int socket, std::span<iovec> places) {
  msghdr message{};
  message.msg_iov = places.data();
  message.msg_iovlen = places.size();
  size_t asked = 0;
  for (const iovec& place : places) asked += place.iov_len;
  ssize_t received = 0;
  do {
    received = recvmsg(socket, &message, 0);
  } while (received < 0 && errno == EINTR);

  ReceiveResult result;
  if (received > 0) {
    result.status = ReceiveStatus::kBytes;
    result.bytes = static_cast<size_t>(received);
    result.filled = result.bytes == asked;
  } else if (received == 0) {
    result.status = ReceiveStatus::kFinished;
  } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
    result.status = ReceiveStatus::kBroken;
    result.os_error = errno;
  }
  return result;
}

// Capacity for the start of a frame of which `arrived` bytes are there; never much more than that.
size_t PartialCapacity(size_t arrived) {
  if (arrived < kLargePartialBytes) {
    return std::clamp(arrived * kPartialGrowth, kPartialBytesMin, kLargePartialBytes);
  }
  size_t capacity = kBigBufferBytes;
  while (capacity <= arrived) capacity *= 2;
  return capacity;
}

}  // namespace

FrameReader::~FrameReader() {
  pool_.Return(std::move(partial_.buffer));
  pool_.Return(std::move(big_));
}

ReceiveResult FrameReader::Receive(int socket, std::vector<Frame>& frames) {
  if (partial_.size() < kFrameSizeBytes) return ReceiveFresh(socket, frames);
  return ReceiveRest(socket, frames);
}

ReceiveResult FrameReader::ReceiveFresh(int socket, std::vector<Frame>& frames) {
  big_ = pool_.Take(kBigBufferBytes);
  const size_t known = partial_.size();
  if (known > 0) std::memcpy(big_.bytes.get(), partial_.data(), known);
  size_t wanted = kBigBufferBytes - known;
  if (large_frame_total_ > known) wanted = std::min(wanted, large_frame_total_ - known);

  std::array<iovec, 1> place = {{{big_.bytes.get() + known, wanted}}};
  ReceiveResult result = ReceiveInto(socket, place);
  if (result.status == ReceiveStatus::kBytes) {
    ReturnPartial();
    Split(known + result.bytes, frames, result);
  }
  return result;
}

ReceiveResult FrameReader::ReceiveRest(int socket, std::vector<Frame>& frames) {
  const size_t total = kFrameSizeBytes + static_cast<size_t>(FrameSizeAt(partial_.data()));
  if (partial_.end == partial_.buffer.capacity) MakeRoom(total);
  const size_t missing = total - partial_.size();
  const size_t room = partial_.buffer.capacity - partial_.end;
  std::array<iovec, 2> places{};
  places[0] = {partial_.buffer.bytes.get() + partial_.end, std::min(missing, room)};
  size_t place_count = 1;
  if (missing <= room && missing < kLargePartialBytes && total < kLargePartialBytes) {
    // The frame ends soon, and small ones may follow: one call for both.
    big_ = pool_.Take(kBigBufferBytes);
    places[1] = {big_.bytes.get(), kBigBufferBytes};
    place_count = 2;
  }
  ReceiveResult result = ReceiveInto(socket, std::span(places).first(place_count));
  if (result.status != ReceiveStatus::kBytes) return result;
  const size_t taken = std::min(result.bytes, places[0].iov_len);
  partial_.end += taken;
  if (taken == missing) {
    frames.push_back(Frame(partial_.data() + kFrameSizeBytes, total - kFrameSizeBytes));
    partial_complete_ = true;
    large_frame_total_ = total >= kLargePartialBytes ? total : 0;
  }
  if (place_count == 2) Split(result.bytes - taken, frames, result);
  return result;
}

void FrameReader::Split(size_t end, std::vector<Frame>& frames, ReceiveResult& result) {
  const std::span<uint8_t> bytes(big_.bytes.get(), end);
  const size_t frames_before = frames.size();
  const SplitResult split = SplitFrames(bytes, frame_bytes_max_, frames);
  big_begin_ = split.consumed;
  big_end_ = end;
  if (frames.size() > frames_before) {
    const size_t total = kFrameSizeBytes + frames.back().size();
    large_frame_total_ = total >= kLargePartialBytes ? total : 0;
  }
  if (!split.bad_size) return;
  result.status = ReceiveStatus::kBadFrame;
  result.description = DescribeBadFrame(bytes.subspan(split.consumed), frame_bytes_max_);
}

void FrameReader::KeepRest() {
  if (partial_complete_) ReturnPartial();
  const size_t rest = big_end_ - big_begin_;
  if (rest >= kLargePartialBytes) {
    partial_ = Partial{std::move(big_), big_begin_, big_end_};
    big_ = ReceiveBuffer{};
  } else if (rest > 0) {
    partial_ = Partial{pool_.Take(PartialCapacity(rest)), 0, rest};
    std::memcpy(partial_.data(), big_.bytes.get() + big_begin_, rest);
  }
  big_begin_ = 0;
  big_end_ = 0;
  pool_.Return(std::exchange(big_, ReceiveBuffer{}));
}

void FrameReader::MakeRoom(size_t frame_total) {
  const size_t size = partial_.size();
  if (partial_.begin > 0 && frame_total <= partial_.buffer.capacity) {
    std::memmove(partial_.buffer.bytes.get(), partial_.data(), size);
  } else {
    ReceiveBuffer larger = pool_.Take(PartialCapacity(size));
    std::memcpy(larger.bytes.get(), partial_.data(), size);
    pool_.Return(std::exchange(partial_.buffer, std::move(larger)));
  }
  partial_.begin = 0;
  partial_.end = size;
}

void FrameReader::ReturnPartial() {
  pool_.Return(std::exchange(partial_.buffer, ReceiveBuffer{}));
  partial_.begin = 0;
  partial_.end = 0;
  partial_complete_ = false;
}

}  // namespace millrace::net
