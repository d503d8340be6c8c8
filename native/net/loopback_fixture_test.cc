// The implementation of loopback_fixture.h; it lies in a _test file so that only test programs
// contain it.
#include "net/loopback_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <doctest/doctest.h>
#include <algorithm>
#include <cstdlib>
#include <latch>

#include "net/framing.h"

namespace millrace::net {

std::vector<uint8_t> EncodeFrame(const std::string& text) {
  std::vector<uint8_t> bytes(4 + text.size());
  for (size_t i = 0; i < 4; i++) {
    bytes[i] = static_cast<uint8_t>(text.size() >> (8 * (3 - i)) & 0xff);
  }
  std::copy(text.begin(), text.end(), bytes.begin() + 4);
  return bytes;
}

Response TextResponse(const std::string& text) {
  Response response;
  response.pieces.push_back(ResponsePiece{EncodeFrame(text), {}});
  return response;
}

size_t Observed::CloseCount() { return CloseReasons().size(); }

std::vector<std::string> Observed::CloseReasons() {
  const std::lock_guard lock(mutex);
  return close_reasons;
}

std::vector<std::string> Observed::LogLines() {
  const std::lock_guard lock(mutex);
  return log_lines;
}

size_t Observed::CallCount() {
  const std::lock_guard lock(mutex);
  return frames_per_call.size();
}

void CommandHandler::OnConnect(Connection& connection) {
  const std::lock_guard lock(observed_.mutex);
  observed_.connected.push_back(connection.id());
}

void CommandHandler::OnFrames(Connection& connection, std::span<Frame> frames) {
  {
    const std::lock_guard lock(observed_.mutex);
    observed_.frames_per_call.push_back(frames.size());
  }
  for (const Frame& frame : frames) Handle(connection, std::string(frame.begin(), frame.end()));
}

void CommandHandler::Handle(Connection& connection, const std::string& text) {
  const uint64_t place = connection.ReserveResponse();
  const std::string rest = text.substr(1);
  Response response;
  switch (text[0]) {
    case 'E':
      return connection.Respond(place, TextResponse(text));
    case 'N':
      return connection.Respond(place, Response{});
    case 'C':
      response = TextResponse(text);
      response.close_after = true;
      return connection.Respond(place, std::move(response));
    case 'T':
      response = TextResponse(text);
      response.throttle_ms = std::stol(rest);
      return connection.Respond(place, std::move(response));
    case 'P':
      parked_.push_back({&connection, place, text});
      return;
    case 'R':
      connection.Respond(place, TextResponse(text));
      return ReleaseAll();
    case 'B':
      return connection.Respond(place, TextResponse(std::string(std::stoul(rest), 'b')));
    case 'X':
      return connection.Close("asked to");
    case 'F': {
      FileRange range;
      range.keep_alive = std::make_shared<int>(1);
      range.descriptor = file_;
      range.position = std::stoul(rest);
      range.size = std::stoul(rest.substr(rest.find(',') + 1));
      std::vector<uint8_t> size = EncodeFrame("");
      for (size_t i = 0; i < 4; i++) size[i] = static_cast<uint8_t>(range.size >> (8 * (3 - i)));
      response.pieces.push_back(ResponsePiece{size, {}});
      response.pieces.push_back(ResponsePiece{{}, range});
      return connection.Respond(place, std::move(response));
    }
    default:
      return;
  }
}

void CommandHandler::ReleaseAll() {
  std::vector<Parked> parked;
  parked.swap(parked_);
  for (auto each = parked.rbegin(); each != parked.rend(); ++each) {
    each->connection->Respond(each->place, TextResponse(each->text));
  }
}

void CommandHandler::OnClose(Connection& connection, const char* reason) {
  std::erase_if(parked_, [&](const Parked& each) { return each.connection == &connection; });
  const std::lock_guard lock(observed_.mutex);
  observed_.close_reasons.push_back(reason);
}

LoopbackPool::LoopbackPool(NetOptions options, int file) {
  // Tests connect faster than the system's default backlog takes.
  options.backlog = 1000;
  auto pool = ReactorPool::Start(
      options, [&](Reactor&) { return std::make_unique<CommandHandler>(observed_, file); },
      [this](int, const std::string& line) {
        const std::lock_guard lock(observed_.mutex);
        observed_.log_lines.push_back(line);
      });
  REQUIRE(pool.ok());
  pool_ = pool.Take();
  auto port = pool_->Listen("127.0.0.1", 0, 7);
  REQUIRE(port.ok());
  port_ = port.value();
}

size_t LoopbackPool::ReceiveBytesHeld(size_t index) {
  return static_cast<EpollReactor&>(pool_->reactor(index)).receive_buffers().bytes_lent();
}

void LoopbackPool::Settle(size_t index) {
  for (int i = 0; i < 3; i++) {
    const auto done = std::make_shared<std::latch>(1);
    pool_->reactor(index).Post([done] { done->count_down(); });
    done->wait();
  }
}

namespace {

Descriptor OpenClientSocket(int receive_buffer_bytes) {
  Descriptor opened(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (receive_buffer_bytes > 0) {
    setsockopt(opened.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(int));
  }
  return opened;
}

}  // namespace

Client::Client(uint16_t port, int receive_buffer_bytes)
    : Client(port, OpenClientSocket(receive_buffer_bytes)) {}

Client::Client(uint16_t port, Descriptor socket) : socket_(std::move(socket)) {
  const int on = 1;
  setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const timeval limit{10, 0};
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
}

void Client::SendRaw(const void* bytes, size_t size) {
  const auto* next = static_cast<const uint8_t*>(bytes);
  while (size > 0) {
    const ssize_t sent = send(socket_.get(), next, size, MSG_NOSIGNAL);
    if (sent <= 0) return;
    next += sent;
    size -= static_cast<size_t>(sent);
  }
}

void Client::SendFrame(const std::string& text) {
  const std::vector<uint8_t> bytes = EncodeFrame(text);
  SendRaw(bytes.data(), bytes.size());
}

bool Client::ReceiveAll(uint8_t* bytes, size_t size) {
  while (size > 0) {
    const ssize_t received = recv(socket_.get(), bytes, size, 0);
    if (received <= 0) return false;
    bytes += received;
    size -= static_cast<size_t>(received);
  }
  return true;
}

std::string Client::ReceiveFrame() {
  uint8_t size[4];
  if (!ReceiveAll(size, 4)) return "<closed>";
  std::vector<uint8_t> bytes(static_cast<size_t>(FrameSizeAt(size)));
  if (!ReceiveAll(bytes.data(), bytes.size())) return "<closed>";
  return std::string(bytes.begin(), bytes.end());
}

bool Client::SeesClose() {
  uint8_t bytes[4096];
  while (true) {
    const ssize_t received = recv(socket_.get(), bytes, sizeof(bytes), 0);
    if (received > 0) continue;
    return received == 0 || errno == ECONNRESET;
  }
}

}  // namespace millrace::net
