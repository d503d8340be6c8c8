// ByteReader: Kafka's wire values out of a frame, big-endian, each read checked against the end.
// The first read that does not fit, and the first length that cannot be, make the reader fail for
// good: ok() turns false and every later read returns zero, so that decoders check once at the end.
// Allocates nothing; views point into the frame and live as long as it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/endian.h"
#include "base/uuid.h"

namespace millrace {

// A `bytes` or `records` field: where it lies in the frame. Null has size -1.
struct BytesView {
  const uint8_t* data = nullptr;
  int32_t size = -1;

  bool is_null() const { return size < 0; }
};

class ByteReader {
 public:
  ByteReader(const uint8_t* data, size_t size) : begin_(data), next_(data), end_(data + size) {}

  bool ok() const { return ok_; }
  size_t position() const { return static_cast<size_t>(next_ - begin_); }
  size_t remaining() const { return static_cast<size_t>(end_ - next_); }
  void Fail() {
    ok_ = false;
    next_ = end_;
  }

  bool ReadBool() { return ReadI8() != 0; }
  int8_t ReadI8() {
    const uint8_t* from = Take(1);
    return from == nullptr ? int8_t{0} : static_cast<int8_t>(*from);
  }
  uint16_t ReadU16() {
    const uint8_t* from = Take(2);
    return from == nullptr ? uint16_t{0} : LoadBe16(from);
  }
  int16_t ReadI16() { return static_cast<int16_t>(ReadU16()); }
  uint32_t ReadU32() {
    const uint8_t* from = Take(4);
    return from == nullptr ? 0 : LoadBe32(from);
  }
  int32_t ReadI32() { return static_cast<int32_t>(ReadU32()); }
  int64_t ReadI64() {
    const uint8_t* from = Take(8);
    return from == nullptr ? 0 : static_cast<int64_t>(LoadBe64(from));
  }
  Uuid ReadUuid() {
    const uint8_t* from = Take(16);
    return from == nullptr ? Uuid{} : Uuid::FromBytes(from);
  }

  // An unsigned varint of at most 32 bits.
  uint32_t ReadUVarint() {
    uint32_t value = 0;
    for (uint32_t shift = 0; shift < 35; shift += 7) {
      const uint8_t* from = Take(1);
      if (from == nullptr) return 0;
      if (shift == 28 && *from > 0x0F) break;
      value |= static_cast<uint32_t>(*from & 0x7F) << shift;
      if (*from < 0x80) return value;
    }
    Fail();
    return 0;
  }

  // A string; null has data() == nullptr. Compact: uvarint length + 1; else int16 length.
  std::string_view ReadNullableString(bool compact) {
    const int64_t size = compact ? int64_t{ReadUVarint()} - 1 : int64_t{ReadI16()};
    if (!ok_ || size < 0) return {};
    // Kafka refuses longer ones although the compact form could hold them; no answer could name it.
    if (size > kStringBytesMax) Fail();
    const uint8_t* from = Take(static_cast<size_t>(size));
    if (from == nullptr) return {};
    return {reinterpret_cast<const char*>(from), static_cast<size_t>(size)};
  }
  // A string that may not be null.
  std::string_view ReadString(bool compact) {
    const std::string_view value = ReadNullableString(compact);
    if (value.data() == nullptr) Fail();
    return value;
  }

  // Bytes or records. Compact: uvarint length + 1; else int32 length.
  BytesView ReadNullableBytes(bool compact) {
    const int64_t size = compact ? int64_t{ReadUVarint()} - 1 : int64_t{ReadI32()};
    if (!ok_ || size < 0) return {};
    const uint8_t* from = Take(static_cast<size_t>(size));
    if (from == nullptr) return {};
    return {from, static_cast<int32_t>(size)};
  }
  BytesView ReadBytes(bool compact) {
    const BytesView value = ReadNullableBytes(compact);
    if (value.is_null()) Fail();
    return value;
  }

  // The number of elements, or -1 for null. Fails if the bytes left cannot hold that many elements
  // of at least `element_bytes_min` (at least 1) each.
  int32_t ReadNullableArrayLength(bool compact, size_t element_bytes_min) {
    const int64_t count = compact ? int64_t{ReadUVarint()} - 1 : int64_t{ReadI32()};
    if (!ok_) return 0;
    if (count < 0) return -1;
    if (static_cast<uint64_t>(count) > remaining() / element_bytes_min) {
      Fail();
      return 0;
    }
    return static_cast<int32_t>(count);
  }
  // The same for an array that may not be null: 0 when the reader failed.
  int32_t ReadArrayLength(bool compact, size_t element_bytes_min) {
    const int32_t count = ReadNullableArrayLength(compact, element_bytes_min);
    if (count >= 0) return count;
    Fail();
    return 0;
  }

  // The number of tagged fields that follow (KIP-482); each takes at least two bytes.
  uint32_t ReadTaggedFieldCount() {
    const uint32_t count = ReadUVarint();
    if (count <= kTaggedFieldsMax && count <= remaining() / 2) return count;
    Fail();
    return 0;
  }
  // Reads the size of a tagged field; returns the position at which it must end.
  size_t ReadTaggedFieldEnd() {
    const uint32_t size = ReadUVarint();
    if (size > remaining()) Fail();
    return ok_ ? position() + size : position();
  }
  // A known tagged field was read: it must have been as long as it said.
  void ExpectPosition(size_t end) {
    if (position() != end) Fail();
  }
  // Skips an unknown tagged field to the end that ReadTaggedFieldEnd returned.
  void SkipTo(size_t end) {
    if (ok_) next_ = begin_ + end;
  }
  // Skips a whole section of tagged fields, such as that of a request header.
  void SkipTaggedFields() {
    const uint32_t count = ReadTaggedFieldCount();
    for (uint32_t i = 0; i < count && ok_; ++i) {
      ReadUVarint();
      SkipTo(ReadTaggedFieldEnd());
    }
  }

 private:
  static constexpr uint32_t kTaggedFieldsMax = 4096;
  static constexpr int64_t kStringBytesMax = 0x7FFF;

  const uint8_t* Take(size_t size) {
    if (size > remaining() || !ok_) {
      Fail();
      return nullptr;
    }
    const uint8_t* from = next_;
    next_ += size;
    return from;
  }

  const uint8_t* begin_;
  const uint8_t* next_;
  const uint8_t* end_;
  bool ok_ = true;
};

}  // namespace millrace
