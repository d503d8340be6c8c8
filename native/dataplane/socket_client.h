// A blocking Kafka client of few words, for tests over a real socket.
#pragma once

#include <cstdint>
#include <string>

#include "dataplane/wire_messages.h"

namespace millrace::dataplane {

class SocketClient {
 public:
  explicit SocketClient(uint16_t port);
  ~SocketClient();
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  // A frame, without its size.
  void Send(const Bytes& frame);
  // The next frame with its size in front; empty when the broker closed. Gives up after ten
  // seconds.
  Bytes Receive();

 private:
  bool ReceiveAll(uint8_t* to, size_t size);

  int socket_;
};

// A valid batch of one record whose value is `value` bytes.
Bytes RealBatch(size_t value);

// A folder of its own under the temporary one, removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace millrace::dataplane
