// Protects the bytes on disk: known appends give exactly Kafka's files. With MILLRACE_EMIT_DIR set,
// also writes a log there that Kafka's own DumpLogSegments can judge.
#include <doctest/doctest.h>

#include <cstdlib>

#include "io/posix_file_system.h"
#include "log/log.h"
#include "log/segment_file_name.h"
#include "log/test_log.h"

namespace millrace::log {
namespace {

using record::TestBatch;
using Bytes = std::vector<uint8_t>;

Bytes ReadFile(io::FileSystem& files, const std::string& path) {
  auto file = files.Open(path, io::OpenMode::kReadOnly);
  REQUIRE_MESSAGE(file.ok(), path);
  Bytes bytes(static_cast<size_t>(file.value()->Size().value()));
  REQUIRE(file.value()->ReadAt(0, bytes).value() == bytes.size());
  return bytes;
}

std::string ReadText(io::FileSystem& files, const std::string& path) {
  const Bytes bytes = ReadFile(files, path);
  return {bytes.begin(), bytes.end()};
}

void Put(Bytes& out, int64_t value, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<uint8_t>(value >> shift));
  }
}

TEST_CASE("known appends give exactly these files") {
  LogConfig config;
  config.index_interval_bytes = 150;
  io::FaultyFileSystem files;
  auto log = Log::Open(MakeDir(files), OpenOptions(config, false, 0)).Take();
  REQUIRE(log->BecomeLeader(7).ok());
  const int64_t times[] = {5000, 4000, 9000, 6000};
  Bytes expected_log;
  std::vector<int64_t> positions;
  for (const int64_t time : times) {
    Bytes bytes = TestBatch{.records = 2, .value_size = 40, .timestamp = time}.Build();
    record::MutableRecordBatch batch(bytes.data());
    const int64_t offset = static_cast<int64_t>(positions.size()) * 2;
    positions.push_back(static_cast<int64_t>(expected_log.size()));
    Bytes sent = bytes;
    REQUIRE(AppendOne(*log, sent, 7).base_offset == offset);
    batch.set_base_offset(offset);
    batch.set_partition_leader_epoch(7);
    expected_log.insert(expected_log.end(), bytes.begin(), bytes.end());
  }
  REQUIRE(log->Close().ok());

  // Each batch has 170 bytes or so: one entry for every batch but the first.
  Bytes expected_index;
  Bytes expected_times;
  for (size_t i = 1; i < 4; ++i) {
    Put(expected_index, static_cast<int64_t>(i) * 2 + 1, 4);
    Put(expected_index, positions[i], 4);
  }
  Put(expected_times, 5001, 8);  // With the entry of batch 1: the largest so far is batch 0's.
  Put(expected_times, 1, 4);
  Put(expected_times, 9001, 8);
  Put(expected_times, 5, 4);
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, 0, kLogSuffix)) == expected_log);
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, 0, kIndexSuffix)) == expected_index);
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, 0, kTimeIndexSuffix)) == expected_times);
  CHECK(ReadText(files, kTestDirectory + "/leader-epoch-checkpoint") == "0\n1\n7 0\n");

  Bytes body;
  Put(body, 0, 4);
  Bytes expected_snapshot;
  Put(expected_snapshot, 1, 2);
  Put(expected_snapshot, Crc32c(body.data(), body.size()), 4);
  Put(expected_snapshot, 0, 4);
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, 8, kSnapshotSuffix)) == expected_snapshot);
  std::vector<std::string> names = files.List(kTestDirectory).Take();
  CHECK(names.size() == 5);
}

TEST_CASE("a rolled segment gets its last time entry, its trimmed length and a snapshot") {
  LogConfig config = SmallConfig();
  config.index_interval_bytes = 100'000;
  io::FaultyFileSystem files;
  auto log = Log::Open(MakeDir(files), OpenOptions(config, false, 0)).Take();
  int64_t bytes_before = 0;
  int32_t sequence = 0;
  while (log->SegmentCount() == 1) {
    bytes_before = log->SizeBytes();
    Bytes bytes = TestBatch{.value_size = 3000,
                            .timestamp = 1000 + sequence,
                            .producer_id = 77,
                            .producer_epoch = 2,
                            .base_sequence = sequence}
                      .Build();
    ++sequence;
    REQUIRE(AppendOne(*log, bytes).error == KafkaError::kNone);
  }
  log->Tick(0);
  const int64_t base = sequence - 1;
  const Bytes rolled = ReadFile(files, SegmentPath(kTestDirectory, 0, kLogSuffix));
  CHECK(static_cast<int64_t>(rolled.size()) == bytes_before);
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, 0, kIndexSuffix)).empty());
  Bytes expected_times;
  Put(expected_times, 1000 + base - 1, 8);
  Put(expected_times, base - 1, 4);
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, 0, kTimeIndexSuffix)) == expected_times);

  Bytes body;
  Put(body, 1, 4);
  Put(body, 77, 8);
  Put(body, 2, 2);
  Put(body, base - 1, 4);         // last sequence
  Put(body, base - 1, 8);         // last offset
  Put(body, 0, 4);                // offset delta
  Put(body, 1000 + base - 1, 8);  // timestamp
  Put(body, -1, 4);               // coordinator epoch
  Put(body, -1, 8);               // first offset of the open transaction
  Bytes expected_snapshot;
  Put(expected_snapshot, 1, 2);
  Put(expected_snapshot, Crc32c(body.data(), body.size()), 4);
  expected_snapshot.insert(expected_snapshot.end(), body.begin(), body.end());
  CHECK(ReadFile(files, SegmentPath(kTestDirectory, base, kSnapshotSuffix)) == expected_snapshot);
}

TEST_CASE("a log for Kafka's own tools" *
          doctest::skip(std::getenv("MILLRACE_EMIT_DIR") == nullptr)) {
  const std::string root = std::getenv("MILLRACE_EMIT_DIR");
  io::PosixFileSystem files;
  LogConfig config;
  config.segment_bytes = 1 << 20;
  LogOpenOptions options = OpenOptions(config, false, 0);
  options.directory = root + "/emitted-0";
  auto dir = std::make_shared<LogDir>(files, root);
  std::mt19937_64 random(3);
  int32_t sequence = 0;
  for (int life = 0; life < 3; ++life) {
    auto opened = Log::Open(dir, options);
    REQUIRE_MESSAGE(opened.ok(), opened.error().message);
    Log& log = *opened.value();
    REQUIRE(log.BecomeLeader(life).ok());
    for (int i = 0; i < 1500; ++i) {
      const auto records = static_cast<int32_t>(1 + random() % 9);
      Bytes bytes = TestBatch{.records = records,
                              .value_size = random() % 400,
                              .timestamp = 900'000 + static_cast<int64_t>(random() % 100'000),
                              .producer_id = 4000,
                              .producer_epoch = 0,
                              .base_sequence = sequence}
                        .Build();
      REQUIRE(AppendOne(log, bytes, life).error == KafkaError::kNone);
      sequence += records;
    }
    if (life == 1) {
      log.Abandon();
    } else {
      REQUIRE(log.Close().ok());
    }
    options.clean_shutdown = life != 1;
  }
}

}  // namespace
}  // namespace millrace::log
