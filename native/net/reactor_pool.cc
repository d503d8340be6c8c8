// The ReactorPool of reactor.h: threads, listeners and the way to stop.
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <latch>
#include <mutex>
#include <thread>

#include "net/acceptor.h"
#include "net/epoll_reactor.h"
#include "net/listen_socket.h"

namespace millrace::net {

namespace {

// Blocks all signals for the calling thread, and hence for the threads it starts, until destroyed:
// signals belong to the embedding process. Those that report a fault of the thread itself stay.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
      sigdelset(&all, fault);
    }
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

class EpollReactorPool final : public ReactorPool {
 public:
  EpollReactorPool(const NetOptions& options, LogSink log_sink)
      : options_(options),
        log_sink_(std::move(log_sink)),
        limits_(options_.connection_maxima, options_.quota_windows) {}
  ~EpollReactorPool() override { Stop(); }

  Status CreateReactors(const std::function<std::unique_ptr<FrameHandler>(Reactor&)>& make_handler);
  void StartThreads();

  Result<uint16_t> Listen(const std::string& host, uint16_t port, uint32_t listener) override;
  void StopListening() override;
  Reactor& reactor(size_t index) override { return *owned_[index]; }
  size_t size() const override { return owned_.size(); }
  Reactor& ReactorOf(uint64_t connection_id) override;
  NetCounters counters() const override;
  void ChangeLimits(const ConnectionMaxima& maxima) override { limits_.Change(maxima); }
  void ChangeRates(const ConnectionRates& rates) override { limits_.ChangeRates(rates); }
  bool Drain(int64_t timeout_ms) override;
  void Stop() override;

 private:
  void StopListeningLocked();

  const NetOptions options_;
  const LogSink log_sink_;
  ConnectionLimits limits_;
  std::vector<std::unique_ptr<EpollReactor>> owned_;
  std::vector<EpollReactor*> reactors_;
  std::vector<std::thread> threads_;
  // Touched on the first reactor's thread only. Empty before that thread ends.
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::mutex mutex_;  // Guards the three ways to change what runs: Listen, StopListening, Stop.
  bool stopped_ = false;
};

Status EpollReactorPool::CreateReactors(
    const std::function<std::unique_ptr<FrameHandler>(Reactor&)>& make_handler) {
  for (int index = 0; index < std::max(1, options_.reactors); index++) {
    auto reactor = EpollReactor::Create(index, options_, limits_, log_sink_);
    if (!reactor.ok()) return reactor.error();
    owned_.push_back(reactor.Take());
    reactors_.push_back(owned_.back().get());
  }
  // Only now, so that a handler may already see its reactor among all others.
  for (EpollReactor* reactor : reactors_) reactor->SetHandler(make_handler(*reactor));
  return Status::Ok();
}

void EpollReactorPool::StartThreads() {
  const SignalsBlocked blocked;
  for (EpollReactor* reactor : reactors_) {
    threads_.emplace_back([reactor] { reactor->Run(); });
    const std::string name = "millrace-net-" + std::to_string(reactor->index());
    pthread_setname_np(threads_.back().native_handle(), name.substr(0, 15).c_str());
  }
}

Result<uint16_t> EpollReactorPool::Listen(const std::string& host, uint16_t port,
                                          uint32_t listener) {
  const std::lock_guard lock(mutex_);
  if (stopped_) {
    return Error{ErrorCode::kClosed, 0, "cannot listen: the network threads have stopped."};
  }
  Result<ListenSocket> opened = OpenListenSocket(host, port, options_);
  if (!opened.ok()) return opened.error();
  const uint16_t bound_port = opened.value().port;
  auto socket = std::make_shared<ListenSocket>(opened.Take());
  reactors_.front()->Post([this, socket, listener] {
    acceptors_.push_back(std::make_unique<Acceptor>(*reactors_.front(), reactors_, limits_,
                                                    std::move(*socket), listener));
  });
  return bound_port;
}

void EpollReactorPool::StopListening() {
  const std::lock_guard lock(mutex_);
  if (!stopped_) StopListeningLocked();
}

void EpollReactorPool::StopListeningLocked() {
  const auto closed = std::make_shared<std::latch>(1);
  reactors_.front()->Post([this, closed] {
    acceptors_.clear();
    closed->count_down();
  });
  closed->wait();
}

Reactor& EpollReactorPool::ReactorOf(uint64_t connection_id) {
  const size_t index = connection_id >> EpollReactor::kIdBits;
  return *owned_[std::min(index, owned_.size() - 1)];
}

NetCounters EpollReactorPool::counters() const {
  NetCounters sum;
  for (const EpollReactor* reactor : reactors_) {
    const ReactorCounters& counters = reactor->counters();
    sum.connections_open += reactor->connection_count();
    sum.connections_accepted += counters.accepted.value();
    sum.connections_refused += counters.refused.value();
    sum.bad_frames += counters.bad_frames.value();
    sum.bytes_received += counters.bytes_received.value();
    sum.bytes_sent += counters.bytes_sent.value();
  }
  return sum;
}

bool EpollReactorPool::Drain(int64_t timeout_ms) {
  const auto wait = std::make_shared<DrainWait>(reactors_.size());
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return true;
    for (EpollReactor* reactor : reactors_) reactor->BeginDrain(wait);
  }
  return wait->Wait(timeout_ms);
}

void EpollReactorPool::Stop() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  if (!threads_.empty()) StopListeningLocked();
  stopped_ = true;
  for (EpollReactor* reactor : reactors_) reactor->RequestStop();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace

Result<std::unique_ptr<ReactorPool>> ReactorPool::Start(
    const NetOptions& options, std::function<std::unique_ptr<FrameHandler>(Reactor&)> make_handler,
    LogSink log_sink) {
  auto pool = std::make_unique<EpollReactorPool>(options, std::move(log_sink));
  const Status created = pool->CreateReactors(make_handler);
  if (!created.ok()) return created.error();
  pool->StartThreads();
  return std::unique_ptr<ReactorPool>(std::move(pool));
}

}  // namespace millrace::net
