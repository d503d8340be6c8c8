// TcpConnection: the Connection on a TCP socket. Ties together the FrameReader, the order of
// responses and the output queue; decides when to read, when to pause and when to close.
#pragma once

#include <cstdint>
#include <string>

#include "net/connection.h"
#include "net/epoll_reactor.h"
#include "net/frame_reader.h"
#include "net/output_queue.h"
#include "net/response_order.h"

namespace millrace::net {

class TcpConnection final : public Connection, public EventTarget {
 public:
  TcpConnection(EpollReactor& reactor, uint64_t id, AcceptedSocket accepted);
  ~TcpConnection() override;

  // Connection.
  uint64_t id() const override { return id_; }
  Reactor& reactor() override { return reactor_; }
  uint32_t listener() const override { return listener_; }
  const std::string& peer() const override { return peer_; }
  uint64_t ReserveResponse() override { return order_.Reserve(); }
  void Respond(uint64_t place, Response response) override;
  void Close(const char* reason) override;
  void SetReading(bool reading) override;

  // For the reactor. Start() begins to watch the socket.
  void Start();
  void OnEvents(uint32_t events) override;
  void ReadMarked();                      // One receive, as MarkReadable() announced.
  void FlushMarked();                     // One turn of sending, as MarkDirty() announced.
  void CloseQuietly(const char* reason);  // For what is no one's fault: not logged.
  bool marked_dirty() const { return marked_dirty_; }
  bool marked_readable() const { return marked_readable_; }
  // Every request was answered, and the answers were sent.
  bool settled() const { return order_.in_flight() == 0 && output_.empty(); }
  const char* close_reason() const { return close_reason_; }
  IpBytes ip() const { return address_.ip(); }

 private:
  class IdleTimer final : public Timer {
   public:
    explicit IdleTimer(TcpConnection& connection) : connection_(connection) {}
    void OnTimer() override { connection_.OnIdleTimer(); }

   private:
    TcpConnection& connection_;
  };

  // Ends the time in which a quota keeps the connection from being read.
  class UnmuteTimer final : public Timer {
   public:
    explicit UnmuteTimer(TcpConnection& connection) : connection_(connection) {}
    void OnTimer() override { connection_.ReadSoon(); }

   private:
    TcpConnection& connection_;
  };

  // Reads nothing for `duration_ms`; of several such times the last end counts.
  void Mute(int64_t duration_ms);
  void Read();
  void ReportBadFrame(const std::string& description);
  void OnIdleTimer();
  // Closes and warns, with what happened and, if there is one, the errno.
  void CloseLoudly(const char* reason, int os_error);
  bool MayRead() const;
  void ReadSoon();
  void FlushSoon();
  // Pauses reading above the limits of NetOptions, resumes below half of them.
  void UpdatePressure();

  EpollReactor& reactor_;
  const uint64_t id_;
  const uint32_t listener_;
  const SocketAddress address_;
  const std::string peer_;
  Descriptor socket_;
  FrameReader reader_;
  ResponseOrder order_;
  OutputQueue output_;
  IdleTimer idle_timer_;
  UnmuteTimer unmute_timer_;
  int64_t muted_until_ms_ = 0;
  int64_t last_activity_ms_;
  const char* close_reason_ = nullptr;  // Set once closed.
  bool readable_ = false;               // The socket may have bytes for us.
  bool blocked_ = false;                // The socket is full; an event will tell when it is not.
  bool peer_finished_ = false;          // Read on to the end: no event will follow.
  bool reading_wanted_ = true;          // SetReading().
  bool pressed_ = false;                // Too much is unsent or in flight.
  bool close_after_ = false;            // A response that closes is queued: nothing follows it.
  bool marked_dirty_ = false;
  bool marked_readable_ = false;
};

}  // namespace millrace::net
