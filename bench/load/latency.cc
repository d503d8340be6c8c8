// latency: an open loop. Record i is due at t0 + i / rate whatever became of the records before it,
// carries that time, and counts when it reaches a consumer that long-polls on another connection.
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "load/commands.h"
#include "load/fetch_frame.h"
#include "load/histogram.h"
#include "load/options.h"
#include "load/topic.h"
#include "load/usage.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Whole frames out of a non-blocking socket.
class FrameReader {
 public:
  explicit FrameReader(int fd) : fd_(fd), buffer_(4 << 20, '\0') {}

  // Reads once and calls `handle` with each whole frame, its length field included.
  template <class Handle>
  void Receive(Handle handle) {
    const ssize_t got = recv(fd_, buffer_.data() + size_, buffer_.size() - size_, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN)) {
      Fail("The broker closed a connection; its log says why.");
    }
    size_ += got > 0 ? static_cast<size_t>(got) : 0;
    std::string_view rest(buffer_.data(), size_);
    while (rest.size() >= 4) {
      const size_t frame = static_cast<uint32_t>(LoadInt32(rest.data())) + size_t{4};
      if (frame > buffer_.size()) {
        Fail("The broker announced a response of %zu bytes.", frame);
      }
      if (rest.size() < frame) {
        break;
      }
      handle(rest.substr(0, frame));
      rest.remove_prefix(frame);
    }
    std::memmove(buffer_.data(), rest.data(), rest.size());
    size_ = rest.size();
  }

 private:
  int fd_;
  std::string buffer_;
  size_t size_ = 0;
};

class LatencyRun {
 public:
  LatencyRun(const Address& address, const std::string& topic, size_t record_size, int64_t start)
      : topic_(topic),
        producer_(address),
        consumer_(address),
        acks_(producer_.fd()),
        fetches_(consumer_.fd()),
        fetch_frame_(topic, 0),
        batch_(MakeRecordBatch(record_size, 0)),
        offset_(start) {
    Encoder frame;
    frame.BeginRequest(kProduceApi);
    frame.Int16(-1);
    frame.Int16(1);
    frame.Int32(30'000);
    frame.Int32(1);
    frame.String(topic);
    frame.Int32(1);
    frame.Int32(0);
    frame.Int32(static_cast<int32_t>(batch_.bytes.size()));
    batch_at_ = frame.size();
    frame.Raw(batch_.bytes);
    frame.EndFrame();
    frame_ = frame.Take();
    OpenEpoll();
    SendFetch();
  }

  // Sends `count` records at `rate` a second and waits until each is acknowledged and consumed.
  void Run(int64_t count, int64_t rate, Histogram& latencies) {
    const int64_t start = MonotonicNanos() + kSecond / 100;
    const int64_t give_up = start + count * kSecond / rate + 30 * kSecond;
    const int64_t goal = sent_ + count;
    int64_t due_count = 0;
    while (acked_ < goal || consumed_ < goal) {
      const auto due = [&] { return start + due_count * kSecond / rate; };
      while (due_count < count && due() <= MonotonicNanos()) {
        SendRecord(due());
        due_count++;
      }
      Sleep(due_count < count ? due() : give_up);
      acks_.Receive([&](std::string_view frame) { CheckAck(frame); });
      fetches_.Receive([&](std::string_view frame) { Consume(frame, latencies); });
      if (MonotonicNanos() > give_up) {
        Fail("Of %ld records %ld were acknowledged and %ld consumed 30 s after the last one.",
             static_cast<long>(goal), static_cast<long>(acked_), static_cast<long>(consumed_));
      }
    }
  }

 private:
  void OpenEpoll() {
    for (const int fd : {producer_.fd(), consumer_.fd(), timer_}) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.fd = fd;
      if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) {
        Fail("epoll refused a descriptor.");
      }
    }
  }

  // Until a socket is readable or the time has come.
  void Sleep(int64_t until) {
    itimerspec setting{};
    setting.it_value.tv_sec = until / kSecond;
    setting.it_value.tv_nsec = until % kSecond;
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &setting, nullptr);
    epoll_event events[4];
    epoll_wait(epoll_, events, 4, 1000);
  }

  void SendRecord(int64_t due) {
    char* batch = frame_.data() + batch_at_;
    StoreInt64(batch + batch_.first_value_at, due);
    StoreInt64(batch + batch_.first_value_at + 8, sent_);
    SealRecordBatch(batch, batch_.bytes.size());
    StoreInt32(frame_.data() + Encoder::kCorrelationAt, static_cast<int32_t>(sent_));
    Send(producer_.fd(), frame_);
    sent_++;
  }

  void SendFetch() { Send(consumer_.fd(), fetch_frame_.At(++fetch_id_, offset_)); }

  static void Send(int fd, const std::string& frame) {
    const auto sent = send(fd, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(frame.size())) {
      Fail("Sending to the broker failed: %s.", std::strerror(errno));
    }
  }

  void CheckAck(std::string_view frame) {
    Decoder response(frame.substr(4));
    const int32_t correlation_id = response.Int32();
    response.Count();
    response.String();
    response.Count();
    response.Int32();
    const int16_t error = response.Int16();
    if (!response.ok() || error != 0 || correlation_id != static_cast<int32_t>(acked_)) {
      Fail("Record %ld was answered with correlation id %d and error %d.",
           static_cast<long>(acked_), correlation_id, error);
    }
    acked_++;
  }

  void Consume(std::string_view frame, Histogram& latencies) {
    const int64_t now = MonotonicNanos();
    const size_t header_size = FetchHeaderSize(topic_);
    if (frame.size() < header_size) {
      Fail("A Fetch response was cut short.");
    }
    const size_t records = frame.size() - header_size;
    ReadFetchHeader(frame.substr(0, header_size), topic_);
    const size_t size = batch_.bytes.size();
    for (size_t at = header_size; at + size <= header_size + records; at += size) {
      const char* value = frame.data() + at + batch_.first_value_at;
      if (LoadInt64(frame.data() + at) != offset_ || LoadInt64(value + 8) != consumed_) {
        Fail("Record %ld is not the one that arrived in its place, at offset %ld.",
             static_cast<long>(consumed_), static_cast<long>(offset_));
      }
      latencies.Record(now - LoadInt64(value));
      consumed_++;
      offset_++;
    }
    SendFetch();
  }

  std::string topic_;
  Connection producer_;
  Connection consumer_;
  FrameReader acks_;
  FrameReader fetches_;
  FetchFrame fetch_frame_;
  RecordBatch batch_;
  int64_t offset_;
  std::string frame_;
  size_t batch_at_ = 0;
  int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  int timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  int32_t fetch_id_ = 0;
  int64_t sent_ = 0;
  int64_t acked_ = 0;
  int64_t consumed_ = 0;
};

}  // namespace

void RunLatency(int argc, char** argv) {
  const Options options(
      argc, argv,
      {"host", "port", "topic", "record-size", "rate", "count", "warmup-count", "broker-pid"});
  const Address address{options.Text("host", "127.0.0.1"),
                        static_cast<uint16_t>(options.Number("port"))};
  const std::string topic = options.Text("topic");
  const int64_t rate = options.Number("rate", 1000);
  const int64_t count = options.Number("count");
  const int64_t record_size = options.Number("record-size", 1024);
  if (record_size < 16 || rate < 1 || count < 1) {
    Fail("--record-size is at least 16, --rate and --count at least 1.");
  }
  // Without this the kernel may wake the sender 50 us late, and the broker would be blamed.
  prctl(PR_SET_TIMERSLACK, 1);
  Connection admin(address);
  EnsureTopic(admin, topic, 1);
  LatencyRun run(address, topic, static_cast<size_t>(record_size),
                 FindOffset(admin, topic, 0, kLatest));
  Histogram warm;
  run.Run(options.Number("warmup-count", 1), rate, warm);

  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid", 0));
  Histogram latencies;
  const Usage start = Usage::Now(pid);
  run.Run(count, rate, latencies);
  const Usage usage = Usage::Now(pid).Since(start);
  Report report;
  report.Add("records", static_cast<int64_t>(latencies.count()));
  usage.AddTo(report);
  report.Add("recordsPerSecond", static_cast<double>(count) / usage.WallSeconds());
  latencies.AddTo(report);
  report.Print();
}

}  // namespace millrace::bench
