// What the tests of the request handlers share: reactors and connections without threads and
// sockets, and a harness that drives handlers over them tick by tick.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dataplane/context.h"
#include "dataplane/fake_log.h"
#include "dataplane/request_handler.h"
#include "dataplane/wire_messages.h"
#include "io/posix_file_system.h"
#include "net/timer_wheel.h"

namespace millrace::dataplane {

constexpr int kReactorShift = 48;

class FakeReactor;

class FakeConnection final : public net::Connection {
 public:
  FakeConnection(FakeReactor& reactor, uint64_t id) : reactor_(reactor), id_(id) {}

  uint64_t id() const override { return id_; }
  net::Reactor& reactor() override;
  uint32_t listener() const override { return 3; }
  const std::string& peer() const override { return peer_; }
  uint64_t ReserveResponse() override { return next_place_++; }
  void Respond(uint64_t place, net::Response response) override;
  void Close(const char*) override { closed = true; }
  void SetReading(bool wanted) override { reading = wanted; }

  // The frames that were sent, in order, with their sizes. An empty one answers nothing.
  std::vector<Bytes> sent;
  std::vector<size_t> ranges;      // How many file ranges each of them had.
  std::vector<int64_t> throttles;  // Beside `sent`: for how long each mutes the connection.
  bool closed = false;             // Also by close_after.
  bool reading = true;

 private:
  FakeReactor& reactor_;
  const uint64_t id_;
  const std::string peer_ = "127.0.0.1:40312";
  uint64_t next_place_ = 0;
  uint64_t next_sent_ = 0;
  std::map<uint64_t, net::Response> filled_;
};

class FakeReactor final : public net::Reactor {
 public:
  explicit FakeReactor(int index) : index_(index), wheel_(1'000'000) {}

  int index() const override { return index_; }
  void Post(std::function<void()> task) override;
  void Arm(net::Timer& timer, int64_t delay_ms) override;
  void Cancel(net::Timer& timer) override { wheel_.Cancel(timer); }
  net::Connection* FindConnection(uint64_t id) override;
  int64_t monotonic_ms() const override { return now_ms_; }
  int64_t wall_ms() const override { return now_ms_; }

  // Runs what was posted and is due, then ends the tick. True if anything was posted.
  bool Tick(int64_t milliseconds = 0);

  RequestHandler* handler = nullptr;
  std::map<uint64_t, std::unique_ptr<FakeConnection>> connections;

 private:
  const int index_;
  int64_t now_ms_ = 1'000'000;
  net::TimerWheel wheel_;
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;  // Guarded by mutex_.
};

class FakePool final : public net::ReactorPool {
 public:
  Result<uint16_t> Listen(const std::string&, uint16_t port, uint32_t) override { return port; }
  void StopListening() override {}
  net::Reactor& reactor(size_t index) override { return *reactors[index]; }
  size_t size() const override { return reactors.size(); }
  net::Reactor& ReactorOf(uint64_t id) override { return *reactors[id >> kReactorShift]; }
  net::NetCounters counters() const override { return {}; }
  void ChangeLimits(const net::ConnectionMaxima&) override {}
  void ChangeRates(const net::ConnectionRates&) override {}
  bool Drain(int64_t) override { return true; }
  void Stop() override {}

  std::vector<std::unique_ptr<FakeReactor>> reactors;
};

class FakeEvents final : public DataPlaneEvents {
 public:
  void OnControlRequests() override { ++control_events; }
  void OnConnectionClosed(uint64_t connection) override { closed.push_back(connection); }
  void OnLogDirFailed(const std::string& path, const std::string&) override {
    failed_dirs.push_back(path);
  }
  void OnLogLine(int, const std::string& message) override { lines.push_back(message); }
  void OnFlushed(const std::string&, int32_t, int64_t, bool) override {}

  int control_events = 0;
  std::vector<uint64_t> closed;
  std::vector<std::string> failed_dirs;
  std::vector<std::string> lines;
};

class FakeCommitter final : public log::Committer {
 public:
  void Request(std::shared_ptr<log::Log> log) override { requests.push_back(std::move(log)); }
  void Stop() override {}

  std::vector<std::shared_ptr<log::Log>> requests;
};

struct Harness {
  explicit Harness(DataPlaneOptions options = {}, size_t reactor_count = 1);
  ~Harness();

  // A partition of its own log; in service.
  FakeLog& AddPartition(const std::string& topic, int32_t index, uint8_t topic_id = 1);
  Partition& PartitionAt(const std::string& topic, int32_t index);
  FakeConnection& Connect(size_t reactor = 0);
  void Disconnect(FakeConnection& connection);
  // All frames of one receive.
  void Send(FakeConnection& connection, std::vector<Bytes> frames);
  // Ticks of all reactors until nothing is posted any more; time passes in the first.
  void Tick(int64_t milliseconds = 0);

  // Sends a message, ends the tick, and decodes the one answer that came; fails without one.
  ProduceAnswer Produce(FakeConnection& connection, const ProduceMessage& message);
  FetchAnswer Fetch(FakeConnection& connection, const FetchMessage& message);
  // The newest answer of a connection.
  static FetchAnswer LastFetch(const FakeConnection& connection, int16_t version);

  io::PosixFileSystem file_system;
  FakeEvents events;
  FakeCommitter committer;
  Context context;
  FakePool pool;
  std::shared_ptr<log::LogDir> dir;
  std::vector<std::unique_ptr<RequestHandler>> handlers;

 private:
  uint64_t next_connection_ = 1;
};

}  // namespace millrace::dataplane
