#include "base/crc32c_fold.h"

#if defined(__x86_64__)
// g++ 12 takes the undefined operands in its own header for mistakes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace millrace {

#if defined(__x86_64__)

namespace {

constexpr uint32_t kPolynomial = 0x1EDC6F41;

// x^n mod P as a reflected 64-bit word: the coefficient of x^e is bit 63 - e.
constexpr uint64_t PowerOfX(int n) {
  uint32_t power = 1;
  for (int i = 0; i < n; ++i) power = power << 1 ^ (power >> 31 != 0 ? kPolynomial : 0);
  uint64_t reflected = 0;
  for (int e = 0; e < 32; ++e) reflected |= static_cast<uint64_t>(power >> e & 1) << (63 - e);
  return reflected;
}

// Moves a block of 128 bits `distance` bits ahead. Its first half stands 64 bits before the second,
// and a product of reflected words comes out multiplied by x once more: hence + 63 and - 1.
struct Fold {
  uint64_t first_half;
  uint64_t second_half;
};
constexpr Fold FoldBy(int distance) { return {PowerOfX(distance + 63), PowerOfX(distance - 1)}; }
constexpr Fold kBy2048 = FoldBy(2048);
constexpr Fold kBy512 = FoldBy(512);
constexpr Fold kBy128 = FoldBy(128);

#define MILLRACE_FOLDING __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul,sse4.2")))

MILLRACE_FOLDING inline __m512i Spread(const Fold& fold) {
  return _mm512_broadcast_i32x4(_mm_set_epi64x(static_cast<int64_t>(fold.second_half),
                                               static_cast<int64_t>(fold.first_half)));
}

MILLRACE_FOLDING inline __m512i FoldOnto(__m512i block, __m512i by, __m512i next) {
  const __m512i first = _mm512_clmulepi64_epi128(block, by, 0x00);
  const __m512i second = _mm512_clmulepi64_epi128(block, by, 0x11);
  return _mm512_ternarylogic_epi64(first, second, next, 0x96);  // The sum of the three.
}

MILLRACE_FOLDING inline __m128i FoldOnto(__m128i block, __m128i by, __m128i next) {
  const __m128i first = _mm_clmulepi64_si128(block, by, 0x00);
  const __m128i second = _mm_clmulepi64_si128(block, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

// The register after the 16 bytes that everything was folded onto.
MILLRACE_FOLDING inline uint32_t Reduce(__m128i block) {
  const uint64_t crc = _mm_crc32_u64(0, static_cast<uint64_t>(_mm_extract_epi64(block, 0)));
  return static_cast<uint32_t>(
      _mm_crc32_u64(crc, static_cast<uint64_t>(_mm_extract_epi64(block, 1))));
}

MILLRACE_FOLDING size_t FoldBlocks(uint32_t& crc, const uint8_t* data, size_t size) {
  const auto load = [data](size_t at) __attribute__((target("avx512f"))) {
    return _mm512_loadu_si512(data + at);
  };
  __m512i a = _mm512_xor_si512(
      load(0), _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int32_t>(crc))));
  __m512i b = load(64);
  __m512i c = load(128);
  __m512i d = load(192);
  const __m512i by2048 = Spread(kBy2048);
  size_t at = 256;
  for (; at + 256 <= size; at += 256) {
    a = FoldOnto(a, by2048, load(at));
    b = FoldOnto(b, by2048, load(at + 64));
    c = FoldOnto(c, by2048, load(at + 128));
    d = FoldOnto(d, by2048, load(at + 192));
  }
  const __m512i by512 = Spread(kBy512);
  d = FoldOnto(FoldOnto(FoldOnto(a, by512, b), by512, c), by512, d);
  const __m128i by128 = _mm512_castsi512_si128(Spread(kBy128));
  __m128i block = _mm512_castsi512_si128(d);
  block = FoldOnto(block, by128, _mm512_extracti32x4_epi32(d, 1));
  block = FoldOnto(block, by128, _mm512_extracti32x4_epi32(d, 2));
  block = FoldOnto(block, by128, _mm512_extracti32x4_epi32(d, 3));
  crc = Reduce(block);
  return at;
}

#undef MILLRACE_FOLDING

}  // namespace

bool HasFolding() {
  static const bool has =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("vpclmulqdq") != 0 && __builtin_cpu_supports("pclmul") != 0;
  return has;
}

size_t FoldCrc32c(uint32_t& crc, const uint8_t* data, size_t size) {
  return FoldBlocks(crc, data, size);
}

#else

bool HasFolding() { return false; }

size_t FoldCrc32c(uint32_t&, const uint8_t*, size_t) { return 0; }

#endif

}  // namespace millrace
