// ByteReader and ByteWriter: what one writes the other reads, and what does not fit fails for good.
#include <doctest/doctest.h>

#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace millrace {

TEST_CASE("what the writer writes the reader reads") {
  std::vector<uint8_t> out = {0xAA};
  ByteWriter writer(out);
  writer.WriteBool(true);
  writer.WriteI8(-2);
  writer.WriteI16(-300);
  writer.WriteI32(-70'000);
  writer.WriteI64(INT64_MIN);
  for (const uint32_t value : {0u, 127u, 128u, 16'384u, 0xFFFFFFFFu}) writer.WriteUVarint(value);
  for (const bool compact : {false, true}) {
    writer.WriteString("", compact);
    writer.WriteNullableString("abc", compact);
    writer.WriteNullableString({}, compact);
    writer.WriteLength(-1, compact);
    writer.WriteLength(0, compact);
  }

  ByteReader reader(out.data() + 1, out.size() - 1);
  CHECK(reader.ReadBool());
  CHECK(reader.ReadI8() == -2);
  CHECK(reader.ReadI16() == -300);
  CHECK(reader.ReadI32() == -70'000);
  CHECK(reader.ReadI64() == INT64_MIN);
  for (const uint32_t value : {0u, 127u, 128u, 16'384u, 0xFFFFFFFFu}) {
    CHECK(reader.ReadUVarint() == value);
  }
  for (const bool compact : {false, true}) {
    CHECK(reader.ReadString(compact).empty());
    CHECK(reader.ReadNullableString(compact) == "abc");
    CHECK(reader.ReadNullableString(compact).data() == nullptr);
    CHECK(reader.ReadNullableBytes(compact).is_null());
    CHECK(reader.ReadArrayLength(compact, 1) == 0);
  }
  CHECK(reader.ok());
  CHECK(reader.remaining() == 0);
}

TEST_CASE("the first read that does not fit fails the reader for good") {
  const std::vector<uint8_t> bytes = {0, 0, 0, 9, 1};
  ByteReader reader(bytes.data(), bytes.size());
  CHECK(reader.ReadI64() == 0);
  CHECK_FALSE(reader.ok());
  CHECK(reader.ReadI8() == 0);
  CHECK(reader.remaining() == 0);
}

TEST_CASE("a null where none is allowed fails") {
  const std::vector<uint8_t> bytes = {0xFF, 0xFF, 0xFF, 0xFF};
  ByteReader strings(bytes.data(), bytes.size());
  strings.ReadString(false);
  CHECK_FALSE(strings.ok());
  ByteReader arrays(bytes.data(), bytes.size());
  CHECK(arrays.ReadArrayLength(false, 1) == 0);
  CHECK_FALSE(arrays.ok());
  ByteReader nullable(bytes.data(), bytes.size());
  CHECK(nullable.ReadNullableArrayLength(false, 1) == -1);
  CHECK(nullable.ok());
}

TEST_CASE("a count must fit into the bytes left") {
  const std::vector<uint8_t> bytes = {0, 0, 0, 3, 1, 2, 3, 4, 5};
  ByteReader fits(bytes.data(), bytes.size());
  CHECK(fits.ReadArrayLength(false, 1) == 3);
  ByteReader too_many(bytes.data(), bytes.size());
  CHECK(too_many.ReadArrayLength(false, 2) == 0);
  CHECK_FALSE(too_many.ok());
}

TEST_CASE("tagged fields of any size get their size in front") {
  for (const size_t size : {0u, 1u, 127u, 128u, 16'383u, 16'384u}) {
    std::vector<uint8_t> out;
    ByteWriter writer(out);
    const size_t start = writer.BeginTaggedField(3);
    const std::vector<uint8_t> content(size, 0xAB);
    writer.WriteRaw(content.data(), content.size());
    writer.EndTaggedField(start);
    writer.WriteI8(7);
    ByteReader reader(out.data(), out.size());
    CHECK(reader.ReadUVarint() == 3);
    const size_t end = reader.ReadTaggedFieldEnd();
    CHECK(end - reader.position() == size);
    reader.SkipTo(end);
    CHECK(reader.ReadI8() == 7);
    CHECK(reader.remaining() == 0);
  }
}

TEST_CASE("a size can be written afterwards") {
  std::vector<uint8_t> out;
  ByteWriter writer(out);
  writer.WriteI32(0);
  writer.WriteI8(1);
  writer.PatchI32(0, 1);
  CHECK(out == std::vector<uint8_t>{0, 0, 0, 1, 1});
}

}  // namespace millrace
