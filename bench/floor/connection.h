// A socket of the floor: bytes in until frames are whole, answers and file ranges out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "floor/log.h"

namespace millrace::bench {

class Connection {
 public:
  explicit Connection(int fd);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Receives once; false when the peer is gone or announced a frame beyond the limit.
  bool Receive();

  // The next whole frame without its length field, writable in place; empty when there is none.
  // It is valid until the next Receive.
  std::string_view NextFrame();

  // Gives the input buffer to the connection that receives next, unless part of a frame is in it.
  void ReleaseInput();

  // Queues bytes and, behind them, a file range.
  void Answer(std::string_view bytes, const FileRange& range = {});

  // Sends what the socket takes; false when the peer is gone.
  bool Flush();

  bool has_output() const { return first_ < output_.size(); }
  int fd() const { return fd_; }

 private:
  struct Output {
    std::string bytes;
    FileRange range;
  };

  enum class Sent { kAll, kBlocked, kFailed };
  Sent SendFront();
  size_t FrameSize() const;

  int fd_;
  std::vector<char> input_;
  size_t start_ = 0;
  size_t end_ = 0;
  std::vector<Output> output_;
  size_t first_ = 0;
  size_t sent_of_first_ = 0;
};

}  // namespace millrace::bench
