// Protects the log's locking (run under TSan): appends, reads, flushes, housekeeping and closing at
// the same time, on real files.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "io/posix_file_system.h"
#include "log/committer.h"
#include "log/test_log.h"

namespace millrace::log {
namespace {

using record::TestBatch;

class TemporaryLog {
 public:
  TemporaryLog() {
    char pattern[] = "/tmp/millrace-log-XXXXXX";
    path_ = ::mkdtemp(pattern);
    dir_ = std::make_shared<LogDir>(files_, path_);
    LogOpenOptions options = OpenOptions(SmallConfig(), false, 0);
    options.directory = path_ + "/topic-0";
    log = Log::Open(dir_, options).Take();
  }
  ~TemporaryLog() {
    const std::vector<std::string> names = files_.List(path_ + "/topic-0").Take();
    for (const std::string& name : names) (void)files_.Remove(path_ + "/topic-0/" + name);
    ::rmdir((path_ + "/topic-0").c_str());
    ::rmdir(path_.c_str());
  }

  std::shared_ptr<Log> log;

 private:
  io::PosixFileSystem files_;
  std::string path_;
  std::shared_ptr<LogDir> dir_;
};

class CountingListener final : public FlushListener {
 public:
  void OnFlushed(const std::shared_ptr<Log>& log, bool ok) override {
    if (ok) flushed = std::max(flushed.load(), log->offsets().flushed_offset);
    if (!ok) ++failures;
    ++calls;
  }
  std::atomic<int64_t> flushed{0};
  std::atomic<int> failures{0};
  std::atomic<int> calls{0};
};

void AppendMany(Log& log, int count) {
  for (int i = 0; i < count; ++i) {
    std::vector<uint8_t> bytes =
        TestBatch{.records = 2, .value_size = static_cast<size_t>(i % 10 == 0 ? 12'000 : 100)}
            .Build();
    CHECK(AppendOne(log, bytes).error == KafkaError::kNone);
  }
}

// Follows the log until `end`, checking every batch.
void Follow(Log& log, int64_t end) {
  int64_t offset = 0;
  while (offset < end) {
    const ReadResult read = log.Read({.offset = offset, .max_bytes = 30'000});
    CHECK(read.error == KafkaError::kNone);
    const std::vector<uint8_t> bytes = SliceBytes(read.slice);
    size_t at = 0;
    while (at + record::kHeaderSize <= bytes.size()) {
      const record::RecordBatch batch(bytes.data() + at);
      if (at + batch.size() > bytes.size()) break;
      CHECK(batch.base_offset() == offset);
      CHECK(batch.crc() == batch.ComputeCrc());
      offset = batch.last_offset() + 1;
      at += batch.size();
    }
  }
}

TEST_CASE("appends, reads, flushes and ticks may run at the same time") {
  TemporaryLog files;
  Log& log = *files.log;
  constexpr int kBatches = 300;
  std::atomic<bool> done{false};
  std::thread writers[2];
  for (auto& writer : writers) writer = std::thread([&] { AppendMany(log, kBatches); });
  std::thread readers[2];
  for (auto& reader : readers) reader = std::thread([&] { Follow(log, 4 * kBatches); });
  std::thread keeper([&] {
    while (!done) {
      CHECK(log.Flush().ok());
      log.Tick(1'000'000);
      const LogOffsets offsets = log.offsets();
      CHECK(offsets.flushed_offset <= offsets.log_end_offset);
      CHECK(offsets.high_watermark == offsets.log_end_offset);
      CHECK(log.FirstBatchWithTimestamp(0, 0, offsets.log_end_offset).ok());
      log.UpdateConfig(SmallConfig());
    }
  });
  for (auto& writer : writers) writer.join();
  for (auto& reader : readers) reader.join();
  done = true;
  keeper.join();
  CHECK(log.offsets().log_end_offset == 4 * kBatches);
  CHECK(log.Close().ok());
}

TEST_CASE("the committer makes everything durable that was appended before the request") {
  TemporaryLog first;
  TemporaryLog second;
  CountingListener listener;
  std::unique_ptr<Committer> committer = MakeSegmentCommitter(listener);
  for (int i = 0; i < 50; ++i) {
    AppendMany(*first.log, 1);
    AppendMany(*second.log, 1);
    committer->Request(first.log);
    committer->Request(second.log);
  }
  committer->Stop();
  CHECK(listener.failures == 0);
  CHECK(listener.calls >= 2);
  CHECK(listener.calls <= 100);
  CHECK(listener.flushed == 100);
  CHECK(first.log->offsets().flushed_offset == 100);
  CHECK(second.log->offsets().flushed_offset == 100);
  committer->Request(first.log);
  committer->Stop();
}

TEST_CASE("closing waits for nobody's reads") {
  TemporaryLog files;
  AppendMany(*files.log, 50);
  std::atomic<bool> closed{false};
  std::thread reader([&] {
    while (!closed) {
      const ReadResult read = files.log->Read({.offset = 0, .max_bytes = 10'000});
      if (read.error == KafkaError::kNone) CHECK(SliceBytes(read.slice).size() > 0);
    }
  });
  CHECK(files.log->Close().ok());
  closed = true;
  reader.join();
}

}  // namespace
}  // namespace millrace::log
