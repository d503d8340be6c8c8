// Protects the log as its users see it: what was appended is read back, byte for byte, from any
// offset, across rolls and restarts; checked against a plain vector over random histories.
#include <doctest/doctest.h>

#include "log/log.h"
#include "log/test_log.h"

namespace millrace::log {
namespace {

using record::TestBatch;

class Model {
 public:
  explicit Model(uint64_t seed) : random_(seed), dir_(MakeDir(files_)) {
    config_ = SmallConfig();
    Open(false);
  }

  void Open(bool clean) {
    Result<std::shared_ptr<Log>> log =
        Log::Open(dir_, OpenOptions(config_, clean, clean ? 0 : flushed_));
    REQUIRE_MESSAGE(log.ok(), log.error().message);
    log_ = log.Take();
  }

  void Append() {
    const size_t count = 1 + random_() % 4;
    std::vector<std::vector<uint8_t>> batches;
    for (size_t i = 0; i < count; ++i) {
      clock_ += static_cast<int64_t>(random_() % 50) - 10;
      batches.push_back(TestBatch{.records = static_cast<int32_t>(1 + random_() % 5),
                                  .value_size = random_() % (random_() % 8 == 0 ? 6000 : 300),
                                  .timestamp = clock_,
                                  .fill = static_cast<uint8_t>(random_())}
                            .Build());
    }
    std::vector<AppendJob> jobs(count);
    for (size_t i = 0; i < count; ++i) {
      jobs[i].records = batches[i].data();
      jobs[i].size = batches[i].size();
    }
    log_->AppendAsLeader(jobs, Context(epoch_));
    for (size_t i = 0; i < count; ++i) {
      REQUIRE(jobs[i].error == KafkaError::kNone);
      REQUIRE(jobs[i].base_offset == next_);
      stored_.push_back({jobs[i].base_offset, jobs[i].last_offset, batches[i]});
      next_ = jobs[i].last_offset + 1;
    }
  }

  void Reopen(bool clean) {
    if (clean) {
      REQUIRE(log_->Close().ok());
    } else {
      flushed_ = log_->offsets().flushed_offset;
      log_->Abandon();  // As after kill -9: the page cache keeps everything.
    }
    log_.reset();
    Open(clean);
    CHECK(log_->offsets().log_end_offset == next_);
    if (clean) CHECK(log_->offsets().flushed_offset == next_);
  }

  void CheckAll() {
    const std::vector<StoredBatch> read = ReadAll(*log_, 200 + random_() % 9000);
    REQUIRE(read.size() == stored_.size() - first_);
    for (size_t i = 0; i < read.size(); ++i) REQUIRE(read[i] == stored_[first_ + i]);
  }

  void CheckOneOffset() {
    if (next_ == log_->offsets().log_start_offset) return;
    const int64_t start = log_->offsets().log_start_offset;
    const int64_t offset = start + static_cast<int64_t>(random_()) % (next_ - start + 1);
    const int64_t wanted = offset < start ? start : offset;
    const ReadResult read = log_->Read({.offset = wanted, .max_bytes = 1});
    REQUIRE(read.error == KafkaError::kNone);
    if (wanted == next_) {
      CHECK(read.slice.size == 0);
      return;
    }
    const auto expected = std::find_if(stored_.begin(), stored_.end(), [&](const auto& batch) {
      return batch.last_offset >= wanted;
    });
    CHECK(SliceBytes(read.slice) == expected->bytes);
  }

  void CheckOneTime() {
    const int64_t target = 1'000'000 + static_cast<int64_t>(random_() % 20'000);
    const int64_t start = log_->offsets().log_start_offset;
    const auto expected = std::find_if(stored_.begin(), stored_.end(), [&](const auto& batch) {
      return batch.last_offset >= start &&
             record::RecordBatch(batch.bytes.data()).max_timestamp() >= target;
    });
    auto found = log_->FirstBatchWithTimestamp(target, start, next_);
    REQUIRE(found.ok());
    REQUIRE(found.value().has_value() == (expected != stored_.end()));
    if (found.value()) CHECK(found.value()->bytes == expected->bytes);
  }

  void CheckLargestTime() {
    const StoredBatch* best = nullptr;
    int64_t largest = -1;
    for (size_t i = first_; i < stored_.size(); ++i) {
      const int64_t time = record::RecordBatch(stored_[i].bytes.data()).max_timestamp();
      if (time > largest) best = &stored_[i];
      largest = std::max(largest, time);
    }
    auto found = log_->BatchWithMaxTimestamp();
    REQUIRE(found.ok());
    REQUIRE(found.value().has_value() == (best != nullptr));
    if (best != nullptr) CHECK(found.value()->bytes == best->bytes);
  }

  void Step() {
    switch (random_() % 12) {
      case 0:
        return Reopen(true);
      case 1:
        return Reopen(false);
      case 2:
        REQUIRE(log_->Flush().ok());
        CHECK(log_->offsets().flushed_offset == next_);
        return;
      case 3:
        return log_->Tick(1'000'000);
      case 4:
        REQUIRE(log_->BecomeLeader(++epoch_).ok());
        return;
      case 5:
        CheckOneTime();
        return CheckLargestTime();
      case 6:
        return CheckOneOffset();
      default:
        return Append();
    }
  }

  Log& log() { return *log_; }
  int64_t next() const { return next_; }

 private:
  std::mt19937_64 random_;
  io::FaultyFileSystem files_;
  std::shared_ptr<LogDir> dir_;
  LogConfig config_;
  std::shared_ptr<Log> log_;
  std::vector<StoredBatch> stored_;
  size_t first_ = 0;
  int64_t next_ = 0;
  int64_t flushed_ = 0;
  int64_t clock_ = 1'000'000;
  int32_t epoch_ = 0;
};

TEST_CASE("random histories match a plain vector") {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Model model(seed);
    for (int step = 0; step < 150; ++step) {
      CAPTURE(step);
      model.Step();
    }
    model.CheckAll();
    model.Reopen(true);
    model.CheckAll();
    model.Reopen(false);
    model.CheckAll();
    CHECK(model.log().SegmentCount() > 1);
  }
}

class Fixture {
 public:
  explicit Fixture(const LogConfig& config = SmallConfig()) : dir(MakeDir(files)) {
    log = Log::Open(dir, OpenOptions(config, false, 0)).Take();
  }

  AppendJob Append(TestBatch batch = {}, int32_t epoch = 0) {
    last = batch.Build();
    return AppendOne(*log, last, epoch);
  }

  io::FaultyFileSystem files;
  std::shared_ptr<LogDir> dir;
  std::shared_ptr<Log> log;
  std::vector<uint8_t> last;
};

TEST_CASE("a read follows the byte limit, the first batch and the high watermark") {
  Fixture f;
  for (int i = 0; i < 5; ++i) f.Append({.records = 2});
  const size_t batch = f.last.size();
  CHECK(f.log->Read({.offset = 0, .max_bytes = 10 * batch}).slice.size == 5 * batch);
  CHECK(f.log->Read({.offset = 3, .max_bytes = 10 * batch}).slice.size == 4 * batch);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 2 * batch + 7}).slice.size == 2 * batch + 7);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 1}).slice.size == batch);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 0}).slice.size == batch);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 1, .min_one_batch = false}).slice.size == 0);
  CHECK(f.log->Read({.offset = 10, .max_bytes = 1}).slice.size == 0);
  CHECK(f.log->Read({.offset = 10, .max_bytes = 1}).error == KafkaError::kNone);
  CHECK(f.log->Read({.offset = 11, .max_bytes = 1}).error == KafkaError::kOffsetOutOfRange);
  CHECK(f.log->Read({.offset = -1, .max_bytes = 1}).error == KafkaError::kOffsetOutOfRange);

  f.log->SetSingleReplica(false);
  f.Append({.records = 2});
  f.Append({.records = 2});
  CHECK(f.log->offsets().high_watermark == 10);
  CHECK(f.log->offsets().log_end_offset == 14);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 1 << 20}).slice.size == 5 * batch);
  CHECK(f.log->Read({.offset = 11, .max_bytes = 1 << 20}).slice.size == 0);
  CHECK(f.log->Read({.offset = 11, .max_bytes = 1 << 20}).error == KafkaError::kNone);
  const ReadRequest follower{.offset = 0, .max_bytes = 1 << 20, .isolation = Isolation::kLogEnd};
  CHECK(f.log->Read(follower).slice.size == 7 * batch);
  f.log->AdvanceHighWatermark(12);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 1 << 20}).slice.size == 6 * batch);
  f.log->AdvanceHighWatermark(5);
  CHECK(f.log->offsets().high_watermark == 12);
  f.log->AdvanceHighWatermark(99);
  CHECK(f.log->offsets().high_watermark == 14);
}

TEST_CASE("good jobs of a group are stored although their neighbours are refused") {
  Fixture f;
  std::vector<std::vector<uint8_t>> batches(3, TestBatch{.records = 2}.Build());
  batches[1].back() ^= 1;
  std::vector<AppendJob> jobs(3);
  for (size_t i = 0; i < 3; ++i) {
    jobs[i].records = batches[i].data();
    jobs[i].size = batches[i].size();
  }
  f.log->AppendAsLeader(jobs, Context());
  CHECK(jobs[0].base_offset == 0);
  CHECK(jobs[1].error == KafkaError::kCorruptMessage);
  CHECK(jobs[1].base_offset == -1);
  CHECK(jobs[2].base_offset == 2);
  CHECK(f.log->offsets().log_end_offset == 4);
  CHECK(ReadAll(*f.log).size() == 2);
}

TEST_CASE("a segment rolls when size, age, index or offsets say so") {
  LogConfig config = SmallConfig();
  SUBCASE("size: equal is not too large") {
    const size_t size = TestBatch{.value_size = 1000}.Build().size();
    config.segment_bytes = static_cast<int64_t>(3 * size);
    Fixture f(config);
    for (int i = 0; i < 3; ++i) f.Append({.value_size = 1000});
    CHECK(f.log->SegmentCount() == 1);
    f.Append({.value_size = 1000});
    CHECK(f.log->SegmentCount() == 2);
  }
  SUBCASE("age, by the records' time: strictly more than segment.ms") {
    config.segment_ms = 1000;
    Fixture f(config);
    f.Append({.timestamp = 5000});
    f.Append({.timestamp = 6000});
    CHECK(f.log->SegmentCount() == 1);
    f.Append({.timestamp = 6001});
    CHECK(f.log->SegmentCount() == 2);
  }
  SUBCASE("a full offset index") {
    config.segment_index_bytes = 24;
    config.index_interval_bytes = 1;
    Fixture f(config);
    for (int i = 0; i < 4; ++i) f.Append({.timestamp = -1});
    CHECK(f.log->SegmentCount() == 1);
    f.Append({.timestamp = -1});
    CHECK(f.log->SegmentCount() == 2);
  }
  SUBCASE("a full time index keeps one slot") {
    config.segment_index_bytes = 40;
    config.index_interval_bytes = 1;
    Fixture f(config);
    for (int i = 0; i < 3; ++i) f.Append({.timestamp = 7 + i});
    CHECK(f.log->SegmentCount() == 1);
    f.Append({.timestamp = 11});
    CHECK(f.log->SegmentCount() == 2);
  }
}

TEST_CASE("jitter makes segments roll earlier, never later") {
  LogConfig config = SmallConfig();
  config.segment_ms = 100'000;
  config.segment_jitter_ms = 50'000;
  Fixture f(config);
  f.Append({.timestamp = 100'000});
  f.Append({.timestamp = 100'000 + 50'000});
  CHECK(f.log->SegmentCount() == 1);
  f.Append({.timestamp = 200'001});
  CHECK(f.log->SegmentCount() == 2);
}

TEST_CASE("LogAppendTime rewrites the batch and says so") {
  LogConfig config = SmallConfig();
  config.message_timestamp_type = TimestampType::kLogAppendTime;
  Fixture f(config);
  const AppendJob job = f.Append({.records = 2, .timestamp = 17});
  CHECK(job.log_append_time_ms == 1'000'000);
  const auto stored = ReadAll(*f.log);
  const record::RecordBatch batch(stored[0].bytes.data());
  CHECK(batch.max_timestamp() == 1'000'000);
  CHECK(batch.is_log_append_time());
  CHECK(batch.base_timestamp() == 17);
}

TEST_CASE(
    "a duplicate is answered with the original offset and stored once, also after a restart") {
  Fixture f;
  const TestBatch first{.records = 3, .producer_id = 9, .producer_epoch = 0, .base_sequence = 0};
  const TestBatch second{.records = 2,
                         .timestamp = 1'000'200,
                         .producer_id = 9,
                         .producer_epoch = 0,
                         .base_sequence = 3};
  CHECK(f.Append(first).base_offset == 0);
  CHECK(f.Append(second).base_offset == 3);
  const AppendJob again = f.Append(first);
  CHECK(again.duplicate);
  CHECK(again.error == KafkaError::kNone);
  CHECK(again.base_offset == 0);
  CHECK(again.last_offset == 2);
  CHECK(again.log_append_time_ms == 1'000'002);
  CHECK(f.log->offsets().log_end_offset == 5);

  for (const bool clean : {true, false}) {
    if (clean) REQUIRE(f.log->Close().ok());
    if (!clean) f.log->Abandon();
    f.log = Log::Open(f.dir, OpenOptions(SmallConfig(), clean, 0)).Take();
    const AppendJob after = f.Append(second);
    CHECK(after.duplicate);
    CHECK(after.base_offset == 3);
    const TestBatch gap{.producer_id = 9, .producer_epoch = 0, .base_sequence = 7};
    CHECK(f.Append(gap).error == KafkaError::kOutOfOrderSequenceNumber);
    const TestBatch old{.producer_id = 9, .producer_epoch = -1, .base_sequence = 5};
    CHECK(f.Append(old).error == KafkaError::kInvalidProducerEpoch);
  }
  CHECK(f.log->offsets().log_end_offset == 5);
}

TEST_CASE("epochs are recorded with batches and leadership, and survive restarts") {
  Fixture f;
  REQUIRE(f.log->BecomeLeader(3).ok());
  f.Append({.records = 4}, 3);
  REQUIRE(f.log->BecomeLeader(5).ok());
  f.Append({.records = 1}, 5);
  REQUIRE(f.log->BecomeLeader(8).ok());
  const auto check = [&](int32_t latest) {
    CHECK(f.log->EpochForOffset(0) == 3);
    CHECK(f.log->EpochForOffset(4) == 5);
    CHECK(f.log->EndOffsetForEpoch(3).end_offset == 4);
    CHECK(f.log->EndOffsetForEpoch(4).leader_epoch == 3);
    CHECK(f.log->EndOffsetForEpoch(4).end_offset == 4);
    CHECK(f.log->EndOffsetForEpoch(latest).end_offset == 5);
    CHECK(f.log->EndOffsetForEpoch(latest + 1).end_offset == -1);
    CHECK(f.log->EndOffsetForEpoch(1).leader_epoch == 1);
    CHECK(f.log->EndOffsetForEpoch(1).end_offset == 0);
    CHECK(f.log->EndOffsetForEpoch(-1).end_offset == -1);
  };
  check(8);
  REQUIRE(f.log->Close().ok());
  f.log = Log::Open(f.dir, OpenOptions(SmallConfig(), true, 0)).Take();
  check(5);  // An epoch that begins at the log end is dropped at load, as in Kafka.
}

TEST_CASE("the log start moves on, and segments wholly below it go") {
  Fixture f;
  while (f.log->SegmentCount() < 4) f.Append({.records = 5, .value_size = 500});
  const int64_t bytes = f.log->SizeBytes();
  const ReadResult held = f.log->Read({.offset = 0, .max_bytes = 100});
  const int64_t end = f.log->offsets().log_end_offset;
  REQUIRE(f.log->AdvanceLogStartOffset(end - 1).ok());
  CHECK(f.log->SegmentCount() == 1);
  CHECK(f.log->SizeBytes() < bytes / 2);
  CHECK(f.log->offsets().log_start_offset == end - 1);
  CHECK(f.log->Read({.offset = end - 2, .max_bytes = 1}).error == KafkaError::kOffsetOutOfRange);
  CHECK(f.log->Read({.offset = end - 1, .max_bytes = 1}).error == KafkaError::kNone);
  CHECK(SliceBytes(held.slice).size() == held.slice.size);
  CHECK(f.log->AdvanceLogStartOffset(end + 1).error().code == ErrorCode::kInvalidArgument);
  REQUIRE(f.log->AdvanceLogStartOffset(0).ok());
  CHECK(f.log->offsets().log_start_offset == end - 1);

  REQUIRE(f.log->Close().ok());
  LogOpenOptions options = OpenOptions(SmallConfig(), true, 0);
  options.log_start_offset = end - 1;
  f.log = Log::Open(f.dir, options).Take();
  CHECK(f.log->offsets().log_start_offset == end - 1);
  CHECK(f.log->offsets().log_end_offset == end);
}

TEST_CASE(
    "segments tell their size and time; retention takes all of them, their files go after the "
    "delay") {
  LogConfig config = SmallConfig();
  config.file_delete_delay_ms = 5000;
  Fixture f(config);
  for (int i = 0; i < 40; i++) f.Append({.value_size = 3000, .timestamp = 1000 + i});
  const std::vector<SegmentInfo> segments = f.log->Segments().Take();
  REQUIRE(segments.size() > 2);
  CHECK(segments.front().base_offset == 0);
  CHECK(segments.front().largest_timestamp_ms == 1000 + segments[1].base_offset - 1);
  CHECK(segments.back().largest_timestamp_ms == 1039);
  const auto count_files = [&](std::string_view suffix) {
    int count = 0;
    for (const std::string& name : f.files.List(kTestDirectory).Take()) {
      count += std::string_view(name).ends_with(suffix) ? 1 : 0;
    }
    return count;
  };
  REQUIRE(f.log->DeleteSegmentsBelow(segments[1].base_offset, 1'000'000).ok());
  CHECK(f.log->offsets().log_start_offset == segments[1].base_offset);
  CHECK(f.log->SegmentCount() == static_cast<int64_t>(segments.size()) - 1);
  CHECK(count_files(".log.deleted") == 1);
  f.log->Tick(1'000'000);
  f.log->Tick(1'004'999);
  CHECK(count_files(".deleted") > 0);
  f.log->Tick(1'005'000);
  CHECK(count_files(".deleted") == 0);

  // All of it: a new active segment begins where the log ends, and appending goes on there.
  const int64_t end = f.log->offsets().log_end_offset;
  REQUIRE(f.log->DeleteSegmentsBelow(end, 1'000'000).ok());
  CHECK(f.log->SegmentCount() == 1);
  CHECK(f.log->SizeBytes() == 0);
  CHECK(f.log->offsets().log_start_offset == end);
  CHECK(f.Append().base_offset == end);
  CHECK(f.log->DeleteSegmentsBelow(end + 9, 1'000'000).error().code == ErrorCode::kInvalidArgument);
  // What a stop leaves set aside is removed at the next opening.
  REQUIRE(f.log->Close().ok());
  CHECK(count_files(".deleted") > 0);
  LogOpenOptions options = OpenOptions(config, true, 0);
  options.log_start_offset = end;
  f.log = Log::Open(f.dir, options).Take();
  CHECK(count_files(".deleted") == 0);
  CHECK(f.log->offsets().log_start_offset == end);
  CHECK(f.log->offsets().log_end_offset == end + 1);
}

TEST_CASE("housekeeping forgets producers that are silent for too long") {
  LogConfig config = SmallConfig();
  config.producer_id_expiration_ms = 5000;
  Fixture f(config);
  const TestBatch batch{.producer_id = 9, .producer_epoch = 0, .base_sequence = 0};
  f.Append(batch);
  f.log->Tick(1'004'999);
  CHECK(f.Append(batch).duplicate);
  f.log->Tick(1'010'000);
  CHECK_FALSE(f.Append(batch).duplicate);
}

TEST_CASE("a closed log refuses instead of crashing") {
  Fixture f;
  f.Append();
  REQUIRE(f.log->Close().ok());
  REQUIRE(f.log->Close().ok());
  CHECK(f.Append().error == KafkaError::kKafkaStorageError);
  CHECK(f.log->Read({.offset = 0, .max_bytes = 1}).error == KafkaError::kKafkaStorageError);
  CHECK(f.log->Flush().error().code == ErrorCode::kClosed);
  CHECK_FALSE(f.log->BecomeLeader(2).ok());
  CHECK_FALSE(f.log->AdvanceLogStartOffset(0).ok());
  CHECK_FALSE(f.log->BatchWithMaxTimestamp().ok());
  f.log->Tick(0);
  f.log->StartWriteback();
  f.log->Abandon();
  CHECK(f.log->offsets().log_end_offset == 1);
}

TEST_CASE("an idle partition costs next to nothing on disk") {
  Fixture f;
  f.log->Tick(1'000'000);
  REQUIRE(f.log->Close().ok());
  const std::vector<std::string> names = f.files.List(kTestDirectory).Take();
  uint64_t bytes = 0;
  for (const std::string& name : names) {
    bytes +=
        f.files.Open(kTestDirectory + "/" + name, io::OpenMode::kReadOnly).value()->Size().value();
  }
  CHECK(bytes == 0);
}

}  // namespace
}  // namespace millrace::log
