// Splitting received bytes into frames; see framing.h.
#include "net/framing.h"

#include <array>
#include <string_view>

namespace millrace::net {

int32_t FrameSizeAt(const uint8_t* bytes) {
  const uint32_t size = (uint32_t{bytes[0]} << 24) | (uint32_t{bytes[1]} << 16) |
                        (uint32_t{bytes[2]} << 8) | uint32_t{bytes[3]};
  return static_cast<int32_t>(size);
}

SplitResult SplitFrames(std::span<uint8_t> bytes, int32_t frame_bytes_max,
                        std::vector<Frame>& frames) {
  SplitResult result;
  while (bytes.size() - result.consumed >= kFrameSizeBytes) {
    const int32_t size = FrameSizeAt(bytes.data() + result.consumed);
    if (size <= 0 || size > frame_bytes_max) {
      result.bad_size = true;
      break;
    }
    const size_t total = kFrameSizeBytes + static_cast<size_t>(size);
    if (bytes.size() - result.consumed < total) break;
    frames.push_back(bytes.subspan(result.consumed + kFrameSizeBytes, static_cast<size_t>(size)));
    result.consumed += total;
  }
  return result;
}

std::string DescribeBadFrame(std::span<const uint8_t> bytes, int32_t frame_bytes_max) {
  constexpr std::array<std::string_view, 8> kMethods = {"GET ", "POST", "PUT ", "HEAD",
                                                        "DELE", "OPTI", "CONN", "PRI "};
  const std::string plain = ": this listener speaks Kafka's protocol in plain text. ";
  if (bytes[0] == 0x16 && bytes[1] == 0x03) {
    return "looks like a TLS handshake" + plain +
           "Set the client's security.protocol to PLAINTEXT, or use the port of a TLS listener.";
  }
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()), kFrameSizeBytes);
  for (const std::string_view method : kMethods) {
    if (start != method) continue;
    return "looks like an HTTP request" + plain +
           "Point browsers, health checks and metrics scrapers at the gateway's port.";
  }
  const int32_t size = FrameSizeAt(bytes.data());
  return "sent the frame size " + std::to_string(size) + ", which is not between 1 and " +
         std::to_string(frame_bytes_max) +
         ". Is it a Kafka client? If its requests are that large, raise socket.request.max.bytes.";
}

}  // namespace millrace::net
