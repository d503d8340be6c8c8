// The whole data plane over loopback: sockets, reactors, logs on disk, committer.
#include "dataplane/data_plane.h"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "base/endian.h"
#include "dataplane/socket_client.h"
#include "io/posix_file_system.h"

namespace millrace::dataplane {
namespace {

class CountingEvents final : public DataPlaneEvents {
 public:
  void OnControlRequests() override { ++control_events; }
  void OnConnectionClosed(uint64_t) override { ++closed; }
  void OnLogDirFailed(const std::string&, const std::string&) override { ++failed_dirs; }
  void OnLogLine(int, const std::string&) override {}
  void OnFlushed(const std::string&, int32_t partition, int64_t flushed_offset, bool ok) override {
    if (ok && partition == 0) flushed.store(flushed_offset);
  }
  std::atomic<int64_t> flushed{-1};

  std::atomic<int> control_events{0};
  std::atomic<int> closed{0};
  std::atomic<int> failed_dirs{0};
};

// A data plane with partitions of "orders" in a folder.
struct Broker {
  explicit Broker(const std::string& folder, int32_t partitions, bool clean = false,
                  size_t small_read_bytes_max = 1024) {
    DataPlaneOptions options;
    options.net.reactors = 2;
    options.small_read_bytes_max = small_read_bytes_max;
    plane = DataPlane::Start(options, file_system, events).Take();
    plane->AddLogDir(folder);
    for (int32_t i = 0; i < partitions; ++i) {
      PartitionSpec spec;
      spec.topic = "orders";
      spec.topic_id[15] = 1;
      spec.partition = i;
      spec.log_dir = folder;
      spec.leader_epoch = 0;
      spec.clean_shutdown = clean;
      const Status opened = plane->OpenPartition(spec);
      REQUIRE_MESSAGE(opened.ok(), (opened.ok() ? "" : opened.error().message));
    }
    port = plane->Listen("127.0.0.1", 0, 0).Take();
  }

  io::PosixFileSystem file_system;
  CountingEvents events;
  std::unique_ptr<DataPlane> plane;
  uint16_t port = 0;
};

ProduceMessage To(int32_t index, Bytes records, int16_t acks = -1) {
  ProduceMessage message;
  message.acks = acks;
  message.timeout_ms = 30'000;
  message.topics = {{"orders", {{index, std::move(records)}}, {}}};
  return message;
}

FetchMessage From(int32_t index, int64_t offset, int32_t max_wait_ms = 0) {
  FetchMessage message;
  message.max_wait_ms = max_wait_ms;
  message.topics = {{"orders", {{index, offset, 10 << 20}}, {}}};
  return message;
}

ProduceAnswer::PartitionOf Produce(SocketClient& client, const ProduceMessage& message) {
  client.Send(message.Encode());
  return ProduceAnswer::Decode(client.Receive(), message.version).partitions.at(0);
}

FetchAnswer::PartitionOf Fetch(SocketClient& client, const FetchMessage& message) {
  client.Send(message.Encode());
  return FetchAnswer::Decode(client.Receive(), message.version).partitions.at(0);
}

// What a consumer gets of a batch: offset and epoch are the broker's.
Bytes Stored(Bytes batch, int64_t base_offset) {
  StoreBe64(batch.data(), static_cast<uint64_t>(base_offset));
  StoreBe32(batch.data() + 12, 0);
  return batch;
}

}  // namespace

TEST_CASE("acknowledged batches come back byte for byte, before and after a restart") {
  TemporaryFolder folder;
  Bytes expected;
  {
    Broker broker(folder.path(), 1);
    SocketClient client(broker.port);
    int64_t offset = 0;
    for (const size_t size : {size_t{10}, size_t{5'000}, size_t{200'000}, size_t{1}}) {
      const Bytes batch = RealBatch(size);
      const auto answer = Produce(client, To(0, batch));
      CHECK(answer.error == 0);
      CHECK(answer.base_offset == offset);
      CHECK(broker.plane->StateOf("orders", 0)->offsets.flushed_offset == offset + 1);
      const Bytes stored = Stored(batch, offset++);
      expected.insert(expected.end(), stored.begin(), stored.end());
    }
    CHECK(Fetch(client, From(0, 0)).records == expected);
    CHECK(broker.plane->Drain(5'000));
    CHECK(broker.plane->CloseLogs().ok());
    broker.plane->Stop();
  }
  Broker again(folder.path(), 1, true);
  SocketClient client(again.port);
  CHECK(Fetch(client, From(0, 0)).records == expected);
  CHECK(Produce(client, To(0, RealBatch(1))).base_offset == 4);
}

TEST_CASE("a broken batch is refused and its neighbours are stored") {
  TemporaryFolder folder;
  Broker broker(folder.path(), 2);
  SocketClient client(broker.port);
  ProduceMessage message = To(0, RealBatch(10));
  (*message.topics[0].partitions[0].records)[65] ^= 1;
  message.topics[0].partitions.push_back({1, RealBatch(10)});
  client.Send(message.Encode());
  const ProduceAnswer answer = ProduceAnswer::Decode(client.Receive(), 9);
  CHECK(answer.partitions.at(0).error == 2);
  CHECK(answer.partitions.at(1).error == 0);
}

TEST_CASE("a waiting fetch is answered by a produce on another connection") {
  TemporaryFolder folder;
  Broker broker(folder.path(), 1);
  // New connections go to the reactor with the fewest: these four lie on both.
  SocketClient consumers[] = {SocketClient(broker.port), SocketClient(broker.port),
                              SocketClient(broker.port)};
  SocketClient producer(broker.port);
  for (SocketClient& consumer : consumers) consumer.Send(From(0, 0, 600'000).Encode());
  CHECK(Produce(producer, To(0, RealBatch(10))).error == 0);
  for (SocketClient& consumer : consumers) {
    CHECK(FetchAnswer::Decode(consumer.Receive(), 12).partitions.at(0).high_watermark == 1);
  }
}

TEST_CASE("other requests go to the control plane and back") {
  TemporaryFolder folder;
  Broker broker(folder.path(), 0);
  {
    SocketClient client(broker.port);
    const Bytes metadata{0, 3, 0, 9, 0, 0, 0, 42, 0xFF, 0xFF, 0};
    client.Send(metadata);
    std::vector<ControlRequest> requests;
    while (requests.empty()) requests = broker.plane->TakeControlRequests(10);
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].frame == metadata);
    CHECK(broker.events.control_events >= 1);
    for (const size_t size : {size_t{5}, size_t{100'000}}) {
      broker.plane->Respond(requests[0].connection, requests[0].place, Bytes(size, 7), false, 0);
      CHECK(client.Receive().size() == size + 4);
      client.Send(metadata);
      do requests = broker.plane->TakeControlRequests(10);
      while (requests.empty());
    }
    broker.plane->CloseConnection(requests[0].connection, "the test says so");
    CHECK(client.Receive().empty());
    broker.plane->Respond(requests[0].connection, requests[0].place, Bytes(5), false, 0);
  }
  while (broker.events.closed == 0) std::this_thread::yield();
}

TEST_CASE("partitions: opened once, removed under waiting requests, settings by topic") {
  TemporaryFolder folder;
  Broker broker(folder.path(), 1);
  PartitionSpec spec;
  spec.topic = "orders";
  spec.log_dir = folder.path();
  CHECK(broker.plane->OpenPartition(spec).error().code == ErrorCode::kAlreadyExists);
  spec.partition = 1;
  spec.log_dir = "/not/ours";
  CHECK(broker.plane->OpenPartition(spec).error().code == ErrorCode::kNotFound);
  spec.partition = -1;
  CHECK(broker.plane->OpenPartition(spec).error().code == ErrorCode::kInvalidArgument);
  CHECK(broker.plane->UpdateConfig("orders", {}).ok());
  CHECK(broker.plane->UpdateConfig("nope", {}).error().code == ErrorCode::kNotFound);
  CHECK(broker.plane->LogOf("nope", 0) == nullptr);
  CHECK_FALSE(broker.plane->StateOf("orders", 7).has_value());

  SocketClient consumer(broker.port);
  consumer.Send(From(0, 0, 600'000).Encode());
  SocketClient other(broker.port);
  CHECK(Produce(other, To(7, RealBatch(1), 1)).error == 3);  // The fetch is parked by now, or soon.
  CHECK(broker.plane->RemovePartition("orders", 0).ok());
  CHECK(FetchAnswer::Decode(consumer.Receive(), 12).partitions.at(0).error == 3);
  CHECK(broker.plane->RemovePartition("orders", 0).error().code == ErrorCode::kNotFound);
}

TEST_CASE("draining answers who waits and takes no more connections") {
  TemporaryFolder folder;
  Broker broker(folder.path(), 1);
  SocketClient consumer(broker.port);
  CHECK(Produce(consumer, To(0, RealBatch(1))).error == 0);
  consumer.Send(From(0, 1, 600'000).Encode());
  SocketClient producer(broker.port);
  CHECK(Produce(producer, To(7, RealBatch(1), 1)).error == 3);
  // Whether the fetch is parked or not read yet, the broker stops in time.
  CHECK(broker.plane->Drain(5'000));
  CHECK(broker.plane->CloseLogs().ok());
  broker.plane->Stop();
  broker.plane->Stop();
  broker.plane->Respond(1, 1, Bytes(5), false, 0);
}

TEST_CASE("producers and consumers on both reactors lose and reorder nothing") {
  TemporaryFolder folder;
  constexpr int32_t kPartitions = 3;
  constexpr int kBatches = 150;
  Broker broker(folder.path(), kPartitions);
  std::vector<std::thread> threads;
  for (int32_t p = 0; p < kPartitions; ++p) {
    threads.emplace_back([&broker, p] {
      SocketClient client(broker.port);
      for (int i = 0; i < kBatches; ++i) {
        client.Send(To(p, RealBatch(i % 3 == 0 ? 3'000 : 20), i % 2 == 0 ? 1 : -1).Encode());
        if (i % 5 != 4) continue;
        for (int n = 0; n < 5; ++n) {
          const auto answer = ProduceAnswer::Decode(client.Receive(), 9).partitions.at(0);
          CHECK(answer.error == 0);
          CHECK(answer.base_offset == i - 4 + n);
        }
      }
    });
    threads.emplace_back([&broker, p] {
      SocketClient client(broker.port);
      FetchMessage message = From(p, 0, 30'000);
      message.session_epoch = 0;
      int64_t offset = 0;
      while (offset < kBatches) {
        client.Send(message.Encode());
        const FetchAnswer answer = FetchAnswer::Decode(client.Receive(), 12);
        REQUIRE(answer.error == 0);
        const Bytes records = answer.partitions.empty() ? Bytes() : answer.partitions[0].records;
        for (size_t at = 0; at + 12 <= records.size();) {
          CHECK(LoadBe64(records.data() + at) == static_cast<uint64_t>(offset));
          ++offset;
          at += 12 + LoadBe32(records.data() + at + 8);
        }
        message.session_id = answer.session_id;
        ++message.session_epoch;
        message.topics[0].partitions[0].offset = offset;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int32_t p = 0; p < kPartitions; ++p) {
    CHECK(broker.plane->StateOf("orders", p)->offsets.log_end_offset == kBatches);
  }
}

TEST_CASE("a coordinator's batch is readable at once and reported when it is on disk") {
  TemporaryFolder folder;
  CountingEvents events;
  io::PosixFileSystem file_system;
  DataPlaneOptions options;
  options.net.reactors = 1;
  auto plane = DataPlane::Start(options, file_system, events).Take();
  plane->AddLogDir(folder.path());
  PartitionSpec spec;
  spec.topic = "__consumer_offsets";
  spec.topic_id[15] = 1;
  spec.log_dir = folder.path();
  REQUIRE(plane->OpenPartition(spec).ok());

  Bytes batch = RealBatch(10);
  const auto appended = plane->Append("__consumer_offsets", 0, batch);
  REQUIRE(appended.ok());
  CHECK(appended.value().base_offset == 0);
  CHECK(plane->StateOf("__consumer_offsets", 0)->offsets.log_end_offset == 1);
  if (!appended.value().durable) {
    while (events.flushed.load() < 1) std::this_thread::yield();
  }
  CHECK(plane->StateOf("__consumer_offsets", 0)->offsets.flushed_offset == 1);

  Bytes torn = RealBatch(10);
  torn[20] ^= 1;
  CHECK(plane->Append("__consumer_offsets", 0, torn).error().code == ErrorCode::kInvalidArgument);
  CHECK(plane->Append("__consumer_offsets", 7, batch).error().code == ErrorCode::kNotFound);
  plane->Stop();
}

}  // namespace millrace::dataplane
