// One blocking TCP connection to a broker, for the requests around a measurement; the engines take
// its socket over for the measurement itself.
#pragma once

#include <cstdint>
#include <string>

#include "wire/encoder.h"

namespace millrace::bench {

struct Address {
  std::string host;
  uint16_t port;
};

class Connection {
 public:
  // Connects, or ends the process with the reason.
  explicit Connection(const Address& address);
  // Takes over a socket of Dial.
  explicit Connection(int fd) : fd_(fd) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends a request begun with BeginRequest; returns the response after its header.
  std::string Call(Encoder& request);

  // The same, false instead of the end of the process when the connection breaks.
  bool TryCall(Encoder& request, std::string& response);

  // The two halves of Call, for requests that wait in the broker while others are sent.
  void Send(Encoder& request);
  std::string Receive();

  void SetNonBlocking();
  int fd() const { return fd_; }

  // A connected socket with TCP_NODELAY, or -1 with errno set.
  static int Dial(const Address& address);

 private:
  bool TryReceive(std::string& response);
  bool SendAll(const std::string& bytes);
  bool ReceiveAll(char* at, size_t size);

  int fd_;
};

}  // namespace millrace::bench
