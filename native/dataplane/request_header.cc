#include "dataplane/request_header.h"

#include "base/byte_reader.h"

namespace millrace::dataplane {

std::optional<RequestKey> ReadRequestKey(std::span<const uint8_t> frame) {
  ByteReader reader(frame.data(), frame.size());
  RequestKey key;
  key.api_key = reader.ReadI16();
  key.api_version = reader.ReadI16();
  key.correlation_id = reader.ReadI32();
  if (!reader.ok()) return std::nullopt;
  return key;
}

std::optional<RequestHeader> ReadRequestHeader(std::span<const uint8_t> frame, bool flexible) {
  ByteReader reader(frame.data(), frame.size());
  RequestHeader header;
  header.api_key = reader.ReadI16();
  header.api_version = reader.ReadI16();
  header.correlation_id = reader.ReadI32();
  // The client id stays a plain nullable string even in flexible headers (KIP-482).
  header.client_id = reader.ReadNullableString(false);
  header.flexible = flexible;
  if (flexible) reader.SkipTaggedFields();
  if (!reader.ok()) return std::nullopt;
  header.size = reader.position();
  return header;
}

}  // namespace millrace::dataplane
