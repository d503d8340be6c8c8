// Accepting, refusing and pausing; see acceptor.h.
#include "net/acceptor.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace millrace::net {

namespace {

// The listening socket is level-triggered: the rest of a storm comes with the next tick.
constexpr int kAcceptsPerTick = 64;
constexpr int64_t kPauseMs = 100;
// Connections held open before they are closed; each takes a descriptor.
constexpr size_t kHeldMax = 1000;

// The failed attempt concerns one client only; the next one may do.
bool IsOfOneClient(int os_error) {
  switch (os_error) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENOPROTOOPT:
    case ENONET:
    case EOPNOTSUPP:
      return true;
    default:
      return false;
  }
}

}  // namespace

Acceptor::Acceptor(EpollReactor& reactor, std::span<EpollReactor* const> reactors,
                   ConnectionLimits& limits, ListenSocket socket, uint32_t listener)
    : reactor_(reactor),
      reactors_(reactors),
      limits_(limits),
      socket_(std::move(socket)),
      listener_(listener),
      resume_timer_(*this),
      close_timer_(*this) {
  Resume();
}

Acceptor::~Acceptor() {
  reactor_.Cancel(resume_timer_);
  reactor_.Cancel(close_timer_);
  reactor_.Unwatch(socket_.descriptor.get());
}

void Acceptor::OnEvents(uint32_t) {
  for (int i = 0; i < kAcceptsPerTick; i++) {
    SocketAddress address;
    Descriptor descriptor(accept4(socket_.descriptor.get(), address.raw(), &address.size,
                                  SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (descriptor.valid()) {
      Take(std::move(descriptor), address);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (!IsOfOneClient(errno)) {
      return Pause(errno);
    }
  }
}

void Acceptor::Take(Descriptor descriptor, const SocketAddress& address) {
  const auto [admission, throttle_ms] = limits_.Admit(address.ip(), reactor_.monotonic_ms());
  if (admission != Admission::kAdmitted) {
    Refuse(admission, address);
    if (admission == Admission::kTooFast) Hold(std::move(descriptor), throttle_ms);
    return;
  }
  reactor_.mutable_counters().accepted.Add(1);
  ConfigureAccepted(descriptor.get());
  EpollReactor* const chosen = *std::min_element(
      reactors_.begin(), reactors_.end(), [](const EpollReactor* a, const EpollReactor* b) {
        return a->connection_count() < b->connection_count();
      });
  auto accepted = std::make_shared<AcceptedSocket>();
  accepted->descriptor = std::move(descriptor);
  accepted->address = address;
  accepted->listener = listener_;
  chosen->Adopt(std::move(accepted));
}

void Acceptor::Refuse(Admission admission, const SocketAddress& address) {
  const char* limit = admission == Admission::kTooMany            ? "max.connections"
                      : admission == Admission::kTooManyOfAddress ? "max.connections.per.ip"
                                                                  : "connection_creation_rate";
  reactor_.mutable_counters().refused.Add(1);
  reactor_.log().Warn(limit + address.IpText(), reactor_.monotonic_ms(),
                      "refusing connections from " + address.IpText() + ": " + limit +
                          " is reached. Close connections or raise the limit.");
}

void Acceptor::Hold(Descriptor descriptor, int64_t throttle_ms) {
  if (held_.size() >= kHeldMax) return;
  held_.push_back({reactor_.monotonic_ms() + throttle_ms, std::move(descriptor)});
  if (!close_timer_.armed()) reactor_.Arm(close_timer_, throttle_ms);
}

void Acceptor::CloseHeld() {
  const int64_t now_ms = reactor_.monotonic_ms();
  std::erase_if(held_, [now_ms](const Held& held) { return held.close_at_ms <= now_ms; });
  if (held_.empty()) return;
  const auto next = std::ranges::min_element(held_, {}, &Held::close_at_ms);
  reactor_.Arm(close_timer_, next->close_at_ms - now_ms);
}

void Acceptor::Pause(int os_error) {
  reactor_.Unwatch(socket_.descriptor.get());
  reactor_.Arm(resume_timer_, kPauseMs);
  reactor_.log().Warn("accept", reactor_.monotonic_ms(),
                      "cannot accept connections on port " + std::to_string(socket_.port) + ": " +
                          std::strerror(os_error) +
                          ". Clients wait in the backlog, and accepting is tried again 10 times a "
                          "second. Raise the limit of open files (ulimit -n, LimitNOFILE) or close "
                          "connections.");
}

void Acceptor::Resume() {
  if (!reactor_.Watch(socket_.descriptor.get(), EPOLLIN, *this)) {
    reactor_.Arm(resume_timer_, kPauseMs);
  }
}

}  // namespace millrace::net
