// Reactor: one thread with one epoll set, its connections, its timers and its mailbox. ReactorPool:
// all reactors of a data plane and their listeners; a new connection goes to the reactor with the
// fewest.
//
// An idle reactor sleeps until the next timer; without timers for ever. Nothing here knows Kafka
// beyond the 4-byte size in front of a frame.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sampled_rate.h"
#include "net/connection.h"

namespace millrace::net {

// How many connections there may be.
struct ConnectionMaxima {
  int32_t connections = 2'147'483'647;         // max.connections
  int32_t connections_per_ip = 2'147'483'647;  // max.connections.per.ip
  // max.connections.per.ip.overrides: addresses as text; what is no address never matches.
  std::map<std::string, int32_t> of_address;
};

// How many connections an address may open per second (KIP-612); 0: as many as it likes.
struct ConnectionRates {
  double per_ip = 0;                         // For all addresses without a rate of their own.
  std::map<std::string, double> of_address;  // Addresses as text.
};

// Limits of all connections of a pool. 0 or less means "as the operating system has it" for the two
// buffer sizes.
struct NetOptions {
  int reactors = 1;
  int32_t request_bytes_max = 104'857'600;    // socket.request.max.bytes
  int64_t connections_max_idle_ms = 600'000;  // connections.max.idle.ms; <= 0: never
  ConnectionMaxima connection_maxima;
  QuotaWindows quota_windows;  // For connection rates.
  int32_t send_buffer_bytes = -1;
  int32_t receive_buffer_bytes = -1;
  int32_t backlog = 50;
  // Reading from a connection pauses while more than this is unsent or this many requests await
  // their response.
  size_t unsent_bytes_max = 8u << 20;
  size_t requests_in_flight_max = 1024;
};

// Counters of one pool; read without locks by any thread (relaxed).
struct NetCounters {
  uint64_t connections_open = 0;
  uint64_t connections_accepted = 0;
  uint64_t connections_refused = 0;  // Over max.connections or its per-address part.
  uint64_t bad_frames =
      0;  // Connections closed for a size that is not a Kafka frame's (HTTP, TLS, garbage).
  uint64_t bytes_received = 0;
  uint64_t bytes_sent = 0;
};

// A one-shot timer, embedded in what it times. Armed and cancelled only on its reactor's thread.
// Granularity 1 ms. Cancel it before it is destroyed.
class Timer {
 public:
  virtual ~Timer() = default;
  virtual void OnTimer() = 0;
  bool armed() const { return armed_; }

 private:
  friend class TimerWheel;
  Timer* previous_ = nullptr;
  Timer* next_ = nullptr;
  uint64_t due_ms_ = 0;
  uint16_t slot_ = 0;  // Where in the wheel it hangs while armed.
  bool armed_ = false;
};

class Reactor {
 public:
  virtual ~Reactor() = default;
  virtual int index() const = 0;
  // Any thread: runs `task` on the reactor's thread, soon; wakes it if it sleeps (one eventfd write
  // for many posts). After the pool stopped, tasks are dropped.
  virtual void Post(std::function<void()> task) = 0;
  // Reactor's thread only. Arming an armed timer moves it; a delay of 0 or less means the next
  // millisecond, so that a timer never fires twice in one tick.
  virtual void Arm(Timer& timer, int64_t delay_ms) = 0;
  virtual void Cancel(Timer& timer) = 0;
  virtual Connection* FindConnection(uint64_t id) = 0;
  // Monotonic milliseconds and wall-clock milliseconds, read once a tick.
  virtual int64_t monotonic_ms() const = 0;
  virtual int64_t wall_ms() const = 0;
};

// Log lines of the data plane, in order of a human's interest; forwarded to TypeScript. Any thread.
using LogSink =
    std::function<void(int level /* 0 debug 1 info 2 warn 3 error */, std::string message)>;

class ReactorPool {
 public:
  // `make_handler` is called once a reactor, before its thread starts.
  static Result<std::unique_ptr<ReactorPool>> Start(
      const NetOptions& options,
      std::function<std::unique_ptr<FrameHandler>(Reactor&)> make_handler, LogSink log_sink);
  virtual ~ReactorPool() = default;

  // Binds and listens; port 0 lets the system choose. Returns the port. kIo with "address in use"
  // and the like.
  virtual Result<uint16_t> Listen(const std::string& host, uint16_t port, uint32_t listener) = 0;
  // Closes all listening sockets; their ports are free when this returns. Not on a reactor's
  // thread.
  virtual void StopListening() = 0;
  virtual Reactor& reactor(size_t index) = 0;
  virtual size_t size() const = 0;
  virtual Reactor& ReactorOf(uint64_t connection_id) = 0;
  virtual NetCounters counters() const = 0;
  // For connections that come from now on; those that are open stay.
  virtual void ChangeLimits(const ConnectionMaxima& maxima) = 0;
  virtual void ChangeRates(const ConnectionRates& rates) = 0;
  // Stops reading everywhere, waits until every taken request has been answered and sent, or until
  // the deadline. Returns whether all was sent. Not on a reactor's thread.
  virtual bool Drain(int64_t timeout_ms) = 0;
  // Closes all connections and joins the threads. Not on a reactor's thread.
  virtual void Stop() = 0;
};

}  // namespace millrace::net
