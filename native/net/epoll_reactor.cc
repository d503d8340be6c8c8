// The tick and its steps; see epoll_reactor.h.
#include "net/epoll_reactor.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

#include "net/tcp_connection.h"

namespace millrace::net {

namespace {

constexpr size_t kEventsPerTick = 256;

}  // namespace

Result<std::unique_ptr<EpollReactor>> EpollReactor::Create(int index, const NetOptions& options,
                                                           ConnectionLimits& limits,
                                                           LogSink log_sink) {
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  Descriptor event(epoll.valid() ? eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) : -1);
  const int event_descriptor = event.get();
  if (event.valid()) {
    auto reactor = std::make_unique<EpollReactor>(index, options, limits, std::move(log_sink),
                                                  std::move(epoll), std::move(event));
    // The mailbox needs no target: being woken is all.
    epoll_event watched{};
    watched.events = EPOLLIN | EPOLLET;
    watched.data.ptr = nullptr;
    if (epoll_ctl(reactor->epoll_.get(), EPOLL_CTL_ADD, event_descriptor, &watched) == 0) {
      return reactor;
    }
  }
  const int os_error = errno;
  return Error{ErrorCode::kIo, os_error,
               std::string("cannot start a network thread: ") + std::strerror(os_error) +
                   ". Raise the limit of open files (ulimit -n)."};
}

EpollReactor::EpollReactor(int index, const NetOptions& options, ConnectionLimits& limits,
                           LogSink log_sink, Descriptor epoll, Descriptor event)
    : index_(index),
      options_(options),
      limits_(limits),
      log_(std::move(log_sink)),
      epoll_(std::move(epoll)),
      mailbox_(std::move(event)),
      monotonic_ms_(clock_.MonotonicMs()),
      wall_ms_(clock_.WallMs()),
      wheel_(static_cast<uint64_t>(monotonic_ms_)) {}

EpollReactor::~EpollReactor() = default;

void EpollReactor::Run() {
  while (!stopping_) Tick();
  CloseAll();
}

void EpollReactor::RequestStop() {
  Post([this] { stopping_ = true; });
}

void EpollReactor::Tick() {
  HandleEvents(WaitTimeout());
  again_ = false;
  RunTasks();
  wheel_.Advance(static_cast<uint64_t>(monotonic_ms_));
  ReadReadable();
  ReportClosed();
  handler_->OnTickEnd();
  FlushDirty();
  // What OnClose gathers for OnTickEnd must not wait for the next event.
  if (ReportClosed()) again_ = true;
  CheckDrained();
}

int EpollReactor::WaitTimeout() {
  if (again_ || !dirty_.empty() || !readable_.empty()) return 0;
  int timeout = -1;
  if (const std::optional<uint64_t> wake = wheel_.NextWake()) {
    const int64_t left = static_cast<int64_t>(*wake) - clock_.MonotonicMs();
    const int64_t most = std::numeric_limits<int>::max();
    timeout = static_cast<int>(std::clamp<int64_t>(left, 0, most));
  }
  return timeout != 0 && mailbox_.BeginSleep() ? timeout : 0;
}

void EpollReactor::HandleEvents(int timeout_ms) {
  std::array<epoll_event, kEventsPerTick> events;
  const int count =
      epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
  ReadClocks();
  for (int i = 0; i < count; i++) {
    const epoll_event& event = events[static_cast<size_t>(i)];
    if (event.data.ptr != nullptr)
      static_cast<EventTarget*>(event.data.ptr)->OnEvents(event.events);
  }
}

void EpollReactor::ReadClocks() {
  monotonic_ms_ = clock_.MonotonicMs();
  wall_ms_ = clock_.WallMs();
}

void EpollReactor::RunTasks() {
  mailbox_.TakeAll(tasks_);
  for (Mailbox::Task& task : tasks_) task();
  tasks_.clear();
}

void EpollReactor::ReadReadable() {
  std::vector<TcpConnection*> readable;
  readable.swap(readable_);
  for (TcpConnection* connection : readable) connection->ReadMarked();
}

void EpollReactor::FlushDirty() {
  std::vector<TcpConnection*> dirty;
  dirty.swap(dirty_);
  for (TcpConnection* connection : dirty) connection->FlushMarked();
}

bool EpollReactor::ReportClosed() {
  if (closed_.empty()) return false;
  while (!closed_.empty()) {
    std::vector<std::unique_ptr<TcpConnection>> closed;
    closed.swap(closed_);
    for (const auto& connection : closed) {
      if (connection->marked_dirty()) std::erase(dirty_, connection.get());
      if (connection->marked_readable()) std::erase(readable_, connection.get());
      handler_->OnClose(*connection, connection->close_reason());
    }
  }
  return true;
}

void EpollReactor::Adopt(std::shared_ptr<AcceptedSocket> accepted) {
  // Counted at once, so that the acceptor's next choice sees it.
  connection_count_.fetch_add(1, std::memory_order_relaxed);
  Post([this, accepted = std::move(accepted)] { AddConnection(*accepted); });
}

void EpollReactor::AddConnection(AcceptedSocket& accepted) {
  const uint64_t id = (static_cast<uint64_t>(index_) << kIdBits) | next_id_++;
  auto owned = std::make_unique<TcpConnection>(*this, id, std::move(accepted));
  TcpConnection& connection = *owned;
  connections_.emplace(id, std::move(owned));
  handler_->OnConnect(connection);
  connection.Start();
}

Connection* EpollReactor::FindConnection(uint64_t id) {
  const auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : found->second.get();
}

void EpollReactor::Arm(Timer& timer, int64_t delay_ms) {
  const int64_t latest = std::numeric_limits<int64_t>::max() - monotonic_ms_;
  const int64_t delay = std::clamp<int64_t>(delay_ms, 1, latest);
  wheel_.Arm(timer, static_cast<uint64_t>(monotonic_ms_ + delay));
}

bool EpollReactor::Watch(int descriptor, uint32_t events, EventTarget& target) {
  epoll_event watched{};
  watched.events = events;
  watched.data.ptr = &target;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &watched) == 0;
}

void EpollReactor::Unwatch(int descriptor) {
  // Explicit, since a child process between fork and exec may still hold the descriptor.
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void EpollReactor::MarkDirty(TcpConnection& connection) { dirty_.push_back(&connection); }

void EpollReactor::MarkReadable(TcpConnection& connection) { readable_.push_back(&connection); }

void EpollReactor::Forget(TcpConnection& connection) {
  const auto found = connections_.find(connection.id());
  closed_.push_back(std::move(found->second));
  connections_.erase(found);
  connection_count_.fetch_sub(1, std::memory_order_relaxed);
  limits_.Release(connection.ip());
}

void EpollReactor::BeginDrain(std::shared_ptr<DrainWait> wait) {
  Post([this, wait = std::move(wait)]() mutable {
    draining_ = true;
    // A second Drain() takes over; the first one runs into its deadline.
    drain_wait_ = std::move(wait);
  });
}

void EpollReactor::CheckDrained() {
  if (!drain_wait_) return;
  for (const auto& [id, connection] : connections_) {
    if (!connection->settled()) return;
  }
  std::exchange(drain_wait_, nullptr)->Report(true);
}

void EpollReactor::CloseAll() {
  while (!connections_.empty()) connections_.begin()->second->CloseQuietly("the broker stops");
  ReportClosed();
  mailbox_.Close();
  if (drain_wait_) std::exchange(drain_wait_, nullptr)->Report(false);
}

}  // namespace millrace::net
