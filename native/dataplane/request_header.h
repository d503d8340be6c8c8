// The header in front of every request (kafka.md 1.1): v1, and v2 where the request's version is
// flexible. Only as much as Produce and Fetch need is read here; control requests keep their
// header in the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace millrace::dataplane {

inline constexpr int16_t kProduceKey = 0;
inline constexpr int16_t kFetchKey = 1;

struct RequestHeader {
  int16_t api_key = 0;
  int16_t api_version = 0;
  int32_t correlation_id = 0;
  std::string_view client_id;  // Lies in the frame; empty if null.
  bool flexible = false;
  size_t size = 0;  // Where the body starts.
};

// apiKey, apiVersion and correlationId, which all versions of all requests start with; nullopt if
// the frame is shorter.
struct RequestKey {
  int16_t api_key = 0;
  int16_t api_version = 0;
  int32_t correlation_id = 0;
};
std::optional<RequestKey> ReadRequestKey(std::span<const uint8_t> frame);

// The whole header of a Produce or Fetch request; nullopt if it does not parse.
std::optional<RequestHeader> ReadRequestHeader(std::span<const uint8_t> frame, bool flexible);

}  // namespace millrace::dataplane
