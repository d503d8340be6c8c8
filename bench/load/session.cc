// session: a consumer that follows many partitions of which one is active. Each round it asks, one
// record is produced, and its answer holds that record.
#include <utility>
#include <vector>

#include "load/commands.h"
#include "load/fetch_frame.h"
#include "load/histogram.h"
#include "load/options.h"
#include "load/single_record.h"
#include "load/topic.h"
#include "load/usage.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

constexpr int32_t kNoSession = -1;

class SessionConsumer {
 public:
  // Follows partitions from `offsets` on, one for each; without a session only partition 0.
  SessionConsumer(const Address& address, std::string topic, std::vector<int64_t> offsets,
                  bool session)
      : connection_(address), topic_(std::move(topic)), offsets_(std::move(offsets)) {
    if (!session) {
      return;
    }
    epoch_ = 0;
    Ask(offsets_.size());
    const std::string bytes = connection_.Receive();
    Decoder response(bytes);
    response.Int32();
    const int16_t error = response.Int16();
    session_ = response.Int32();
    if (error != 0 || session_ == 0) {
      Fail("The broker gave no fetch session (error %d).", error);
    }
    epoch_ = 1;
  }

  void Ask() { Ask(1); }

  // Reads the answer to Ask, which must hold the next record of partition 0.
  void Receive() {
    const std::string bytes = connection_.Receive();
    Decoder response(bytes);
    response.Int32();
    const int16_t error = response.Int16();
    response.Int32();
    const bool one = response.Count() == 1 && response.String() == topic_ && response.Count() == 1;
    const int32_t partition = response.Int32();
    const int16_t partition_error = response.Int16();
    for (int skipped = 0; skipped < 3; skipped++) {
      response.Int64();
    }
    response.Count();
    response.Int32();
    const std::string_view records = response.Bytes(response.Int32());
    if (!response.ok() || !one || error != 0 || partition != 0 || partition_error != 0 ||
        records.size() < kBatchHeaderSize || LoadInt64(records.data()) != offsets_[0]) {
      Fail("A Fetch of offset %ld was answered with errors %d and %d and %zu bytes of records.",
           static_cast<long>(offsets_[0]), error, partition_error, records.size());
    }
    offsets_[0] += LoadInt32(records.data() + kBatchLastOffsetDeltaAt) + 1;
    epoch_ += session_ == 0 ? 0 : 1;
  }

 private:
  void Ask(size_t partitions) {
    Encoder request;
    request.BeginRequest(kFetchApi);
    request.Int32(-1);
    // The request that opens the session is answered at once.
    request.Int32(epoch_ == 0 ? 0 : 10'000);
    request.Int32(1);
    request.Int32(52'428'800);
    request.Int8(0);
    request.Int32(session_);
    request.Int32(epoch_);
    request.Int32(1);
    request.String(topic_);
    request.Int32(static_cast<int32_t>(partitions));
    for (size_t partition = 0; partition < partitions; partition++) {
      request.Int32(static_cast<int32_t>(partition));
      request.Int32(-1);
      request.Int64(offsets_[partition]);
      request.Int64(-1);
      request.Int32(kPartitionMaxBytes);
    }
    request.Int32(0);
    request.String("");
    connection_.Send(request);
  }

  Connection connection_;
  std::string topic_;
  std::vector<int64_t> offsets_;
  int32_t session_ = 0;
  int32_t epoch_ = kNoSession;
};

}  // namespace

void RunSession(int argc, char** argv) {
  const Options options(argc, argv,
                        {"host", "port", "topic", "partitions", "count", "session", "broker-pid"});
  const Address address{options.Text("host", "127.0.0.1"),
                        static_cast<uint16_t>(options.Number("port"))};
  const std::string topic = options.Text("topic");
  const int32_t partitions = static_cast<int32_t>(options.Number("partitions", 1));
  const int64_t count = options.Number("count");
  Connection producer(address);
  EnsureTopic(producer, topic, partitions);
  const SingleRecord record(topic, 0);
  SessionConsumer consumer(address, topic, FindOffsets(producer, topic, 0, partitions, kLatest),
                           options.Number("session", 1) != 0);
  Histogram latencies;
  Usage start{};
  const int64_t warm = count / 10 + 1;
  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid", 0));
  for (int64_t round = -warm; round < count; round++) {
    if (round == 0) {
      start = Usage::Now(pid);
    }
    const int64_t began = MonotonicNanos();
    consumer.Ask();
    record.Send(producer);
    consumer.Receive();
    if (round >= 0) {
      latencies.Record(MonotonicNanos() - began);
    }
    SingleRecord::CheckAnswer(producer);
  }
  const Usage usage = Usage::Now(pid).Since(start);
  Report report;
  report.Add("fetches", count);
  usage.AddTo(report);
  latencies.AddTo(report);
  report.Print();
}

}  // namespace millrace::bench
