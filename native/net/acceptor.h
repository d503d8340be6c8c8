// Acceptor: takes the new connections of one listening socket and gives each to the reactor that
// has the fewest. Lives on one reactor's thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "net/connection_limits.h"
#include "net/epoll_reactor.h"
#include "net/listen_socket.h"

namespace millrace::net {

class Acceptor final : public EventTarget {
 public:
  // All must outlive the acceptor. `reactor` is the one whose thread it lives on.
  Acceptor(EpollReactor& reactor, std::span<EpollReactor* const> reactors, ConnectionLimits& limits,
           ListenSocket socket, uint32_t listener);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  void OnEvents(uint32_t events) override;

 private:
  class ResumeTimer final : public Timer {
   public:
    explicit ResumeTimer(Acceptor& acceptor) : acceptor_(acceptor) {}
    void OnTimer() override { acceptor_.Resume(); }

   private:
    Acceptor& acceptor_;
  };

  // Closes what came too fast, later (KIP-612): a client that is closed at once comes back at once.
  class CloseTimer final : public Timer {
   public:
    explicit CloseTimer(Acceptor& acceptor) : acceptor_(acceptor) {}
    void OnTimer() override { acceptor_.CloseHeld(); }

   private:
    Acceptor& acceptor_;
  };

  struct Held {
    int64_t close_at_ms;
    Descriptor descriptor;
  };

  void Hold(Descriptor descriptor, int64_t throttle_ms);
  void CloseHeld();
  void Refuse(Admission admission, const SocketAddress& address);
  void Take(Descriptor descriptor, const SocketAddress& address);
  // Out of descriptors or memory: leaves the clients in the backlog for a moment.
  void Pause(int os_error);
  void Resume();

  EpollReactor& reactor_;
  const std::span<EpollReactor* const> reactors_;
  ConnectionLimits& limits_;
  ListenSocket socket_;
  const uint32_t listener_;
  ResumeTimer resume_timer_;
  CloseTimer close_timer_;
  std::vector<Held> held_;
};

}  // namespace millrace::net
