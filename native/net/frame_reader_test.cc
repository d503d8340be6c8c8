// The reader over a socket pair: whatever the slices, the frames are those that were sent, and the
// memory held stays in proportion to the bytes that arrived.
#include "net/frame_reader.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "net/descriptor.h"
#include "net/framing.h"
#include "net/loopback_fixture.h"

namespace millrace::net {

namespace {

class Pair {
 public:
  Pair() {
    std::array<int, 2> ends{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
    writer = Descriptor(ends[0]);
    reader = Descriptor(ends[1]);
    const int size = 4 << 20;
    setsockopt(writer.get(), SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
  }
  Descriptor writer;
  Descriptor reader;
};

// Sends `bytes` in slices and reads after each; returns all frames, checking the memory held.
std::vector<std::string> ReadInSlices(const std::vector<uint8_t>& bytes, size_t slice_max,
                                      std::mt19937& random) {
  Pair pair;
  ReceiveBufferPool pool;
  FrameReader reader(pool, 104'857'600);
  std::vector<std::string> read;
  size_t received = 0;
  size_t whole = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t slice = std::min(bytes.size() - at, 1 + random() % slice_max);
    const ssize_t sent = send(pair.writer.get(), bytes.data() + at, slice, 0);
    if (sent > 0) at += static_cast<size_t>(sent);
    while (received < at) {
      std::vector<Frame> frames;
      const ReceiveResult result = reader.Receive(pair.reader.get(), frames);
      REQUIRE(result.status == ReceiveStatus::kBytes);
      received += result.bytes;
      for (const Frame& frame : frames) {
        read.emplace_back(frame.begin(), frame.end());
        whole += kFrameSizeBytes + frame.size();
      }
      reader.KeepRest();
      CHECK(pool.bytes_lent() <= std::max<size_t>(512, 10 * (received - whole)));
      if (received == whole) CHECK(pool.bytes_lent() == 0);
    }
  }
  return read;
}

}  // namespace

TEST_CASE("frames of all sizes survive slices of all sizes") {
  std::mt19937 random(7);
  constexpr std::array<size_t, 6> kSizes = {10, 700, 40'000, 150'000, 1'048'700, 3'000'000};
  constexpr std::array<size_t, 5> kSlices = {3, 1000, 16'000, 300'000, 3'000'000};
  for (const size_t size_max : kSizes) {
    for (const size_t slice_max : kSlices) {
      if (size_max / slice_max > 10'000) continue;
      CAPTURE(size_max);
      CAPTURE(slice_max);
      std::vector<std::string> sent;
      std::vector<uint8_t> bytes;
      for (int i = 0; i < 4 || bytes.size() < slice_max; i++) {
        sent.emplace_back(1 + random() % size_max, static_cast<char>('a' + i % 26));
        const std::vector<uint8_t> frame = EncodeFrame(sent.back());
        bytes.insert(bytes.end(), frame.begin(), frame.end());
        if (sent.size() > 2000) break;
      }
      const std::vector<std::string> read = ReadInSlices(bytes, slice_max, random);
      CHECK((read == sent));
    }
  }
}

TEST_CASE("equal large frames are received where they stay") {
  // The next frame is asked for by the size of the last, so that no part of it has to be moved.
  Pair pair;
  ReceiveBufferPool pool;
  FrameReader reader(pool, 104'857'600);
  const std::vector<uint8_t> frame = EncodeFrame(std::string(1'000'000, 'x'));
  size_t sent = 0;
  size_t received = 0;
  size_t calls = 0;
  for (int frames_read = 0; frames_read < 20;) {
    while (sent < 20 * frame.size()) {
      const size_t at = sent % frame.size();
      const ssize_t count = send(pair.writer.get(), frame.data() + at, frame.size() - at, 0);
      if (count <= 0) break;
      sent += static_cast<size_t>(count);
    }
    std::vector<Frame> frames;
    const ReceiveResult result = reader.Receive(pair.reader.get(), frames);
    REQUIRE(result.status == ReceiveStatus::kBytes);
    received += result.bytes;
    calls++;
    frames_read += static_cast<int>(frames.size());
    reader.KeepRest();
    // After the first frame, nothing beyond the current one was taken in.
    if (received > 2 * frame.size()) CHECK(frames.size() <= 1);
    if (!frames.empty() && frames_read > 2) CHECK(received % frame.size() == 0);
  }
  CHECK(pool.bytes_lent() == 0);
  CHECK(pool.bytes_kept() <= 2 * kBigBufferBytes);
}

TEST_CASE("buffers are lent last in, first out, and kept within a bound") {
  ReceiveBufferPool pool;
  ReceiveBuffer first = pool.Take(kBigBufferBytes);
  ReceiveBuffer second = pool.Take(kBigBufferBytes);
  const uint8_t* const hot = second.bytes.get();
  pool.Return(std::move(first));
  pool.Return(std::move(second));
  ReceiveBuffer again = pool.Take(kBigBufferBytes);
  CHECK(again.bytes.get() == hot);
  pool.Return(std::move(again));
  std::vector<ReceiveBuffer> many;
  for (int i = 0; i < 50; i++) many.push_back(pool.Take(kBigBufferBytes));
  for (ReceiveBuffer& each : many) pool.Return(std::move(each));
  CHECK(pool.bytes_lent() == 0);
  CHECK(pool.bytes_kept() <= 8u << 20);
}

}  // namespace millrace::net
