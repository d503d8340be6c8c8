#include "floor/connection.h"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "wire/big_endian.h"

namespace millrace::bench {
namespace {

constexpr size_t kFirstRead = 64 << 10;
constexpr size_t kLargestFrame = 100 << 20;

// The buffer of whoever receives next; a connection without part of a frame needs none.
std::vector<char> spare_input;

}  // namespace

Connection::Connection(int fd) : fd_(fd) {}

Connection::~Connection() { close(fd_); }

// Of the frame at start_, its length field included; 0 while that field is not there.
size_t Connection::FrameSize() const {
  const size_t have = end_ - start_;
  return have < 4 ? 0 : static_cast<uint32_t>(LoadInt32(input_.data() + start_)) + size_t{4};
}

bool Connection::Receive() {
  if (input_.empty()) {
    input_.swap(spare_input);
  }
  if (start_ > 0) {
    std::memmove(input_.data(), input_.data() + start_, end_ - start_);
    end_ -= start_;
    start_ = 0;
  }
  const size_t frame = FrameSize();
  if (frame > kLargestFrame) {
    return false;
  }
  // A large frame is read to its end and no further, so that nothing of the next one is moved.
  const size_t goal = std::max(frame, kFirstRead);
  if (input_.size() < goal) {
    input_.resize(goal);
  }
  const ssize_t got = recv(fd_, input_.data() + end_, goal - end_, 0);
  if (got > 0) {
    end_ += static_cast<size_t>(got);
  }
  return got > 0 || (got < 0 && errno == EAGAIN);
}

std::string_view Connection::NextFrame() {
  const size_t frame = FrameSize();
  if (frame == 0 || end_ - start_ < frame) {
    return {};
  }
  const std::string_view body(input_.data() + start_ + 4, frame - 4);
  start_ += frame;
  return body;
}

void Connection::ReleaseInput() {
  if (start_ == end_ && spare_input.empty()) {
    input_.swap(spare_input);
    start_ = end_ = 0;
  }
}

void Connection::Answer(std::string_view bytes, const FileRange& range) {
  if (!has_output()) {
    output_.clear();
    first_ = 0;
  }
  if (!has_output() || output_.back().range.size > 0) {
    output_.emplace_back();
  }
  output_.back().bytes += bytes;
  output_.back().range = range;
}

Connection::Sent Connection::SendFront() {
  Output& front = output_[first_];
  while (sent_of_first_ < front.bytes.size()) {
    const int more = front.range.size > 0 ? MSG_MORE : 0;
    const ssize_t sent = send(fd_, front.bytes.data() + sent_of_first_,
                              front.bytes.size() - sent_of_first_, MSG_NOSIGNAL | more);
    if (sent < 0) {
      return errno == EAGAIN ? Sent::kBlocked : Sent::kFailed;
    }
    sent_of_first_ += static_cast<size_t>(sent);
  }
  while (front.range.size > 0) {
    off_t position = front.range.position;
    const ssize_t sent =
        sendfile(fd_, front.range.fd, &position, static_cast<size_t>(front.range.size));
    if (sent <= 0) {
      return sent < 0 && errno == EAGAIN ? Sent::kBlocked : Sent::kFailed;
    }
    front.range.position = position;
    front.range.size -= sent;
  }
  return Sent::kAll;
}

bool Connection::Flush() {
  while (has_output()) {
    const Sent sent = SendFront();
    if (sent != Sent::kAll) {
      return sent == Sent::kBlocked;
    }
    first_++;
    sent_of_first_ = 0;
  }
  return true;
}

}  // namespace millrace::bench
