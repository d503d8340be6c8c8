// EpollReactor: the Reactor on epoll. Sockets are watched edge-triggered and registered once: a
// connection remembers that it may be readable or writable, and no epoll_ctl is spent on pausing.
//
// A tick: events, posted tasks, timers, connections with more to read; then OnTickEnd; then the
// responses of the connections that have some. Closed connections are reported and destroyed
// between these steps, never inside one, so a pointer to a connection is good for the whole step.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "net/connection_limits.h"
#include "net/drain_wait.h"
#include "net/mailbox.h"
#include "net/rare_log.h"
#include "net/reactor.h"
#include "net/receive_buffers.h"
#include "net/socket_address.h"
#include "net/timer_wheel.h"

namespace millrace::net {

class TcpConnection;

// What an epoll event is given to.
class EventTarget {
 public:
  virtual void OnEvents(uint32_t events) = 0;

 protected:
  ~EventTarget() = default;
};

struct AcceptedSocket {
  Descriptor descriptor;
  SocketAddress address;
  uint32_t listener = 0;
};

// A counter written by one reactor and read by any thread.
class Counter {
 public:
  void Add(uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_ = 0;
};

struct ReactorCounters {
  Counter accepted;
  Counter refused;
  Counter bad_frames;
  Counter bytes_received;
  Counter bytes_sent;
};

class EpollReactor final : public Reactor {
 public:
  // An id is the reactor's index above this many bits and a counter below, and stays below 2^53.
  static constexpr int kIdBits = 40;

  // `options` and `limits` outlive the reactor.
  static Result<std::unique_ptr<EpollReactor>> Create(int index, const NetOptions& options,
                                                      ConnectionLimits& limits, LogSink log_sink);
  EpollReactor(int index, const NetOptions& options, ConnectionLimits& limits, LogSink log_sink,
               Descriptor epoll, Descriptor event);
  ~EpollReactor() override;

  // Before Run().
  void SetHandler(std::unique_ptr<FrameHandler> handler) { handler_ = std::move(handler); }
  // The thread's body: ticks until RequestStop(), then closes all connections.
  void Run();

  // Any thread.
  void RequestStop();
  void BeginDrain(std::shared_ptr<DrainWait> wait);
  size_t connection_count() const { return connection_count_.load(std::memory_order_relaxed); }
  // Takes over an accepted socket that was admitted by the limits.
  void Adopt(std::shared_ptr<AcceptedSocket> accepted);
  const ReactorCounters& counters() const { return counters_; }
  const ReceiveBufferPool& receive_buffers() const { return receive_buffers_; }

  // Reactor. The first two are for any thread.
  int index() const override { return index_; }
  void Post(std::function<void()> task) override { mailbox_.Post(std::move(task)); }
  void Arm(Timer& timer, int64_t delay_ms) override;
  void Cancel(Timer& timer) override { wheel_.Cancel(timer); }
  Connection* FindConnection(uint64_t id) override;
  int64_t monotonic_ms() const override { return monotonic_ms_; }
  int64_t wall_ms() const override { return wall_ms_; }

  // For connections and acceptors, on the reactor's thread. False: errno says why.
  bool Watch(int descriptor, uint32_t events, EventTarget& target);
  void Unwatch(int descriptor);
  void MarkDirty(TcpConnection& connection);     // It has something to send.
  void MarkReadable(TcpConnection& connection);  // It should read in the next tick.
  void Forget(TcpConnection& connection);        // It closed: report and destroy it soon.
  bool draining() const { return draining_; }
  FrameHandler& handler() { return *handler_; }
  const NetOptions& options() const { return options_; }
  ReactorCounters& mutable_counters() { return counters_; }
  ReceiveBufferPool& mutable_receive_buffers() { return receive_buffers_; }
  RareLog& log() { return log_; }
  // Empty between receives; shared by all connections.
  std::vector<Frame>& frames() { return frames_; }

 private:
  void Tick();
  int WaitTimeout();
  void ReadClocks();
  void HandleEvents(int timeout_ms);
  void RunTasks();
  void AddConnection(AcceptedSocket& accepted);
  void ReadReadable();
  void FlushDirty();
  // Whether any connection was reported.
  bool ReportClosed();
  void CheckDrained();
  void CloseAll();

  const int index_;
  const NetOptions& options_;
  ConnectionLimits& limits_;
  RareLog log_;
  Descriptor epoll_;
  Mailbox mailbox_;
  const SystemClock clock_;
  int64_t monotonic_ms_ = 0;
  int64_t wall_ms_ = 0;
  TimerWheel wheel_;
  ReactorCounters counters_;
  std::atomic<size_t> connection_count_ = 0;
  ReceiveBufferPool receive_buffers_;
  std::vector<Frame> frames_;
  std::vector<Mailbox::Task> tasks_;
  std::vector<TcpConnection*> dirty_;
  std::vector<TcpConnection*> readable_;
  std::shared_ptr<DrainWait> drain_wait_;
  bool draining_ = false;
  bool stopping_ = false;
  bool again_ = false;  // The next tick must not sleep.
  uint64_t next_id_ = 1;
  // Destroyed before all of the above, which they may use until then: first the connections.
  std::unique_ptr<FrameHandler> handler_;
  std::unordered_map<uint64_t, std::unique_ptr<TcpConnection>> connections_;
  std::vector<std::unique_ptr<TcpConnection>> closed_;
};

}  // namespace millrace::net
