// OutputQueue: the pieces of responses that a connection has to send, and sending them: consecutive
// pieces of memory by one sendmsg, file ranges by sendfile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "net/response.h"

namespace millrace::net {

enum class SendStatus : uint8_t {
  kDone,       // All was sent.
  kTurnOver,   // The turn's bytes are used up; the socket may take more.
  kBlocked,    // The socket is full.
  kBroken,     // The connection failed.
  kFileShort,  // A file ended before its range: the frame cannot be completed.
  kFileError,  // Reading a file failed.
};

struct SendResult {
  SendStatus status = SendStatus::kDone;
  int os_error = 0;
  size_t bytes = 0;
};

class OutputQueue {
 public:
  void Push(Response response);
  // Sends at most `turn_bytes` (and somewhat less than one call's worth more).
  SendResult Send(int socket, size_t turn_bytes);
  bool empty() const { return first_ == pieces_.size(); }
  size_t unsent_bytes() const { return unsent_bytes_; }

 private:
  // One system call each; `bytes` of the result is what it took.
  SendResult SendBytes(int socket, size_t bytes_max);
  SendResult SendRange(int socket, size_t bytes_max);
  void Sent(size_t bytes);
  void DropSentPieces();

  std::vector<ResponsePiece> pieces_;
  size_t first_ = 0;       // The first piece not yet sent completely.
  size_t first_sent_ = 0;  // Bytes of it already sent.
  size_t unsent_bytes_ = 0;
};

}  // namespace millrace::net
