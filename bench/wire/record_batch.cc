#include "wire/record_batch.h"

#include <time.h>

#include <fstream>
#include <iterator>

#include "base/crc32c.h"
#include "wire/big_endian.h"
#include "wire/encoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

// Bytes without a pattern that a compressing disk or network could profit from.
std::string MakeValue(size_t size) {
  std::string value(size, '\0');
  uint64_t state = 0x9e3779b97f4a7c15U;
  for (char& byte : value) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(state >> 56);
  }
  return value;
}

size_t VarintSize(int64_t value) {
  Encoder encoder;
  encoder.Varint(value);
  return encoder.size();
}

// A record after its length field.
size_t RecordBodySize(int32_t offset_delta, size_t value_size) {
  return 4 + VarintSize(offset_delta) + VarintSize(static_cast<int64_t>(value_size)) + value_size;
}

size_t RecordSize(int32_t offset_delta, size_t value_size) {
  const size_t body = RecordBodySize(offset_delta, value_size);
  return VarintSize(static_cast<int64_t>(body)) + body;
}

void AppendRecord(Encoder& encoder, int32_t offset_delta, const std::string& value) {
  encoder.Varint(static_cast<int64_t>(RecordBodySize(offset_delta, value.size())));
  encoder.Int8(0);
  encoder.Varint(0);
  encoder.Varint(offset_delta);
  encoder.Varint(-1);
  encoder.Varint(static_cast<int64_t>(value.size()));
  encoder.Raw(value);
  encoder.Varint(0);
}

void AppendHeader(Encoder& encoder) {
  const int64_t now = static_cast<int64_t>(time(nullptr)) * 1000;
  encoder.Int64(0);
  encoder.Int32(0);
  encoder.Int32(-1);
  encoder.Int8(2);
  encoder.Int32(0);
  encoder.Int16(0);
  encoder.Int32(0);
  encoder.Int64(now);
  encoder.Int64(now);
  encoder.Int64(-1);
  encoder.Int16(-1);
  encoder.Int32(-1);
  encoder.Int32(0);
}

// The largest value whose record still fits into `room`.
size_t FittingValueSize(int32_t offset_delta, size_t room) {
  size_t value_size = room;
  while (value_size > 0 && RecordSize(offset_delta, value_size) > room) {
    value_size--;
  }
  return value_size;
}

}  // namespace

RecordBatch MakeRecordBatch(size_t record_size, size_t batch_bytes) {
  Encoder encoder;
  AppendHeader(encoder);
  const std::string value = MakeValue(record_size);
  int32_t count = 0;
  // A record is held back until it is known whether another one follows it.
  while (encoder.size() + RecordSize(count, record_size) + RecordSize(count + 1, record_size) <=
         batch_bytes) {
    AppendRecord(encoder, count++, value);
  }
  const size_t room = batch_bytes > encoder.size() ? batch_bytes - encoder.size() : 0;
  const size_t last_size = FittingValueSize(count, room);
  AppendRecord(encoder, count++, last_size > record_size ? MakeValue(last_size) : value);

  const size_t first = count == 1 && last_size > record_size ? last_size : record_size;
  RecordBatch batch{.bytes = encoder.Take(), .record_count = count, .first_value_at = 0};
  batch.first_value_at = kBatchHeaderSize + RecordSize(0, first) - first - 1;
  char* header = batch.bytes.data();
  StoreInt32(header + kBatchLengthAt, static_cast<int32_t>(batch.bytes.size() - kBatchLogOverhead));
  StoreInt32(header + kBatchLastOffsetDeltaAt, count - 1);
  StoreInt32(header + kBatchHeaderSize - 4, count);
  SealRecordBatch(header, batch.bytes.size());
  return batch;
}

RecordBatch ReadRecordBatch(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  RecordBatch batch;
  batch.bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  if (batch.bytes.size() < kBatchHeaderSize) {
    Fail("%s holds no record batch.", path.c_str());
  }
  batch.record_count = LoadInt32(batch.bytes.data() + kBatchHeaderSize - 4);
  return batch;
}

void SealRecordBatch(char* batch, size_t size) {
  const uint32_t crc = Crc32c(batch + kBatchAttributesAt, size - kBatchAttributesAt);
  StoreInt32(batch + kBatchCrcAt, static_cast<int32_t>(crc));
}

}  // namespace millrace::bench
