// The floor of the benchmarks: a bare single-threaded reactor that receives whole frames, checks
// the CRC, appends and answers, with no sessions, no authorisation, no producer state, no flush.
// What a full broker costs beyond it is that broker's own; what it costs itself is mostly the
// kernel's.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "floor/broker.h"
#include "wire/clock.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

int Listen(uint16_t& port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(fd, 4096) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    Fail("Could not listen on port %d: %s.", port, std::strerror(errno));
  }
  port = ntohs(address.sin_port);
  return fd;
}

class Reactor {
 public:
  Reactor(int listener, Broker& broker) : listener_(listener), broker_(broker) {
    Watch(listener, EPOLL_CTL_ADD, EPOLLIN);
  }

  // One round: wait, receive, answer, sync, wake, send.
  void Tick() {
    epoll_event events[256];
    const int count = epoll_wait(epoll_, events, 256, Timeout());
    touched_.clear();
    for (int at = 0; at < count; at++) {
      if (events[at].data.fd == listener_) {
        Accept();
      } else {
        Serve(events[at].data.fd);
      }
    }
    broker_.Sync();
    broker_.Wake(touched_);
    for (Connection* connection : touched_) {
      Send(*connection);
    }
    for (const int fd : broken_) {
      Close(fd);
    }
    broken_.clear();
  }

 private:
  int Timeout() const {
    const int64_t next = broker_.next_timeout();
    const int64_t left = (next - MonotonicNanos()) / 1'000'000 + 1;
    return next == 0 ? -1 : static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
  }

  void Watch(int fd, int operation, uint32_t interest) {
    epoll_event event{};
    event.events = interest;
    event.data.fd = fd;
    if (epoll_ctl(epoll_, operation, fd, &event) != 0) {
      Fail("epoll refused a socket: %s.", std::strerror(errno));
    }
  }

  void Accept() {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      return;
    }
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_.emplace(fd, std::make_unique<Connection>(fd));
    Watch(fd, EPOLL_CTL_ADD, EPOLLIN);
  }

  void Serve(int fd) {
    Connection& connection = *connections_.at(fd);
    touched_.push_back(&connection);
    // While an answer is stuck the peer gets nothing more to queue.
    if (!connection.has_output() && !ReadFrames(connection)) {
      broken_.push_back(fd);
    }
  }

  bool ReadFrames(Connection& connection) {
    if (!connection.Receive()) {
      return false;
    }
    for (auto frame = connection.NextFrame(); !frame.empty(); frame = connection.NextFrame()) {
      if (!broker_.Handle(connection, frame)) {
        return false;
      }
    }
    connection.ReleaseInput();
    return true;
  }

  void Send(Connection& connection) {
    const bool was_stuck = stuck_.contains(connection.fd());
    if (!connection.Flush()) {
      broken_.push_back(connection.fd());
    } else if (connection.has_output() != was_stuck) {
      Watch(connection.fd(), EPOLL_CTL_MOD, was_stuck ? EPOLLIN : EPOLLOUT);
      was_stuck ? static_cast<void>(stuck_.erase(connection.fd()))
                : static_cast<void>(stuck_.emplace(connection.fd(), true));
    }
  }

  void Close(int fd) {
    if (const auto found = connections_.find(fd); found != connections_.end()) {
      broker_.Forget(*found->second);
      stuck_.erase(fd);
      connections_.erase(found);
    }
  }

  int listener_;
  Broker& broker_;
  int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  std::unordered_map<int, std::unique_ptr<Connection>> connections_;
  std::unordered_map<int, bool> stuck_;
  std::vector<Connection*> touched_;
  std::vector<int> broken_;
};

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  using namespace millrace::bench;
  if (argc != 4) {
    Fail("Usage: floor PORT FOLDER SEGMENT_BYTES (port 0: any; it is printed)");
  }
  const uint16_t wanted = static_cast<uint16_t>(std::strtol(argv[1], nullptr, 10));
  uint16_t port = wanted;
  const int listener = Listen(port);
  if (wanted == 0) {
    std::printf("%d\n", port);
    std::fflush(stdout);
  }
  Broker broker({argv[2], port, std::strtoll(argv[3], nullptr, 10)});
  Reactor reactor(listener, broker);
  for (;;) {
    reactor.Tick();
  }
}
