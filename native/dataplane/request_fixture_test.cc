#include "dataplane/request_fixture.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <utility>

namespace millrace::dataplane {

net::Reactor& FakeConnection::reactor() { return reactor_; }

void FakeConnection::Respond(uint64_t place, net::Response response) {
  filled_.emplace(place, std::move(response));
  while (!closed && filled_.contains(next_sent_)) {
    const net::Response ready = std::move(filled_.extract(next_sent_++).mapped());
    Bytes frame;
    size_t range_count = 0;
    for (const net::ResponsePiece& piece : ready.pieces) {
      frame.insert(frame.end(), piece.bytes.begin(), piece.bytes.end());
      if (piece.range.size == 0) continue;
      ++range_count;
      const size_t at = frame.size();
      frame.resize(at + piece.range.size);
      CHECK(pread(piece.range.descriptor, frame.data() + at, piece.range.size,
                  static_cast<off_t>(piece.range.position)) ==
            static_cast<ssize_t>(piece.range.size));
    }
    sent.push_back(std::move(frame));
    ranges.push_back(range_count);
    throttles.push_back(ready.throttle_ms);
    closed = ready.close_after;
  }
}

void FakeReactor::Post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
}

void FakeReactor::Arm(net::Timer& timer, int64_t delay_ms) {
  wheel_.Arm(timer, static_cast<uint64_t>(now_ms_ + std::max<int64_t>(delay_ms, 1)));
}

net::Connection* FakeReactor::FindConnection(uint64_t id) {
  const auto found = connections.find(id);
  return found == connections.end() ? nullptr : found->second.get();
}

bool FakeReactor::Tick(int64_t milliseconds) {
  now_ms_ += milliseconds;
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
  wheel_.Advance(static_cast<uint64_t>(now_ms_));
  handler->OnTickEnd();
  return !tasks.empty();
}

Harness::Harness(DataPlaneOptions options, size_t reactor_count)
    : context(options, file_system, events),
      dir(std::make_shared<log::LogDir>(file_system, "/nowhere")) {
  context.committer = &committer;
  context.pool = &pool;
  context.mailboxes.resize(reactor_count);
  for (size_t i = 0; i < reactor_count; ++i) {
    pool.reactors.push_back(std::make_unique<FakeReactor>(static_cast<int>(i)));
    FakeReactor& reactor = *pool.reactors.back();
    handlers.push_back(std::make_unique<RequestHandler>(context, reactor, 42 + i));
    reactor.handler = handlers.back().get();
    context.request_handlers.push_back(handlers.back().get());
    context.fetch_handlers.push_back(&handlers.back()->fetches());
    context.mailboxes[i] = std::make_unique<Mailbox>(
        reactor, [raw = handlers.back().get()](Mail& mail) { raw->OnMail(mail); });
  }
}

Harness::~Harness() {
  for (const auto& reactor : pool.reactors) {
    while (!reactor->connections.empty()) Disconnect(*reactor->connections.begin()->second);
  }
  handlers.clear();
}

FakeLog& Harness::AddPartition(const std::string& topic, int32_t index, uint8_t topic_id) {
  auto log = std::make_shared<FakeLog>();
  auto partition = std::make_shared<Partition>(PartitionName{topic, TestUuid(topic_id), index}, dir,
                                               log, handlers.size());
  partition->set_leader_epoch(5);
  REQUIRE(context.partitions.Insert(partition));
  return *log;
}

Partition& Harness::PartitionAt(const std::string& topic, int32_t index) {
  return *context.partitions.Find(topic, index);
}

FakeConnection& Harness::Connect(size_t reactor_index) {
  FakeReactor& reactor = *pool.reactors[reactor_index];
  const uint64_t id = (uint64_t{reactor_index} << kReactorShift) | next_connection_++;
  auto& connection = reactor.connections[id];
  connection = std::make_unique<FakeConnection>(reactor, id);
  reactor.handler->OnConnect(*connection);
  return *connection;
}

void Harness::Disconnect(FakeConnection& connection) {
  auto& reactor = static_cast<FakeReactor&>(connection.reactor());
  const auto gone = reactor.connections.extract(connection.id());
  reactor.handler->OnClose(connection, "the test closes it");
}

void Harness::Send(FakeConnection& connection, std::vector<Bytes> frames) {
  std::vector<net::Frame> views(frames.begin(), frames.end());
  static_cast<FakeReactor&>(connection.reactor()).handler->OnFrames(connection, views);
  for (Bytes& frame : frames) std::ranges::fill(frame, uint8_t{0xEE});  // It is gone.
}

void Harness::Tick(int64_t milliseconds) {
  for (bool again = true; again; milliseconds = 0) {
    again = false;
    for (const auto& reactor : pool.reactors) again |= reactor->Tick(milliseconds);
  }
}

ProduceAnswer Harness::Produce(FakeConnection& connection, const ProduceMessage& message) {
  const size_t before = connection.sent.size();
  Send(connection, {message.Encode()});
  Tick();
  REQUIRE(connection.sent.size() == before + 1);
  return ProduceAnswer::Decode(connection.sent.back(), message.version);
}

FetchAnswer Harness::Fetch(FakeConnection& connection, const FetchMessage& message) {
  const size_t before = connection.sent.size();
  Send(connection, {message.Encode()});
  Tick();
  REQUIRE(connection.sent.size() == before + 1);
  return LastFetch(connection, message.version);
}

FetchAnswer Harness::LastFetch(const FakeConnection& connection, int16_t version) {
  REQUIRE_FALSE(connection.sent.empty());
  return FetchAnswer::Decode(connection.sent.back(), version);
}

}  // namespace millrace::dataplane
