// Reading, responding and closing; see tcp_connection.h.
#include "net/tcp_connection.h"

#include <sys/epoll.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace millrace::net {

namespace {

// After this much another connection has its turn.
constexpr size_t kSendTurnBytes = 1u << 20;

}  // namespace

TcpConnection::TcpConnection(EpollReactor& reactor, uint64_t id, AcceptedSocket accepted)
    : reactor_(reactor),
      id_(id),
      listener_(accepted.listener),
      address_(accepted.address),
      peer_(accepted.address.Text()),
      socket_(std::move(accepted.descriptor)),
      reader_(reactor.mutable_receive_buffers(), reactor.options().request_bytes_max),
      idle_timer_(*this),
      unmute_timer_(*this),
      last_activity_ms_(reactor.monotonic_ms()) {}

TcpConnection::~TcpConnection() {
  reactor_.Cancel(idle_timer_);
  reactor_.Cancel(unmute_timer_);
}

void TcpConnection::Start() {
  if (close_reason_ != nullptr) return;
  if (!reactor_.Watch(socket_.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, *this)) {
    CloseLoudly("the operating system cannot watch the socket", errno);
    return;
  }
  const int64_t idle_max_ms = reactor_.options().connections_max_idle_ms;
  if (idle_max_ms > 0) reactor_.Arm(idle_timer_, idle_max_ms);
}

void TcpConnection::OnEvents(uint32_t events) {
  if (close_reason_ != nullptr) return;
  const bool broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  if (broken || (events & EPOLLRDHUP) != 0) peer_finished_ = true;
  if ((events & EPOLLOUT) != 0 && blocked_) {
    blocked_ = false;
    FlushSoon();
  }
  if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP)) == 0) return;
  readable_ = true;
  if (MayRead()) {
    Read();
  } else if (broken) {
    CloseQuietly("the peer reset the connection");
  }
}

void TcpConnection::ReadMarked() {
  marked_readable_ = false;
  if (close_reason_ == nullptr && readable_ && MayRead()) Read();
}

void TcpConnection::Read() {
  std::vector<Frame>& frames = reactor_.frames();
  frames.clear();
  const ReceiveResult result = reader_.Receive(socket_.get(), frames);
  if (result.status == ReceiveStatus::kFinished) return CloseQuietly("the peer closed");
  if (result.status == ReceiveStatus::kBroken) return CloseQuietly("the connection failed");
  reactor_.mutable_counters().bytes_received.Add(result.bytes);
  if (result.bytes > 0) last_activity_ms_ = reactor_.monotonic_ms();
  if (!frames.empty()) reactor_.handler().OnFrames(*this, frames);
  reader_.KeepRest();
  if (close_reason_ != nullptr) return;
  if (result.status == ReceiveStatus::kBadFrame) return ReportBadFrame(result.description);
  // Edge-triggered: a receive that got less than it asked for has emptied the socket, and what
  // comes later raises an event. The end of the stream does not, if it was announced already.
  readable_ = result.filled || (peer_finished_ && result.status == ReceiveStatus::kBytes);
  UpdatePressure();
  ReadSoon();
}

void TcpConnection::ReportBadFrame(const std::string& description) {
  reactor_.mutable_counters().bad_frames.Add(1);
  reactor_.log().Warn("bad frame " + address_.IpText(), reactor_.monotonic_ms(),
                      "closing the connection from " + peer_ + ": it " + description);
  CloseQuietly("not a Kafka frame");
}

void TcpConnection::Respond(uint64_t place, Response response) {
  if (close_reason_ != nullptr) return;
  if (response.throttle_ms > 0) Mute(response.throttle_ms);
  if (!order_.Fill(place, std::move(response))) return;
  while (!close_after_) {
    std::optional<Response> ready = order_.TakeReady();
    if (!ready) break;
    close_after_ = ready->close_after;
    output_.Push(std::move(*ready));
  }
  if (!output_.empty() || close_after_) FlushSoon();
  UpdatePressure();
}

void TcpConnection::Mute(int64_t duration_ms) {
  const int64_t until_ms = reactor_.monotonic_ms() + duration_ms;
  if (unmute_timer_.armed() && until_ms <= muted_until_ms_) return;
  muted_until_ms_ = until_ms;
  reactor_.Arm(unmute_timer_, duration_ms);
}

void TcpConnection::FlushMarked() {
  marked_dirty_ = false;
  if (close_reason_ != nullptr || blocked_) return;
  const SendResult result = output_.Send(socket_.get(), kSendTurnBytes);
  reactor_.mutable_counters().bytes_sent.Add(result.bytes);
  if (result.bytes > 0) last_activity_ms_ = reactor_.monotonic_ms();
  switch (result.status) {
    case SendStatus::kDone:
      if (close_after_) return CloseQuietly("closed after its last response");
      break;
    case SendStatus::kTurnOver:
      FlushSoon();
      break;
    case SendStatus::kBlocked:
      blocked_ = true;
      break;
    case SendStatus::kBroken:
      return CloseQuietly("the connection failed while sending");
    case SendStatus::kFileShort:
      return CloseLoudly("a file ended before the bytes that the response announced", 0);
    case SendStatus::kFileError:
      return CloseLoudly("a file could not be read for sending", result.os_error);
  }
  UpdatePressure();
}

void TcpConnection::SetReading(bool reading) {
  reading_wanted_ = reading;
  ReadSoon();
}

bool TcpConnection::MayRead() const {
  return reading_wanted_ && !unmute_timer_.armed() && !pressed_ && !close_after_ &&
         !reactor_.draining();
}

void TcpConnection::ReadSoon() {
  if (close_reason_ != nullptr || marked_readable_ || !readable_ || !MayRead()) return;
  marked_readable_ = true;
  reactor_.MarkReadable(*this);
}

void TcpConnection::FlushSoon() {
  if (marked_dirty_ || blocked_) return;
  marked_dirty_ = true;
  reactor_.MarkDirty(*this);
}

void TcpConnection::UpdatePressure() {
  const NetOptions& options = reactor_.options();
  const size_t unsent = output_.unsent_bytes() + order_.waiting_bytes();
  const size_t in_flight = order_.in_flight();
  if (!pressed_) {
    pressed_ = unsent > options.unsent_bytes_max || in_flight >= options.requests_in_flight_max;
  } else if (unsent <= options.unsent_bytes_max / 2 &&
             in_flight <= options.requests_in_flight_max / 2) {
    pressed_ = false;
    ReadSoon();
  }
}

void TcpConnection::OnIdleTimer() {
  const int64_t idle_max_ms = reactor_.options().connections_max_idle_ms;
  const int64_t idle_ms = reactor_.monotonic_ms() - last_activity_ms_;
  if (idle_ms < idle_max_ms) return reactor_.Arm(idle_timer_, idle_max_ms - idle_ms);
  if (!output_.empty()) {
    return CloseLoudly("the client took no response for connections.max.idle.ms", 0);
  }
  // A request that waits in the broker (a long poll) is not the client's idleness.
  if (order_.in_flight() > 0) return reactor_.Arm(idle_timer_, idle_max_ms);
  CloseQuietly("idle for connections.max.idle.ms");
}

void TcpConnection::CloseLoudly(const char* reason, int os_error) {
  std::string message = "closing the connection from " + peer_ + ": " + reason;
  if (os_error != 0) message += std::string(" (") + std::strerror(os_error) + ")";
  reactor_.log().Warn(reason + address_.IpText(), reactor_.monotonic_ms(), message + ".");
  CloseQuietly(reason);
}

void TcpConnection::Close(const char* reason) {
  if (close_reason_ == nullptr) CloseLoudly(reason, 0);
}

void TcpConnection::CloseQuietly(const char* reason) {
  if (close_reason_ != nullptr) return;
  close_reason_ = reason;
  reactor_.Cancel(idle_timer_);
  reactor_.Cancel(unmute_timer_);
  reactor_.Unwatch(socket_.get());
  socket_.Close();
  // The reader's buffers stay until destruction: frames in them may be in use by the caller.
  reactor_.Forget(*this);
}

}  // namespace millrace::net
