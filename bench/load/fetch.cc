// fetch: many connections read a topic's partitions, driven by one thread.
#include <sys/epoll.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "load/commands.h"
#include "load/fetcher.h"
#include "load/options.h"
#include "load/topic.h"
#include "load/usage.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

using Fetchers = std::vector<std::unique_ptr<Fetcher>>;

int Watch(const Fetchers& fetchers) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (const auto& fetcher : fetchers) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = fetcher.get();
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fetcher->fd(), &event) != 0) {
      Fail("epoll refused a socket.");
    }
  }
  return epoll;
}

// Fetches until at least `wanted` bytes of records have arrived; returns how many have.
int64_t RunPhase(int epoll, const Fetchers& fetchers, int64_t wanted, Histogram& latencies) {
  size_t busy = 0;
  for (const auto& fetcher : fetchers) {
    fetcher->Pump(wanted);
    busy += fetcher->idle() ? 0 : 1;
  }
  int64_t fetched = 0;
  while (busy > 0) {
    epoll_event events[64];
    const int count = epoll_wait(epoll, events, 64, 30'000);
    if (count == 0) {
      Fail("The broker has not answered a Fetch request for 30 s.");
    }
    for (int at = 0; at < count; at++) {
      auto* fetcher = static_cast<Fetcher*>(events[at].data.ptr);
      fetched += fetcher->Receive(latencies);
      const bool was_idle = fetcher->idle();
      fetcher->Pump(wanted - fetched);
      busy -= was_idle && fetcher->idle() ? 1 : 0;
    }
  }
  return fetched;
}

}  // namespace

void RunFetch(int argc, char** argv) {
  const Options options(argc, argv,
                        {"host", "port", "topic", "partitions", "connections", "from", "bytes",
                         "warmup-bytes", "broker-pid"});
  const Address address{options.Text("host", "127.0.0.1"),
                        static_cast<uint16_t>(options.Number("port"))};
  const std::string topic = options.Text("topic");
  const std::string from = options.Text("from", "start");
  if (from != "start" && from != "tail") {
    Fail("--from is start or tail.");
  }
  const int64_t partitions = options.Number("partitions", 1);
  Connection admin(address);
  Fetchers fetchers;
  for (int64_t index = 0; index < options.Number("connections", 1); index++) {
    const int32_t partition = static_cast<int32_t>(index % partitions);
    const int64_t start =
        FindOffset(admin, topic, partition, from == "start" ? kEarliest : kLatest);
    fetchers.push_back(std::make_unique<Fetcher>(address, topic, partition, start));
  }
  const int epoll = Watch(fetchers);
  Histogram warm;
  RunPhase(epoll, fetchers, options.Number("warmup-bytes", 0), warm);

  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid", 0));
  Histogram latencies;
  const Usage start = Usage::Now(pid);
  const int64_t fetched = RunPhase(epoll, fetchers, options.Number("bytes"), latencies);
  const Usage usage = Usage::Now(pid).Since(start);
  Report report;
  report.Add("responses", static_cast<int64_t>(latencies.count()));
  report.Add("bytes", fetched);
  usage.AddTo(report);
  report.Add("megabytesPerSecond", static_cast<double>(fetched) / 1e6 / usage.WallSeconds());
  latencies.AddTo(report);
  report.Print();
  close(epoll);
}

}  // namespace millrace::bench
