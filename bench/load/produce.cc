// produce: a closed loop of pre-encoded frames over many connections, driven by one thread.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "load/commands.h"
#include "load/crowd.h"
#include "load/options.h"
#include "load/producer.h"
#include "load/topic.h"
#include "load/usage.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

using Producers = std::vector<std::unique_ptr<Producer>>;

int Watch(const Producers& producers) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (const auto& producer : producers) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.ptr = producer.get();
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, producer->fd(), &event) != 0) {
      Fail("epoll refused a socket.");
    }
  }
  return epoll;
}

// Sends up to `budget` requests, no new ones after `deadline`, and returns the number answered,
// when all are.
uint64_t RunPhase(int epoll, const Producers& producers, int64_t budget, int64_t deadline,
                  Histogram& latencies) {
  for (const auto& producer : producers) {
    producer->Pump(budget);
  }
  const auto idle = [](const std::unique_ptr<Producer>& producer) { return producer->idle(); };
  while (budget > 0 || !std::ranges::all_of(producers, idle)) {
    epoll_event events[64];
    const int count = epoll_wait(epoll, events, 64, 30'000);
    if (count == 0) {
      Fail("The broker has not answered a Produce request for 30 s.");
    }
    budget = deadline != 0 && MonotonicNanos() > deadline ? 0 : budget;
    for (int at = 0; at < count; at++) {
      auto* producer = static_cast<Producer*>(events[at].data.ptr);
      producer->Receive(latencies);
      producer->Pump(budget);
    }
  }
  return latencies.count();
}

ProduceLoad ReadLoad(const Options& options) {
  ProduceLoad load{
      .address = {options.Text("host", "127.0.0.1"), static_cast<uint16_t>(options.Number("port"))},
      .topic = options.Text("topic"),
      .partitions = static_cast<int32_t>(options.Number("partitions", 1)),
      .record_size = options.Number("record-size", 1024),
      .batch_bytes = options.Number("batch-bytes", 0),
      .request_bytes = options.Number("request-bytes", 0),
      .connections = options.Number("connections", 1),
      .depth = options.Number("depth", 1),
      .acks = static_cast<int16_t>(options.Number("acks", 1)),
  };
  if (load.acks != 1 && load.acks != -1) {
    Fail("--acks is 1 or -1: without answers there is nothing to verify.");
  }
  if (load.partitions < 1 || load.connections < 1 || load.depth < 1) {
    Fail("--partitions, --connections and --depth are at least 1.");
  }
  return load;
}

void Print(uint64_t requests, int64_t batches, const RecordBatch& batch, const Usage& usage,
           const Histogram& latencies) {
  const int64_t acked = static_cast<int64_t>(requests);
  const int64_t records = acked * batches * batch.record_count;
  const int64_t bytes = acked * batches * static_cast<int64_t>(batch.bytes.size());
  Report report;
  report.Add("requests", acked);
  report.Add("records", records);
  report.Add("bytes", bytes);
  report.Add("batchBytes", static_cast<int64_t>(batch.bytes.size()));
  report.Add("recordsPerBatch", int64_t{batch.record_count});
  usage.AddTo(report);
  report.Add("acksPerSecond", static_cast<double>(acked) / usage.WallSeconds());
  report.Add("megabytesPerSecond", static_cast<double>(bytes) / 1e6 / usage.WallSeconds());
  latencies.AddTo(report);
  report.Print();
}

}  // namespace

void RunProduce(int argc, char** argv) {
  const Options options(
      argc, argv,
      {"host", "port", "topic", "partitions", "record-size", "batch-bytes", "request-bytes",
       "connections", "depth", "acks", "bytes", "seconds", "warmup-bytes", "broker-pid", "configs",
       "batch-file", "idle-connections"});
  const ProduceLoad load = ReadLoad(options);
  {
    Connection admin(load.address);
    EnsureTopic(admin, load.topic, load.partitions, ParseConfigs(options.Text("configs", "")));
  }
  const Crowd idle = OpenCrowd(load.address, options.Number("idle-connections", 0));
  const std::string file = options.Text("batch-file", "");
  const RecordBatch batch = file.empty() ? MakeRecordBatch(static_cast<size_t>(load.record_size),
                                                           static_cast<size_t>(load.batch_bytes))
                                         : ReadRecordBatch(file);
  Producers producers;
  for (int64_t index = 0; index < load.connections; index++) {
    producers.push_back(std::make_unique<Producer>(load, batch, index));
  }
  const int epoll = Watch(producers);
  const int64_t batches = producers.front()->batches_per_request();
  const int64_t request = batches * static_cast<int64_t>(batch.bytes.size());
  const auto requests_of = [&](int64_t bytes) { return (bytes + request - 1) / request; };

  Histogram warm;
  RunPhase(epoll, producers, requests_of(options.Number("warmup-bytes", 0)), 0, warm);

  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid", 0));
  const int64_t seconds = options.Number("seconds", 0);
  const int64_t budget = requests_of(options.Number("bytes", seconds > 0 ? int64_t{1} << 60 : 0));
  Histogram latencies;
  const Usage start = Usage::Now(pid);
  const int64_t deadline = seconds > 0 ? start.wall + seconds * 1'000'000'000 : 0;
  const uint64_t answered = RunPhase(epoll, producers, budget, deadline, latencies);
  Print(answered, batches, batch, Usage::Now(pid).Since(start), latencies);
  close(epoll);
}

}  // namespace millrace::bench
