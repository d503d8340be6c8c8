// Text of addresses and host names; see socket_address.h.
#include "net/socket_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace millrace::net {

namespace {

constexpr std::array<uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

const sockaddr_in& V4(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr_in&>(address.storage);
}

const sockaddr_in6& V6(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr_in6&>(address.storage);
}

bool IsMapped(const IpBytes& ip) {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), ip.begin());
}

}  // namespace

uint16_t SocketAddress::port() const {
  return ntohs(family() == AF_INET6 ? V6(*this).sin6_port : V4(*this).sin_port);
}

IpBytes SocketAddress::ip() const {
  IpBytes ip{};
  if (family() == AF_INET6) {
    std::memcpy(ip.data(), &V6(*this).sin6_addr, ip.size());
  } else {
    std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), ip.begin());
    std::memcpy(ip.data() + kMappedPrefix.size(), &V4(*this).sin_addr, sizeof(in_addr));
  }
  return ip;
}

std::string SocketAddress::IpText() const {
  const IpBytes bytes = ip();
  char text[INET6_ADDRSTRLEN] = "?";
  if (IsMapped(bytes)) {
    inet_ntop(AF_INET, bytes.data() + kMappedPrefix.size(), text, sizeof(text));
  } else {
    inet_ntop(AF_INET6, bytes.data(), text, sizeof(text));
  }
  return text;
}

std::string SocketAddress::Text() const {
  const std::string ip_text = IpText();
  const std::string port_text = ":" + std::to_string(port());
  return IsMapped(ip()) ? ip_text + port_text : "[" + ip_text + "]" + port_text;
}

std::optional<IpBytes> ParseIp(const std::string& text) {
  IpBytes bytes{};
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
  bytes[10] = bytes[11] = 0xff;  // An IPv4 address is mapped into IPv6.
  if (inet_pton(AF_INET, text.c_str(), bytes.data() + 12) == 1) return bytes;
  return std::nullopt;
}

Result<std::vector<SocketAddress>> ResolveListenHost(const std::string& host, uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  const char* node = host.empty() ? nullptr : host.c_str();
  const int failed = getaddrinfo(node, service.c_str(), &hints, &found);
  if (failed != 0) {
    return Error{ErrorCode::kIo, failed == EAI_SYSTEM ? errno : 0,
                 "cannot listen on \"" + host + "\": " + gai_strerror(failed) +
                     ". Use an address of this machine, or a name that resolves to one."};
  }
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    SocketAddress address;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.size = each->ai_addrlen;
    addresses.push_back(address);
  }
  freeaddrinfo(found);
  // An IPv6 wildcard takes IPv4 clients too, so it goes first when all interfaces are meant.
  const int preferred = host.empty() ? AF_INET6 : AF_INET;
  std::stable_partition(addresses.begin(), addresses.end(),
                        [preferred](const SocketAddress& a) { return a.family() == preferred; });
  return addresses;
}

}  // namespace millrace::net
