// Incremental fetch sessions over the whole request path (KIP-227, kafka.md 4.4).
#include <doctest/doctest.h>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

// A client that keeps a session. Every request answers at once unless a wait is asked for.
struct SessionClient {
  explicit SessionClient(Harness& on, size_t reactor = 0)
      : harness(on), connection(&on.Connect(reactor)) {}

  FetchMessage Message(std::vector<FetchMessage::PartitionOf> partitions,
                       std::vector<FetchMessage::PartitionOf> forgotten = {}) const {
    FetchMessage message;
    message.version = version;
    message.max_wait_ms = 0;
    message.session_id = id;
    message.session_epoch = epoch;
    if (!partitions.empty()) message.topics = {{"orders", std::move(partitions), TestUuid(1)}};
    if (!forgotten.empty()) message.forgotten = {{"orders", std::move(forgotten), TestUuid(1)}};
    return message;
  }
  FetchAnswer Send(const FetchMessage& message) {
    FetchAnswer answer = harness.Fetch(*connection, message);
    if (answer.error == 0) ++epoch;
    return answer;
  }
  // Opens a session.
  FetchAnswer Open(std::vector<FetchMessage::PartitionOf> partitions) {
    id = 0;
    epoch = 0;
    FetchAnswer answer = Send(Message(std::move(partitions)));
    id = answer.session_id;
    return answer;
  }
  FetchAnswer Next(std::vector<FetchMessage::PartitionOf> partitions = {},
                   std::vector<FetchMessage::PartitionOf> forgotten = {}) {
    return Send(Message(std::move(partitions), std::move(forgotten)));
  }

  Harness& harness;
  FakeConnection* connection;
  int16_t version = 12;
  int32_t id = 0;
  int32_t epoch = 0;
};

// An append as a client's, with its wake-up.
void Append(Harness& harness, int32_t index, int batches = 1) {
  Partition& partition = harness.PartitionAt("orders", index);
  for (int i = 0; i < batches; ++i) static_cast<FakeLog&>(partition.log()).Append(MakeBatch(1));
  harness.context.NotifyChanged(partition, kAppended);
  harness.Tick();
}

std::vector<int32_t> IndexesOf(const FetchAnswer& answer) {
  std::vector<int32_t> indexes;
  for (const auto& partition : answer.partitions) indexes.push_back(partition.index);
  return indexes;
}

using Indexes = std::vector<int32_t>;

}  // namespace

TEST_CASE("the full fetch lists all partitions, an incremental one only those with news") {
  Harness harness;
  for (int32_t i = 0; i < 3; ++i) harness.AddPartition("orders", i);
  SessionClient client(harness);
  CHECK(IndexesOf(client.Open({{0, 0}, {1, 0}, {2, 0}})) == Indexes{0, 1, 2});
  CHECK(client.id > 0);
  CHECK(client.Next().partitions.empty());
  Append(harness, 1);
  FetchAnswer answer = client.Next();
  CHECK(answer.session_id == client.id);
  CHECK(IndexesOf(answer) == Indexes{1});
  CHECK(answer.partitions[0].records.size() == 100);
  // Not asked from a later offset, so it comes again; asked from there, it is quiet.
  CHECK(IndexesOf(client.Next()) == Indexes{1});
  CHECK(client.Next({{1, 1}}).partitions.empty());
}

TEST_CASE("a moved high watermark or log start is news without records") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  log.Append(MakeBatch(1));
  SessionClient client(harness);
  client.Open({{0, 1}});
  client.Next();
  log.SetLogStart(1);
  harness.context.NotifyChanged(harness.PartitionAt("orders", 0), kAppended);
  harness.Tick();
  FetchAnswer answer = client.Next();
  REQUIRE(answer.partitions.size() == 1);
  CHECK(answer.partitions[0].log_start == 1);
  CHECK(client.Next().partitions.empty());
}

TEST_CASE("idle partitions cost nothing") {
  Harness harness;
  std::vector<FetchMessage::PartitionOf> all;
  for (int32_t i = 0; i < 200; ++i) {
    harness.AddPartition("orders", i).Append(MakeBatch(1));
    all.push_back({i, 1});
  }
  SessionClient client(harness);
  client.Open(all);
  client.Next();  // Finds that there is nothing, once.
  Append(harness, 77);
  size_t reads_before = 0;
  for (int32_t i = 0; i < 200; ++i) {
    reads_before += static_cast<FakeLog&>(harness.PartitionAt("orders", i).log()).read_calls();
  }
  CHECK(IndexesOf(client.Next()) == Indexes{77});
  size_t reads = 0;
  for (int32_t i = 0; i < 200; ++i) {
    reads += static_cast<FakeLog&>(harness.PartitionAt("orders", i).log()).read_calls();
  }
  CHECK(reads == reads_before + 1);
}

TEST_CASE("errors are told every time, and their end is told") {
  Harness harness;
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  CHECK(client.Open({{0, 0}, {4, 0}}).partitions[1].error == 3);
  CHECK(IndexesOf(client.Next()) == Indexes{4});
  CHECK(IndexesOf(client.Next()) == Indexes{4});
  harness.AddPartition("orders", 4);
  FetchAnswer answer = client.Next();
  CHECK(IndexesOf(answer) == Indexes{4});
  CHECK(answer.partitions[0].error == 0);
  CHECK(client.Next().partitions.empty());
  Append(harness, 4);
  CHECK(client.Next().partitions.size() == 1);
}

TEST_CASE("a partition that is removed becomes an error, made anew it is served again") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  SessionClient client(harness);
  client.Open({{0, 0}, {1, 0}});
  client.Next();
  const auto removed = harness.context.partitions.Remove("orders", 0);
  harness.context.NotifyChanged(*removed, kFailed);
  harness.Tick();
  CHECK(client.Next().partitions.at(0).error == 3);
  harness.AddPartition("orders", 0).Append(MakeBatch(1));
  CHECK(client.Next().partitions.at(0).records.size() == 100);
}

TEST_CASE("forgotten partitions stop; added and changed ones are taken (C045)") {
  Harness harness;
  for (int32_t i = 0; i < 3; ++i) harness.AddPartition("orders", i);
  SessionClient client(harness);
  client.Open({{0, 0}, {1, 0}});
  client.Next({{2, 0}}, {{0, 0}});
  for (int32_t i = 0; i < 3; ++i) Append(harness, i, 3);
  CHECK(IndexesOf(client.Next()) == Indexes{1, 2});
  FetchAnswer answer = client.Next({{1, 2}, {2, 3}});
  CHECK(IndexesOf(answer) == Indexes{1});
  CHECK(answer.partitions[0].records.size() == 100);
  client.Next({{1, 3}}, {{7, 0}});  // Forgetting what is not there changes nothing.
  CHECK(client.Next({}, {{1, 0}}).session_id == client.id);
}

TEST_CASE("a session whose last partition is forgotten closes") {
  Harness harness;
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  client.Open({{0, 0}});
  const FetchAnswer answer = client.Next({}, {{0, 0}});
  CHECK(answer.error == 0);
  CHECK(answer.session_id == 0);
  CHECK(answer.partitions.empty());
  CHECK(harness.handlers[0]->fetches().sessions() == 0);
  CHECK(client.Next().error == 70);
}

TEST_CASE(
    "unknown ids, wrong epochs, another use of topic ids: top-level errors, session as it was") {
  Harness harness;
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  client.Open({{0, 0}});
  const auto refuse = [&](int32_t id, int32_t epoch, int16_t version) {
    FetchMessage message = client.Message({{0, 0}});
    message.session_id = id;
    message.session_epoch = epoch;
    message.version = version;
    const FetchAnswer answer = harness.Fetch(*client.connection, message);
    CHECK(answer.session_id == 0);
    CHECK(answer.partitions.empty());
    return answer.error;
  };
  CHECK(refuse(client.id + 1, 1, 12) == 70);
  CHECK(refuse(0, 1, 12) == 70);
  CHECK(refuse(-5, 1, 12) == 70);
  CHECK(refuse(client.id, 2, 12) == 71);
  CHECK(refuse(client.id, -2, 12) == 71);
  CHECK(refuse(client.id, 1, 13) == 106);
  CHECK(client.Next().error == 0);
}

TEST_CASE("a full fetch closes the session it names; the final epoch opens none") {
  Harness harness;
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  client.Open({{0, 0}});
  const int32_t first = client.id;
  FetchMessage again = client.Message({{0, 0}});
  again.session_epoch = 0;
  const FetchAnswer second = harness.Fetch(*client.connection, again);
  CHECK(second.session_id != first);
  CHECK(second.session_id > 0);
  CHECK(harness.handlers[0]->fetches().sessions() == 1);
  again.session_id = second.session_id;
  again.session_epoch = -1;
  CHECK(harness.Fetch(*client.connection, again).session_id == 0);
  CHECK(harness.handlers[0]->fetches().sessions() == 0);
}

TEST_CASE("partitions are served in turn when the limit holds one of them") {
  Harness harness;
  for (int32_t i = 0; i < 3; ++i) {
    FakeLog& log = harness.AddPartition("orders", i);
    for (int b = 0; b < 10; ++b) log.Append(MakeBatch(1));
  }
  SessionClient client(harness);
  client.Open({{0, 0}, {1, 0}, {2, 0}});
  Indexes served;
  for (int round = 0; round < 6; ++round) {
    FetchMessage message = client.Message({});
    message.max_bytes = 100;
    const FetchAnswer answer = client.Send(message);
    REQUIRE(answer.partitions.size() == 1);
    served.push_back(answer.partitions[0].index);
  }
  CHECK(served == Indexes{0, 1, 2, 0, 1, 2});
}

TEST_CASE("a partition named twice is one partition of the session") {
  Harness harness;
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  CHECK(client.Open({{0, 9}, {0, 0}}).partitions.size() == 1);
  Append(harness, 0);
  CHECK(client.Next().partitions.size() == 1);
}

TEST_CASE("topic ids name the partitions of a session") {
  Harness harness;
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  client.version = 13;
  client.Open({{0, 0}});
  Append(harness, 0);
  FetchAnswer answer = client.Next();
  REQUIRE(answer.partitions.size() == 1);
  CHECK(answer.partitions[0].topic_id == TestUuid(1));
  CHECK(client.Next({{0, 1}}).partitions.empty());
  CHECK(client.Next({}, {{0, 0}}).session_id == 0);
}

TEST_CASE("an incremental fetch that names nothing waits for all its partitions (C041)") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  SessionClient client(harness);
  client.Open({{0, 0}, {1, 0}});
  FetchMessage message = client.Message({});
  message.max_wait_ms = 500;
  message.min_bytes = 150;
  harness.Send(*client.connection, {message.Encode()});
  harness.Tick(100);
  Append(harness, 0);
  CHECK(client.connection->sent.size() == 1);
  Append(harness, 1);
  REQUIRE(client.connection->sent.size() == 2);
  CHECK(IndexesOf(Harness::LastFetch(*client.connection, 12)) == Indexes{0, 1});
  ++client.epoch;
  // Nothing happens: an empty answer after max wait.
  message = client.Message({{0, 1}, {1, 1}});
  message.max_wait_ms = 500;
  harness.Send(*client.connection, {message.Encode()});
  harness.Tick(500);
  REQUIRE(client.connection->sent.size() == 3);
  CHECK(Harness::LastFetch(*client.connection, 12).partitions.empty());
}

TEST_CASE("the next fetch of a session ends one that waits") {
  Harness harness({}, 2);
  harness.AddPartition("orders", 0);
  SessionClient client(harness);
  client.Open({{0, 0}});
  client.Next();
  FetchMessage waiting = client.Message({});
  waiting.max_wait_ms = 10'000;
  FetchMessage next = waiting;
  next.session_epoch = waiting.session_epoch + 1;
  // Pipelined over the same connection: both are answered in order.
  harness.Send(*client.connection, {waiting.Encode(), next.Encode()});
  REQUIRE(client.connection->sent.size() == 3);
  CHECK(Harness::LastFetch(*client.connection, 12).error == 0);
  // Over another connection: the first one's epoch is past.
  FetchMessage last = next;
  last.session_epoch = next.session_epoch + 1;
  last.max_wait_ms = 0;
  FakeConnection& other = harness.Connect(1);
  CHECK(harness.Fetch(other, last).error == 0);
  REQUIRE(client.connection->sent.size() == 4);
  CHECK(Harness::LastFetch(*client.connection, 12).error == 71);
}

TEST_CASE("a session is used from connections of other reactors, and closed from there") {
  Harness harness({}, 2);
  harness.AddPartition("orders", 0);
  SessionClient client(harness, 0);
  client.Open({{0, 0}});
  client.connection = &harness.Connect(1);
  Append(harness, 0);
  CHECK(client.Next().partitions.at(0).records.size() == 100);
  // Waits there for an append; the answer finds its way back.
  FetchMessage message = client.Message({{0, 1}});
  message.max_wait_ms = 500;
  harness.Send(*client.connection, {message.Encode()});
  harness.Tick();
  CHECK(harness.handlers[0]->fetches().parked() == 1);
  const size_t before = client.connection->sent.size();
  Append(harness, 0);
  CHECK(client.connection->sent.size() == before + 1);
  ++client.epoch;
  // A connection that goes away takes what it had forwarded with it.
  message = client.Message({{0, 2}});
  message.max_wait_ms = 500'000;
  harness.Send(*client.connection, {message.Encode()});
  harness.Tick();
  CHECK(harness.handlers[0]->fetches().parked() == 1);
  harness.Disconnect(*client.connection);
  harness.Tick();
  CHECK(harness.handlers[0]->fetches().parked() == 0);
  // A full fetch over the other reactor closes it.
  client.connection = &harness.Connect(1);
  FetchMessage close = client.Message({{0, 2}});
  close.session_epoch = -1;
  CHECK(harness.Fetch(*client.connection, close).session_id == 0);
  CHECK(harness.handlers[0]->fetches().sessions() == 0);
}

TEST_CASE("a full cache answers with session id 0 and no error") {
  DataPlaneOptions options;
  options.fetch_session_slots_max = 2;
  Harness harness(options);
  harness.AddPartition("orders", 0);
  for (int i = 0; i < 5; ++i) {
    SessionClient client(harness);
    const FetchAnswer answer = client.Open({{0, 0}});
    CHECK(answer.error == 0);
    CHECK((answer.session_id > 0) == (i < 2));
    CHECK(answer.partitions.size() == 1);
  }
}

}  // namespace millrace::dataplane
