#include "load/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "wire/fail.h"

namespace millrace::bench {

namespace {
constexpr int32_t kLargestResponse = 64 << 20;
}

Connection::Connection(const Address& address) : fd_(Dial(address)) {
  if (fd_ < 0) {
    Fail("Could not connect to %s:%d: %s.", address.host.c_str(), address.port,
         std::strerror(errno));
  }
}

Connection::~Connection() { close(fd_); }

int Connection::Dial(const Address& address) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in peer{};
  peer.sin_family = AF_INET;
  peer.sin_port = htons(address.port);
  if (inet_pton(AF_INET, address.host.c_str(), &peer.sin_addr) != 1) {
    Fail("%s is no IPv4 address.", address.host.c_str());
  }
  if (connect(fd, reinterpret_cast<sockaddr*>(&peer), sizeof peer) != 0) {
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

void Connection::SetNonBlocking() { fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK); }

bool Connection::SendAll(const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t sent = send(fd_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    done += static_cast<size_t>(sent);
  }
  return true;
}

bool Connection::ReceiveAll(char* at, size_t size) {
  return size == 0 || recv(fd_, at, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

bool Connection::TryCall(Encoder& request, std::string& response) {
  request.EndFrame();
  return SendAll(request.Take()) && TryReceive(response);
}

bool Connection::TryReceive(std::string& response) {
  char header[8];
  if (!ReceiveAll(header, sizeof header)) {
    return false;
  }
  const int32_t size = LoadInt32(header);
  if (size < 4 || size > kLargestResponse) {
    Fail("The broker announced a response of %d bytes.", size);
  }
  response.resize(static_cast<size_t>(size) - 4);
  return ReceiveAll(response.data(), response.size());
}

std::string Connection::Call(Encoder& request) {
  Send(request);
  return Receive();
}

void Connection::Send(Encoder& request) {
  request.EndFrame();
  if (!SendAll(request.Take())) {
    Fail("Sending to the broker failed: %s.", std::strerror(errno));
  }
}

std::string Connection::Receive() {
  std::string response;
  if (!TryReceive(response)) {
    Fail("The broker closed the connection instead of answering a request; its log says why.");
  }
  return response;
}

}  // namespace millrace::bench
