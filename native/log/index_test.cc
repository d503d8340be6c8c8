// Protects index lookups: the binary searches, mapped and sealed, against a linear scan; and the
// epoch cache's tables.
#include <doctest/doctest.h>

#include <random>

#include "io/faulty/faulty_file_system.h"
#include "log/leader_epoch_cache.h"
#include "log/offset_index.h"
#include "log/segment_file_name.h"
#include "log/time_index.h"

namespace millrace::log {
namespace {

constexpr int64_t kBase = 5'000'000'000;
constexpr int64_t kMaxBytes = 10 << 20;

TEST_CASE("offset lookups match a linear scan, while mapped and when sealed") {
  std::mt19937_64 random(11);
  for (const size_t entries : {0, 1, 2, 511, 512, 513, 3000}) {
    CAPTURE(entries);
    io::FaultyFileSystem files;
    OffsetIndex index(files, "/d/0.index", kBase);
    std::vector<OffsetPosition> all;
    int64_t offset = kBase;
    uint64_t position = 0;
    for (size_t i = 0; i < entries; ++i) {
      offset += 1 + static_cast<int64_t>(random() % 20);
      position += 1 + random() % 5000;
      REQUIRE(index.file().Reserve(1, kMaxBytes).ok());
      index.Append(offset, position);
      all.push_back({offset, position});
    }
    for (const bool sealed : {false, true}) {
      if (sealed) REQUIRE(index.file().Seal().ok());
      for (int i = 0; i < 500; ++i) {
        const int64_t wanted =
            kBase - 2 + static_cast<int64_t>(random() % static_cast<uint64_t>(offset - kBase + 9));
        OffsetPosition expected{kBase, 0};
        for (const OffsetPosition& entry : all) {
          if (entry.offset <= wanted) expected = entry;
        }
        const OffsetPosition found = index.Lookup(wanted).value();
        REQUIRE(found.offset == expected.offset);
        REQUIRE(found.position == expected.position);
      }
      CHECK(index.AllLookRight(position + 1).value());
      CHECK(index.LastLooksRight(position + 1).value());
      CHECK(index.AllLookRight(position).value() == (entries == 0));
    }
  }
}

TEST_CASE("a tail of zeros is no entries, however many there are (C083, KAFKA-10207)") {
  constexpr uint64_t kEntry = 12;
  for (const size_t entries : {0U, 1U, 2U, 3U, 100U, 341U}) {
    for (const size_t zeros : {0u, 1u, 2u, 7u, 100u, 900u}) {
      io::FaultyFileSystem files;
      {
        TimeIndex written(files, "/d/0.timeindex", kBase);
        for (size_t i = 0; i < entries; ++i) {
          REQUIRE(written.file().Reserve(1, kMaxBytes).ok());
          const auto step = static_cast<int64_t>(i);
          REQUIRE(written.AppendIfLater({100 + step, kBase + step}).ok());
        }
        REQUIRE(written.file().Seal().ok());
      }
      auto file = files.Open("/d/0.timeindex", io::OpenMode::kReadWrite).Take();
      REQUIRE(file->Allocate((entries + zeros) * kEntry).ok());
      TimeIndex read(files, "/d/0.timeindex", kBase);
      // A single entry of zeros may be the record of 1970 that opens a segment.
      const bool alone = entries == 0 && zeros == 1;
      CHECK(read.file().Count().value() == (alone ? 1 : entries));
    }
  }
}

TEST_CASE("time lookups match a linear scan, and only rising timestamps are stored") {
  std::mt19937_64 random(12);
  io::FaultyFileSystem files;
  TimeIndex index(files, "/d/0.timeindex", kBase);
  std::vector<TimestampOffset> all;
  int64_t timestamp = 1000;
  for (int i = 0; i < 2000; ++i) {
    timestamp += static_cast<int64_t>(random() % 7) - 2;
    const TimestampOffset entry{timestamp, kBase + i};
    REQUIRE(index.file().Reserve(1, kMaxBytes).ok());
    REQUIRE(index.AppendIfLater(entry).ok());
    if (all.empty() || timestamp > all.back().timestamp) all.push_back(entry);
  }
  CHECK(index.file().Count().value() == all.size());
  for (const bool sealed : {false, true}) {
    if (sealed) REQUIRE(index.file().Seal().ok());
    for (int64_t wanted = 990; wanted < timestamp + 10; ++wanted) {
      TimestampOffset expected{-1, kBase};
      for (const TimestampOffset& entry : all) {
        if (entry.timestamp <= wanted) expected = entry;
      }
      const TimestampOffset found = index.Lookup(wanted).value();
      REQUIRE(found.timestamp == expected.timestamp);
      REQUIRE(found.offset == expected.offset);
    }
    CHECK(index.AllLookRight().value());
  }
}

TEST_CASE("a view stays readable while the index grows, is sealed and its file is removed") {
  io::FaultyFileSystem files;
  OffsetIndex index(files, "/d/0.index", 0);
  for (int i = 1; i <= 3; ++i) {
    REQUIRE(index.file().Reserve(1, kMaxBytes).ok());
    index.Append(i, static_cast<uint64_t>(10 * i));
  }
  const IndexFile::View view = index.file().Snapshot().value();
  for (int i = 4; i <= 3000; ++i) {
    REQUIRE(index.file().Reserve(1, kMaxBytes).ok());
    index.Append(i, static_cast<uint64_t>(10 * i));
  }
  REQUIRE(index.file().Seal().ok());
  REQUIRE(files.Remove("/d/0.index").ok());
  CHECK(view.count == 3);
  uint8_t entry[8];
  REQUIRE(view.Read(0, entry).ok());
  CHECK(entry[3] == 1);
}

TEST_CASE("an index takes a smaller step on a nearly full disk, and none beyond it") {
  io::FaultyFileSystem files;
  OffsetIndex index(files, "/d/0.index", 0);
  files.SetCapacity(4096);
  REQUIRE(index.file().Reserve(1, kMaxBytes).ok());
  CHECK(index.file().Reserve(600, kMaxBytes).error().code == ErrorCode::kNoSpace);
  index.Append(1, 10);
  CHECK(index.Last().value().position == 10);
}

TEST_CASE("epochs: answers for known, skipped, older and newer ones") {
  LeaderEpochCache cache;
  CHECK(cache.EndOffsetFor(0, 100).end_offset == -1);
  CHECK(cache.Assign(2, 10));
  CHECK(cache.Assign(5, 40));
  CHECK_FALSE(cache.Assign(5, 60));
  CHECK(cache.Assign(9, 90));
  struct Answer {
    int32_t asked, epoch;
    int64_t end;
  };
  for (const Answer& a : {Answer{1, 1, 10},
                          {2, 2, 40},
                          {3, 2, 40},
                          {5, 5, 90},
                          {8, 5, 90},
                          {9, 9, 100},
                          {10, -1, -1},
                          {-1, -1, -1}}) {
    CAPTURE(a.asked);
    CHECK(cache.EndOffsetFor(a.asked, 100).leader_epoch == a.epoch);
    CHECK(cache.EndOffsetFor(a.asked, 100).end_offset == a.end);
  }
  CHECK(cache.EpochFor(9) == -1);
  CHECK(cache.EpochFor(10) == 2);
  CHECK(cache.EpochFor(89) == 5);
  CHECK(cache.EpochFor(1000) == 9);
}

TEST_CASE("epochs: a new entry removes what contradicts it, truncation works at both ends") {
  LeaderEpochCache cache;
  for (const EpochStart& e : {EpochStart{1, 0}, {3, 20}, {4, 50}})
    cache.Assign(e.epoch, e.start_offset);
  LeaderEpochCache other = cache;
  CHECK(other.Assign(3, 10));
  CHECK(other.entries() == std::vector<EpochStart>{{1, 0}, {3, 10}});
  other = cache;
  CHECK(other.Assign(7, 20));
  CHECK(other.entries() == std::vector<EpochStart>{{1, 0}, {7, 20}});
  other = cache;
  CHECK(other.TruncateFromEnd(50));
  CHECK_FALSE(other.TruncateFromEnd(50));
  CHECK(other.entries() == std::vector<EpochStart>{{1, 0}, {3, 20}});
  other = cache;
  CHECK(other.TruncateFromStart(30));
  CHECK_FALSE(other.TruncateFromStart(30));
  CHECK(other.entries() == std::vector<EpochStart>{{3, 30}, {4, 50}});
}

TEST_CASE("epochs: the text form, and what is no text form") {
  LeaderEpochCache cache;
  cache.Assign(0, 0);
  cache.Assign(7, 123456789012);
  CHECK(cache.ToText() == "0\n2\n0 0\n7 123456789012\n");
  const auto parse = [](const std::string& text) {
    return LeaderEpochCache::FromText({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  CHECK(parse(cache.ToText())->entries() == cache.entries());
  CHECK(parse("0 2 0 0\t7 123456789012")->entries() == cache.entries());
  CHECK(parse("")->entries().empty());
  for (const char* bad : {"1\n0\n", "0\n", "0\n1\n", "0\n1\n0\n", "0\n1\n0 0\n7 9\n", "0\nx\n",
                          "0\n1\n0 0x\n", "0\n-1\n", "0\n1\n0 99999999999999999999\n"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse(bad).has_value());
  }
}

TEST_CASE("segment file names") {
  CHECK(SegmentPath("/d", 42, kLogSuffix) == "/d/00000000000000000042.log");
  CHECK(ParseSegmentFileName("00000000000000000042.index.swap")->suffix == ".index.swap");
  CHECK(ParseSegmentFileName("09223372036854775807.log")->base_offset == INT64_MAX);
  for (const char* bad : {"", "0.log", "0000000000000000004x.log", "99999999999999999999.log",
                          "00000000000000000042", "leader-epoch-checkpoint"}) {
    CHECK_FALSE(ParseSegmentFileName(bad).has_value());
  }
}

}  // namespace
}  // namespace millrace::log
