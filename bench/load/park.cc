// park: many long polls on one partition. What does it cost to wake them all, and to let them all
// run into their timeout?
#include <sys/socket.h>
#include <time.h>

#include "load/commands.h"
#include "load/crowd.h"
#include "load/fetch_frame.h"
#include "load/options.h"
#include "load/single_record.h"
#include "load/topic.h"
#include "load/usage.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

constexpr int32_t kLongWaitMs = 120'000;
constexpr int64_t kGiveUpNanos = 60'000'000'000;

// Until the broker has parked what was sent to it: its processor time stands still.
void Settle(pid_t pid) {
  const int64_t deadline = MonotonicNanos() + kGiveUpNanos;
  for (int64_t before = CpuNanos(pid);;) {
    const timespec pause{0, 50'000'000};
    nanosleep(&pause, nullptr);
    const int64_t now = CpuNanos(pid);
    if (now - before < 5'000'000 || MonotonicNanos() > deadline) {
      return;
    }
    before = now;
  }
}

class Waiters {
 public:
  Waiters(const Address& address, const std::string& topic, int64_t count)
      : crowd_(OpenCrowd(address, count)), topic_(topic), header_(FetchHeaderSize(topic), '\0') {}

  void Fetch(int64_t offset, int32_t max_wait_ms) {
    FetchFrame frame(topic_, 0, max_wait_ms);
    const std::string& bytes = frame.At(1, offset);
    for (const auto& connection : crowd_) {
      if (send(connection->fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(bytes.size())) {
        Fail("Sending a Fetch request failed.");
      }
    }
  }

  // Waits for all answers; all are to hold records, or none is.
  void Await(bool with_records) {
    for (const auto& connection : crowd_) {
      if (recv(connection->fd(), header_.data(), header_.size(), MSG_WAITALL) !=
          static_cast<ssize_t>(header_.size())) {
        Fail("The broker closed a waiting connection; its log says why.");
      }
      const FetchHeader header = ReadFetchHeader(header_, topic_);
      if ((header.records_size > 0) != with_records) {
        Fail("A long poll was answered with %zu bytes of records.", header.records_size);
      }
      for (size_t rest = header.records_size; rest > 0;) {
        const ssize_t got = recv(connection->fd(), nullptr, rest, MSG_TRUNC);
        if (got <= 0) {
          Fail("The broker closed a waiting connection; its log says why.");
        }
        rest -= static_cast<size_t>(got);
      }
    }
  }

 private:
  Crowd crowd_;
  std::string topic_;
  std::string header_;
};

}  // namespace

void RunPark(int argc, char** argv) {
  const Options options(
      argc, argv, {"host", "port", "topic", "connections", "rounds", "wait-ms", "broker-pid"});
  const Address address{options.Text("host", "127.0.0.1"),
                        static_cast<uint16_t>(options.Number("port"))};
  const std::string topic = options.Text("topic");
  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid"));
  const int64_t count = options.Number("connections");
  const int64_t rounds = options.Number("rounds", 3);
  const int32_t wait_ms = static_cast<int32_t>(options.Number("wait-ms", 3000));
  Connection producer(address);
  EnsureTopic(producer, topic, 1);
  SingleRecord record(topic, 0);
  int64_t offset = FindOffset(producer, topic, 0, kLatest);
  Waiters waiters(address, topic, count);

  Usage woken;
  Usage timed_out;
  const auto add = [](Usage& sum, const Usage& more) {
    sum = {sum.wall + more.wall, sum.broker + more.broker, sum.client + more.client};
  };
  for (int64_t round = 0; round < rounds; round++) {
    waiters.Fetch(offset, kLongWaitMs);
    Settle(pid);
    Usage start = Usage::Now(pid);
    record.Produce(producer);
    waiters.Await(true);
    add(woken, Usage::Now(pid).Since(start));
    offset++;

    waiters.Fetch(offset, wait_ms);
    Settle(pid);
    start = Usage::Now(pid);
    waiters.Await(false);
    add(timed_out, Usage::Now(pid).Since(start));
  }
  const double waits = static_cast<double>(count * rounds);
  Report report;
  report.Add("waits", count * rounds);
  report.Add("wakeCpuUs", static_cast<double>(woken.broker) / 1e3 / waits);
  report.Add("wakeMs", static_cast<double>(woken.wall) / 1e6 / static_cast<double>(rounds));
  report.Add("timeoutCpuUs", static_cast<double>(timed_out.broker) / 1e3 / waits);
  report.Print();
}

}  // namespace millrace::bench
