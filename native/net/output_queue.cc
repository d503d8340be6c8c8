// Sending with as few system calls as possible; see output_queue.h.
#include "net/output_queue.h"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace millrace::net {

namespace {

constexpr size_t kPiecesPerCall = 128;
// The memory of a queue that grew beyond this for a burst is given back when all is sent.
constexpr size_t kKeptPiecesMax = 64;

SendResult Failure(SendStatus other_than_full) {
  SendResult result;
  result.os_error = errno;
  const bool full = errno == EAGAIN || errno == EWOULDBLOCK;
  result.status = full ? SendStatus::kBlocked : other_than_full;
  return result;
}

size_t SizeOf(const ResponsePiece& piece) {
  return piece.bytes.empty() ? piece.range.size : piece.bytes.size();
}

}  // namespace

void OutputQueue::Push(Response response) {
  for (ResponsePiece& piece : response.pieces) {
    const size_t size = SizeOf(piece);
    if (size == 0) continue;
    unsent_bytes_ += size;
    pieces_.push_back(std::move(piece));
  }
}

SendResult OutputQueue::Send(int socket, size_t turn_bytes) {
  SendResult result;
  while (!empty()) {
    if (result.bytes >= turn_bytes) {
      result.status = SendStatus::kTurnOver;
      break;
    }
    const bool range = pieces_[first_].bytes.empty();
    const size_t left = turn_bytes - result.bytes;
    const SendResult call = range ? SendRange(socket, left) : SendBytes(socket, left);
    result.bytes += call.bytes;
    if (call.status != SendStatus::kDone) {
      result.status = call.status;
      result.os_error = call.os_error;
      break;
    }
  }
  DropSentPieces();
  return result;
}

SendResult OutputQueue::SendBytes(int socket, size_t bytes_max) {
  std::array<iovec, kPiecesPerCall> places;
  size_t count = 0;
  size_t asked = 0;
  size_t index = first_;
  while (index < pieces_.size() && count < kPiecesPerCall && asked < bytes_max) {
    std::vector<uint8_t>& bytes = pieces_[index].bytes;
    if (bytes.empty()) break;
    const size_t sent = index == first_ ? first_sent_ : 0;
    places[count++] = {bytes.data() + sent, bytes.size() - sent};
    asked += bytes.size() - sent;
    index++;
  }
  msghdr message{};
  message.msg_iov = places.data();
  message.msg_iovlen = count;
  // What follows at once goes into the same TCP segment.
  const int more = index < pieces_.size() && asked < bytes_max ? MSG_MORE : 0;
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT | more);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return Failure(SendStatus::kBroken);

  SendResult result;
  result.bytes = static_cast<size_t>(sent);
  Sent(result.bytes);
  // A short write means a full socket: one more call would only say so.
  if (result.bytes < asked) result.status = SendStatus::kBlocked;
  return result;
}

SendResult OutputQueue::SendRange(int socket, size_t bytes_max) {
  const FileRange& range = pieces_[first_].range;
  const size_t asked = std::min(range.size - first_sent_, bytes_max);
  auto position = static_cast<off_t>(range.position + first_sent_);
  ssize_t sent = 0;
  do {
    sent = sendfile(socket, range.descriptor, &position, asked);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) {
    const bool peer = errno == EPIPE || errno == ECONNRESET || errno == ETIMEDOUT;
    return Failure(peer ? SendStatus::kBroken : SendStatus::kFileError);
  }
  SendResult result;
  if (sent == 0) {
    result.status = SendStatus::kFileShort;
    return result;
  }
  // A short count is a full socket or the end of the file; the next call tells which.
  result.bytes = static_cast<size_t>(sent);
  Sent(result.bytes);
  return result;
}

void OutputQueue::Sent(size_t bytes) {
  unsent_bytes_ -= bytes;
  while (bytes > 0) {
    const size_t left = SizeOf(pieces_[first_]) - first_sent_;
    if (bytes < left) {
      first_sent_ += bytes;
      return;
    }
    bytes -= left;
    // Frees the memory and lets go of the file now, not when the whole queue is sent.
    pieces_[first_] = ResponsePiece{};
    first_++;
    first_sent_ = 0;
  }
}

void OutputQueue::DropSentPieces() {
  if (empty()) {
    pieces_.clear();
    if (pieces_.capacity() > kKeptPiecesMax) std::vector<ResponsePiece>().swap(pieces_);
    first_ = 0;
  } else if (first_ >= kKeptPiecesMax && first_ * 2 >= pieces_.size()) {
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<ptrdiff_t>(first_));
    first_ = 0;
  }
}

}  // namespace millrace::net
