// SocketAddress: an IPv4 or IPv6 address with its port, as the operating system hands it out, and
// finding the addresses of a host name.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace millrace::net {

// The 16 bytes of an IPv6 address, or of an IPv4 address mapped into IPv6.
using IpBytes = std::array<uint8_t, 16>;

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof(sockaddr_storage);

  int family() const { return storage.ss_family; }
  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
  uint16_t port() const;
  IpBytes ip() const;
  // "127.0.0.1" or "::1"; a mapped IPv4 address is written as IPv4.
  std::string IpText() const;
  // "127.0.0.1:9092" or "[::1]:9092".
  std::string Text() const;
};

// The bytes of an address written as text; nothing for host names.
std::optional<IpBytes> ParseIp(const std::string& text);

// The addresses to listen on for a host name, the best first: IPv4 before IPv6, as Java does. An
// empty host means all interfaces, of both families where IPv6 exists. May block on DNS.
Result<std::vector<SocketAddress>> ResolveListenHost(const std::string& host, uint16_t port);

}  // namespace millrace::net
