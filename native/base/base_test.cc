// Protects the checksum against every known answer and both code paths, and the byte order helpers.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "base/crc32c.h"
#include "base/endian.h"
#include "base/uuid.h"

namespace millrace {
namespace {

TEST_CASE("CRC-32C gives the published check values") {
  CHECK(Crc32c("123456789", 9) == 0xE3069283u);
  CHECK(Crc32c("", 0) == 0u);
  const std::vector<uint8_t> zeros(32, 0);  // RFC 3720, B.4.
  CHECK(Crc32c(zeros.data(), zeros.size()) == 0x8A9136AAu);
  const std::vector<uint8_t> ones(32, 0xFF);
  CHECK(Crc32c(ones.data(), ones.size()) == 0x62A8AB43u);
}

TEST_CASE("folding, streams and table agree at every length and alignment") {
  std::mt19937 random(7);
  std::vector<uint8_t> bytes(60'000);
  for (auto& byte : bytes) byte = static_cast<uint8_t>(random());
  for (size_t size = 0; size < 2000; ++size) {
    const uint8_t* data = bytes.data() + size % 17;
    const uint32_t wanted = Crc32cExtendPortable(0, data, size);
    REQUIRE(Crc32c(data, size) == wanted);
    REQUIRE(Crc32cExtendStreams(0, data, size) == wanted);
  }
  for (size_t size = 2000; size < 59'000; size += 1 + random() % 900) {
    const uint32_t wanted = Crc32cExtendPortable(0, bytes.data() + 3, size);
    REQUIRE(Crc32c(bytes.data() + 3, size) == wanted);
    REQUIRE(Crc32cExtendStreams(0, bytes.data() + 3, size) == wanted);
  }
}

TEST_CASE("a checksum may be computed in pieces") {
  std::mt19937 random(8);
  std::vector<uint8_t> bytes(20'000);
  for (auto& byte : bytes) byte = static_cast<uint8_t>(random());
  const uint32_t whole = Crc32c(bytes.data(), bytes.size());
  for (size_t cut = 0; cut <= bytes.size(); cut += 613) {
    const uint32_t first = Crc32c(bytes.data(), cut);
    CHECK(Crc32cExtend(first, bytes.data() + cut, bytes.size() - cut) == whole);
  }
}

TEST_CASE("big-endian loads mirror stores at odd addresses") {
  uint8_t buffer[16] = {};
  StoreBe64(buffer + 1, 0x0102030405060708u);
  CHECK(buffer[1] == 1);
  CHECK(buffer[8] == 8);
  CHECK(LoadBe64(buffer + 1) == 0x0102030405060708u);
  StoreBe32(buffer + 3, 0xFFFFFFFEu);
  CHECK(static_cast<int32_t>(LoadBe32(buffer + 3)) == -2);
  StoreBe16(buffer + 5, 0x8001u);
  CHECK(LoadBe16(buffer + 5) == 0x8001u);
}

TEST_CASE("a Uuid prints as Kafka prints it") {
  Uuid uuid;
  CHECK(uuid.IsZero());
  CHECK(uuid.ToString() == "AAAAAAAAAAAAAAAAAAAAAA");
  uuid.bytes = {0xFB, 0xFF, 0xFE, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  CHECK(uuid.ToString() == "-__-AQIDBAUGBwgJCgsMDQ");
}

}  // namespace
}  // namespace millrace
