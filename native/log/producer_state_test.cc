// Protects the rules of the idempotent producer (kafka.md 5.4): which batch is in order, a
// duplicate, or refused.
#include "log/producer_state.h"

#include <doctest/doctest.h>

#include "log/producer_snapshot.h"
#include "record/test_batch.h"

namespace millrace::log {
namespace {

using record::TestBatch;
using Bytes = std::vector<uint8_t>;

Bytes Batch(int16_t epoch, int32_t sequence, int32_t records = 1, int64_t offset = 0,
            uint16_t attributes = 0) {
  return TestBatch{.records = records,
                   .attributes = attributes,
                   .base_offset = offset,
                   .producer_id = 1,
                   .producer_epoch = epoch,
                   .base_sequence = sequence}
      .Build();
}

class Table {
 public:
  void Store(const Bytes& batch) { table.Update(record::RecordBatch(batch.data()), 1000); }
  SequenceCheck Check(const Bytes& batch) {
    return table.Check(record::RecordBatch(batch.data()), duplicate);
  }
  ProducerStateTable table;
  ProducerBatch duplicate;
};

TEST_CASE("a producer nobody knows may start with any sequence") {
  Table t;
  CHECK(t.Check(Batch(0, 0)) == SequenceCheck::kInOrder);
  CHECK(t.Check(Batch(3, 1234)) == SequenceCheck::kInOrder);
}

TEST_CASE("within an epoch sequences follow without a gap") {
  Table t;
  t.Store(Batch(0, 10, 5));
  CHECK(t.Check(Batch(0, 15)) == SequenceCheck::kInOrder);
  CHECK(t.Check(Batch(0, 16)) == SequenceCheck::kOutOfOrder);
  CHECK(t.Check(Batch(0, 14)) == SequenceCheck::kOutOfOrder);
  CHECK(t.Check(Batch(0, 0)) == SequenceCheck::kOutOfOrder);
  CHECK(t.Check(Batch(0, 10, 4)) == SequenceCheck::kOutOfOrder);  // A part of a stored batch.
  CHECK(t.Check(Batch(0, 10, 5)) == SequenceCheck::kDuplicate);
}

TEST_CASE("the sequence after the largest int32 is 0") {
  Table t;
  t.Store(Batch(0, INT32_MAX - 1, 2));
  CHECK(t.Check(Batch(0, 0)) == SequenceCheck::kInOrder);
  CHECK(t.Check(Batch(0, 1)) == SequenceCheck::kOutOfOrder);
  t.Store(Batch(0, 0));
  const Bytes across = Batch(0, INT32_MAX, 3);  // Sequences MAX, 0, 1.
  Table u;
  u.Store(across);
  CHECK(u.Check(Batch(0, 2)) == SequenceCheck::kInOrder);
  CHECK(u.Check(across) == SequenceCheck::kDuplicate);
}

TEST_CASE("the last five batches are known, older ones are out of order") {
  Table t;
  for (int32_t i = 0; i < 7; ++i) t.Store(Batch(0, 2 * i, 2, 100 + 2 * i));
  for (int32_t i = 2; i < 7; ++i) {
    CAPTURE(i);
    REQUIRE(t.Check(Batch(0, 2 * i, 2)) == SequenceCheck::kDuplicate);
    CHECK(t.duplicate.first_offset() == 100 + 2 * i);
    CHECK(t.duplicate.last_offset == 101 + 2 * i);
    CHECK(t.duplicate.timestamp == 1'000'001);
  }
  CHECK(t.Check(Batch(0, 0, 2)) == SequenceCheck::kOutOfOrder);
  CHECK(t.Check(Batch(0, 2, 2)) == SequenceCheck::kOutOfOrder);
}

TEST_CASE("a new epoch starts at 0 and forgets the old batches; an old epoch is fenced") {
  Table t;
  t.Store(Batch(1, 7));
  CHECK(t.Check(Batch(2, 0)) == SequenceCheck::kInOrder);
  CHECK(t.Check(Batch(2, 8)) == SequenceCheck::kOutOfOrder);
  CHECK(t.Check(Batch(0, 8)) == SequenceCheck::kStaleEpoch);
  t.Store(Batch(2, 0));
  CHECK(t.Check(Batch(1, 7)) == SequenceCheck::kStaleEpoch);
  CHECK(t.Check(Batch(2, 1)) == SequenceCheck::kInOrder);
}

TEST_CASE("an open transaction bars plain batches of its producer until the marker") {
  Table t;
  t.Store(Batch(0, 0, 1, 50, record::kTransactionalBit));
  CHECK(t.table.FirstOpenTransactionOffset() == 50);
  CHECK(t.Check(Batch(0, 1)) == SequenceCheck::kOpenTransaction);
  CHECK(t.Check(Batch(0, 1, 1, 0, record::kTransactionalBit)) == SequenceCheck::kInOrder);
  t.table.Expire(1'000'000'000, 1);
  CHECK(t.table.entries().size() == 1);
  t.Store(Batch(0, -1, 1, 51, record::kTransactionalBit | record::kControlBit));
  CHECK(t.table.FirstOpenTransactionOffset() == -1);
  CHECK(t.Check(Batch(0, 1)) == SequenceCheck::kInOrder);
}

TEST_CASE("producers expire by the broker's clock") {
  Table t;
  t.Store(Batch(0, 0));  // Used at 1000.
  t.table.Expire(1999, 1000);
  CHECK(t.table.entries().size() == 1);
  t.table.Expire(2000, 1000);
  CHECK(t.table.entries().empty());
}

TEST_CASE("a snapshot keeps the newest batch of each producer") {
  Table t;
  for (int32_t i = 0; i < 3; ++i) t.Store(Batch(4, 2 * i, 2, 2 * i));
  const Bytes bytes = EncodeProducerSnapshot(t.table);
  CHECK(bytes.size() == 10 + 46);
  Table loaded;
  loaded.table = DecodeProducerSnapshot(bytes, 1000).Take();
  CHECK(loaded.Check(Batch(4, 4, 2)) == SequenceCheck::kDuplicate);
  CHECK(loaded.duplicate.first_offset() == 4);
  CHECK(loaded.Check(Batch(4, 2, 2)) == SequenceCheck::kOutOfOrder);
  CHECK(loaded.Check(Batch(4, 6)) == SequenceCheck::kInOrder);
  CHECK(EncodeProducerSnapshot(loaded.table) == bytes);
}

TEST_CASE("a damaged snapshot is refused, whatever byte it is") {
  Table t;
  t.Store(Batch(4, 0));
  const Bytes good = EncodeProducerSnapshot(t.table);
  for (size_t i = 0; i < good.size(); ++i) {
    Bytes bad = good;
    bad[i] ^= 0x10;
    CHECK_FALSE(DecodeProducerSnapshot(bad, 0).ok());
    CHECK_FALSE(DecodeProducerSnapshot(std::span(good).first(i), 0).ok());
  }
}

}  // namespace
}  // namespace millrace::log
