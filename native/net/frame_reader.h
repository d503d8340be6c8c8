// FrameReader: turns the bytes of one connection into frames. Receives into a big buffer of the
// reactor's pool (receive_buffers.h), which goes back once the frames were handled; only the start
// of an incomplete frame stays with the connection, in memory bounded by a small multiple of what
// has arrived, whatever size the frame announces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "net/connection.h"
#include "net/receive_buffers.h"

namespace millrace::net {

enum class ReceiveStatus : uint8_t {
  kBytes,     // Bytes came; `frames` may have grown.
  kNothing,   // The socket had nothing (EAGAIN).
  kFinished,  // The peer closed its side.
  kBroken,    // The connection failed; `os_error` says how.
  kBadFrame,  // As kBytes, but after the frames comes a size that no frame has: `description`.
};

struct ReceiveResult {
  ReceiveStatus status = ReceiveStatus::kNothing;
  int os_error = 0;
  size_t bytes = 0;
  bool filled = false;  // All space offered was used: the socket may hold more.
  std::string description;
};

class FrameReader {
 public:
  FrameReader(ReceiveBufferPool& pool, int32_t frame_bytes_max)
      : pool_(pool), frame_bytes_max_(frame_bytes_max) {}
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  // One receive call. Whole frames are appended to `frames`; they stay valid until KeepRest(),
  // which must follow before the next call.
  ReceiveResult Receive(int socket, std::vector<Frame>& frames);
  // Gives the buffers back but for the start of an incomplete frame.
  void KeepRest();

 private:
  // A frame whose start was received; its first four bytes may still be incomplete.
  struct Partial {
    ReceiveBuffer buffer;
    size_t begin = 0;
    size_t end = 0;

    size_t size() const { return end - begin; }
    uint8_t* data() const { return buffer.bytes.get() + begin; }
  };

  ReceiveResult ReceiveFresh(int socket, std::vector<Frame>& frames);
  ReceiveResult ReceiveRest(int socket, std::vector<Frame>& frames);
  // Splits what lies in the big buffer from its start to `end`.
  void Split(size_t end, std::vector<Frame>& frames, ReceiveResult& result);
  void MakeRoom(size_t frame_total);
  void ReturnPartial();

  ReceiveBufferPool& pool_;
  const int32_t frame_bytes_max_;
  Partial partial_;
  bool partial_complete_ = false;
  // Lent while a receive is being handled; [big_begin_, big_end_) is what follows the frames.
  ReceiveBuffer big_;
  size_t big_begin_ = 0;
  size_t big_end_ = 0;
  // Size of the last frame if it was large. The next one is likely as large; asking for exactly
  // that much keeps the start of the frame after it out of this buffer, and from being moved.
  size_t large_frame_total_ = 0;
};

}  // namespace millrace::net
