#include "dataplane/socket_client.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/endian.h"
#include "record/test_batch.h"

namespace millrace::dataplane {
Bytes RealBatch(size_t value) {
  record::TestBatch batch;
  batch.value_size = value;
  return batch.Build();
}

SocketClient::SocketClient(uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval patience{10, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

SocketClient::~SocketClient() { close(socket_); }

void SocketClient::Send(const Bytes& frame) {
  Bytes bytes(4);
  StoreBe32(bytes.data(), static_cast<uint32_t>(frame.size()));
  bytes.insert(bytes.end(), frame.begin(), frame.end());
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    REQUIRE(count > 0);
    sent += static_cast<size_t>(count);
  }
}

bool SocketClient::ReceiveAll(uint8_t* to, size_t size) {
  while (size > 0) {
    const ssize_t count = recv(socket_, to, size, 0);
    if (count <= 0) return false;
    to += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

Bytes SocketClient::Receive() {
  Bytes frame(4);
  if (!ReceiveAll(frame.data(), 4)) return {};
  frame.resize(4 + LoadBe32(frame.data()));
  if (!ReceiveAll(frame.data() + 4, frame.size() - 4)) return {};
  return frame;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "millrace-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace millrace::dataplane
