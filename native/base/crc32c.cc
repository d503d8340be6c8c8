#include "base/crc32c.h"

#include <array>
#include <cstring>

#include "base/crc32c_fold.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace millrace {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // Reflected.

using ByteTable = std::array<uint32_t, 256>;
using WordTable = std::array<ByteTable, 4>;  // One table per byte of a 32-bit value.

constexpr std::array<ByteTable, 8> MakeSlicingTables() {
  std::array<ByteTable, 8> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ kPolynomial : crc >> 1;
    tables[0][i] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t i = 0; i < 256; ++i) {
      const uint32_t previous = tables[k - 1][i];
      tables[k][i] = previous >> 8 ^ tables[0][previous & 255];
    }
  }
  return tables;
}

constexpr std::array<ByteTable, 8> kSlicing = MakeSlicingTables();

uint64_t LoadLe64(const uint8_t* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

uint32_t ExtendByTable(uint32_t crc, const uint8_t* data, size_t size) {
  for (; size >= 8; data += 8, size -= 8) {
    const uint64_t word = LoadLe64(data) ^ crc;
    crc = 0;
    for (size_t k = 0; k < 8; ++k) crc ^= kSlicing[7 - k][word >> (8 * k) & 255];
  }
  for (; size > 0; ++data, --size) crc = crc >> 8 ^ kSlicing[0][(crc ^ *data) & 255];
  return crc;
}

#if defined(__x86_64__)

// The effect of `length` zero bytes on a CRC register is linear over GF(2). The matrix is found by
// squaring, then spread into four byte tables, so that joining two streams costs four loads.
constexpr WordTable MakeZerosTable(size_t length) {
  std::array<uint32_t, 32> power{};  // Column i: what bit i becomes after one zero bit.
  power[0] = kPolynomial;
  for (size_t i = 1; i < 32; ++i) power[i] = uint32_t{1} << (i - 1);
  const auto apply = [](const std::array<uint32_t, 32>& matrix, uint32_t vector) {
    uint32_t sum = 0;
    for (size_t i = 0; vector != 0; ++i, vector >>= 1) {
      if (vector & 1) sum ^= matrix[i];
    }
    return sum;
  };
  for (size_t bits = 1; bits < 8 * length; bits *= 2) {  // `length` is a power of two.
    std::array<uint32_t, 32> squared{};
    for (size_t i = 0; i < 32; ++i) squared[i] = apply(power, power[i]);
    power = squared;
  }
  WordTable table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (size_t k = 0; k < 4; ++k) table[k][byte] = apply(power, byte << (8 * k));
  }
  return table;
}

constexpr size_t kLongStream = 4096;
constexpr size_t kShortStream = 256;
constexpr WordTable kLongZeros = MakeZerosTable(kLongStream);
constexpr WordTable kShortZeros = MakeZerosTable(kShortStream);

uint64_t AppendZeros(const WordTable& table, uint64_t crc) {
  return table[0][crc & 255] ^ table[1][crc >> 8 & 255] ^ table[2][crc >> 16 & 255] ^
         table[3][crc >> 24 & 255];
}

template <size_t kStream>
__attribute__((target("sse4.2"))) uint64_t ThreeStreams(uint64_t crc, const uint8_t* data,
                                                        const WordTable& zeros) {
  uint64_t second = 0;
  uint64_t third = 0;
  for (size_t i = 0; i < kStream; i += 8) {
    crc = _mm_crc32_u64(crc, LoadLe64(data + i));
    second = _mm_crc32_u64(second, LoadLe64(data + kStream + i));
    third = _mm_crc32_u64(third, LoadLe64(data + 2 * kStream + i));
  }
  return AppendZeros(zeros, AppendZeros(zeros, crc) ^ second) ^ third;
}

__attribute__((target("sse4.2"))) uint32_t ExtendByInstruction(uint32_t start, const uint8_t* data,
                                                               size_t size) {
  uint64_t crc = start;
  for (; size >= 3 * kLongStream; data += 3 * kLongStream, size -= 3 * kLongStream) {
    crc = ThreeStreams<kLongStream>(crc, data, kLongZeros);
  }
  for (; size >= 3 * kShortStream; data += 3 * kShortStream, size -= 3 * kShortStream) {
    crc = ThreeStreams<kShortStream>(crc, data, kShortZeros);
  }
  for (; size >= 8; data += 8, size -= 8) crc = _mm_crc32_u64(crc, LoadLe64(data));
  auto tail = static_cast<uint32_t>(crc);
  for (; size > 0; ++data, --size) tail = _mm_crc32_u8(tail, *data);
  return tail;
}

#endif

}  // namespace

uint32_t Crc32cExtendPortable(uint32_t crc, const void* data, size_t size) {
  return ~ExtendByTable(~crc, static_cast<const uint8_t*>(data), size);
}

uint32_t Crc32cExtendStreams(uint32_t crc, const void* data, size_t size) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) {
    return ~ExtendByInstruction(~crc, static_cast<const uint8_t*>(data), size);
  }
#endif
  return Crc32cExtendPortable(crc, data, size);
}

uint32_t Crc32cExtend(uint32_t crc, const void* data, size_t size) {
  if (size < kFoldMin || !HasFolding()) return Crc32cExtendStreams(crc, data, size);
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint32_t state = ~crc;
  const size_t folded = FoldCrc32c(state, bytes, size);
  return Crc32cExtendStreams(~state, bytes + folded, size - folded);
}

uint32_t Crc32c(const void* data, size_t size) { return Crc32cExtend(0, data, size); }

}  // namespace millrace
