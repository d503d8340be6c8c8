// CRC-32C: the instruction has a latency of three cycles and a throughput of one, so three
// independent streams run at once and are joined by tables that shift a checksum over a block.
#include "wire/crc32c.h"

#include <array>
#include <cstring>

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace millrace::bench {
namespace {

#ifdef __SSE4_2__

uint64_t LoadWord(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

uint32_t Step(uint32_t crc, uint64_t word) {
  return static_cast<uint32_t>(_mm_crc32_u64(crc, word));
}

// Maps a checksum to what it becomes after `block` zero bytes. The map is linear over bits, so
// four tables of 256 entries hold it.
class ZeroShift {
 public:
  explicit ZeroShift(size_t block) {
    for (size_t byte = 0; byte < 4; byte++) {
      for (uint32_t value = 0; value < 256; value++) {
        uint32_t crc = value << (8 * byte);
        for (size_t done = 0; done < block; done += 8) {
          crc = Step(crc, 0);
        }
        tables_[byte][value] = crc;
      }
    }
  }

  uint32_t operator()(uint32_t crc) const {
    return tables_[0][crc & 0xff] ^ tables_[1][(crc >> 8) & 0xff] ^ tables_[2][(crc >> 16) & 0xff] ^
           tables_[3][crc >> 24];
  }

 private:
  std::array<std::array<uint32_t, 256>, 4> tables_;
};

// Consumes as many times three blocks as there are; moves `data` and `size` on.
uint32_t Interleave(uint32_t crc, size_t block, const ZeroShift& shift, const char*& data,
                    size_t& size) {
  while (size >= 3 * block) {
    uint32_t second = 0;
    uint32_t third = 0;
    for (const char* end = data + block; data < end; data += 8) {
      crc = Step(crc, LoadWord(data));
      second = Step(second, LoadWord(data + block));
      third = Step(third, LoadWord(data + 2 * block));
    }
    crc = shift(shift(crc) ^ second) ^ third;
    data += 2 * block;
    size -= 3 * block;
  }
  return crc;
}

constexpr size_t kLongBlock = 4096;
constexpr size_t kShortBlock = 128;

#else

std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t value = 0; value < 256; value++) {
    uint32_t crc = value;
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0U);
    }
    table[value] = crc;
  }
  return table;
}

#endif

}  // namespace

uint32_t Crc32c(const char* data, size_t size) {
  uint32_t crc = 0xffffffffU;
#ifdef __SSE4_2__
  static const ZeroShift long_shift(kLongBlock);
  static const ZeroShift short_shift(kShortBlock);
  crc = Interleave(crc, kLongBlock, long_shift, data, size);
  crc = Interleave(crc, kShortBlock, short_shift, data, size);
  for (; size >= 8; size -= 8, data += 8) {
    crc = Step(crc, LoadWord(data));
  }
  for (; size > 0; size--, data++) {
    crc = _mm_crc32_u8(crc, static_cast<unsigned char>(*data));
  }
#else
  static const std::array<uint32_t, 256> table = MakeTable();
  for (; size > 0; size--, data++) {
    crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(*data)) & 0xff];
  }
#endif
  return crc ^ 0xffffffffU;
}

}  // namespace millrace::bench
