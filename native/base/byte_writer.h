// ByteWriter: appends Kafka's wire values, big-endian, to a vector that the caller owns. The vector
// grows as needed; reserve it to write without allocation. The counterpart of ByteReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/endian.h"
#include "base/uuid.h"

namespace millrace {

class ByteWriter {
 public:
  // Appends after what `out` holds already. `out` outlives the writer.
  explicit ByteWriter(std::vector<uint8_t>& out) : out_(out) {}

  // Bytes in the vector, those from before included.
  size_t position() const { return out_.size(); }

  void WriteBool(bool value) { WriteI8(value ? 1 : 0); }
  void WriteI8(int8_t value) { out_.push_back(static_cast<uint8_t>(value)); }
  void WriteI16(int16_t value) { StoreBe16(Extend(2), static_cast<uint16_t>(value)); }
  void WriteI32(int32_t value) { StoreBe32(Extend(4), static_cast<uint32_t>(value)); }
  void WriteI64(int64_t value) { StoreBe64(Extend(8), static_cast<uint64_t>(value)); }
  void WriteUuid(const Uuid& value) { WriteRaw(value.bytes.data(), value.bytes.size()); }
  void WriteRaw(const uint8_t* data, size_t size) {
    if (size > 0) std::memcpy(Extend(size), data, size);
  }

  void WriteUVarint(uint32_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<uint8_t>(value | 0x80));
    out_.push_back(static_cast<uint8_t>(value));
  }

  // A string of at most 32767 bytes; one with data() == nullptr is written as null.
  void WriteNullableString(std::string_view value, bool compact) {
    if (value.data() == nullptr) {
      compact ? WriteUVarint(0) : WriteI16(-1);
    } else {
      WriteString(value, compact);
    }
  }
  void WriteString(std::string_view value, bool compact) {
    MR_CHECK(value.size() <= 0x7FFF, "a string longer than Kafka can carry");
    if (compact) {
      WriteUVarint(static_cast<uint32_t>(value.size()) + 1);
    } else {
      WriteI16(static_cast<int16_t>(value.size()));
    }
    WriteRaw(reinterpret_cast<const uint8_t*>(value.data()), value.size());
  }

  // The length in front of an array, bytes or records; -1 for null.
  void WriteLength(int64_t length, bool compact) {
    MR_CHECK(length >= -1 && length <= 0x7FFFFFFE, "a length that no frame can hold");
    if (compact) {
      WriteUVarint(static_cast<uint32_t>(length + 1));
    } else {
      WriteI32(static_cast<int32_t>(length));
    }
  }

  // Starts the content of a tagged field; returns what EndTaggedField takes.
  size_t BeginTaggedField(uint32_t tag) {
    WriteUVarint(tag);
    out_.push_back(0);
    return out_.size() - 1;
  }
  // Writes the size in front of the content, moving the content if the size takes more than a byte.
  void EndTaggedField(size_t size_position) {
    size_t size = out_.size() - size_position - 1;
    size_t at = size_position;
    for (; size >= 0x80; size >>= 7) {
      out_[at++] = static_cast<uint8_t>(size | 0x80);
      out_.insert(out_.begin() + static_cast<ptrdiff_t>(at), uint8_t{0});
    }
    out_[at] = static_cast<uint8_t>(size);
  }

  // Overwrites four bytes that were written before, such as the size of the frame.
  void PatchI32(size_t position, int32_t value) {
    MR_CHECK(position + 4 <= out_.size(), "patch beyond the bytes written");
    StoreBe32(out_.data() + position, static_cast<uint32_t>(value));
  }

 private:
  uint8_t* Extend(size_t size) {
    const size_t at = out_.size();
    out_.resize(at + size);
    return out_.data() + at;
  }

  std::vector<uint8_t>& out_;
};

}  // namespace millrace
