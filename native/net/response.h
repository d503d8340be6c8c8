// What a connection sends for one request: pieces of memory and of files, in order. The first piece
// starts with the 4-byte size of the frame. An empty response (acks=0) has no pieces and sends
// nothing, but keeps its place in the order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::net {

// A range of an open file sent with sendfile. `keep_alive` holds whatever keeps the descriptor
// open.
struct FileRange {
  std::shared_ptr<void> keep_alive;
  int descriptor = -1;
  uint64_t position = 0;
  size_t size = 0;
};

// Either bytes or a file range (bytes empty, range.size > 0).
struct ResponsePiece {
  std::vector<uint8_t> bytes;
  FileRange range;
};

struct Response {
  std::vector<ResponsePiece> pieces;
  bool close_after =
      false;  // Close the connection once this was sent (also when there are no pieces).
  int64_t throttle_ms = 0;  // For so long nothing is read from the connection (KIP-219).
};

}  // namespace millrace::net
