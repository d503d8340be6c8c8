// What the tests of net share: a pool on the loopback interface whose handler answers to one-letter
// commands, and a blocking client that speaks in frames.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/descriptor.h"
#include "net/epoll_reactor.h"
#include "net/reactor.h"

namespace millrace::net {

// The size and the bytes of a frame as they go over the wire.
std::vector<uint8_t> EncodeFrame(const std::string& text);
Response TextResponse(const std::string& text);

// What the handlers of all reactors saw; guarded by the mutex.
struct Observed {
  std::mutex mutex;
  std::vector<uint64_t> connected;
  std::vector<std::string> close_reasons;
  std::vector<size_t> frames_per_call;
  std::vector<std::string> log_lines;

  size_t CloseCount();
  std::vector<std::string> CloseReasons();
  std::vector<std::string> LogLines();
  size_t CallCount();
};

// The first byte of a frame is the command: E echoes the frame; N answers nothing; C echoes and
// closes; P parks until R releases all parked frames of the reactor in reverse order, each echoed;
// B answers as many bytes as the number behind it; F answers with the file range "position,size";
// X closes at once; T echoes and mutes the connection for the number of milliseconds behind it.
class CommandHandler final : public FrameHandler {
 public:
  CommandHandler(Observed& observed, int file) : observed_(observed), file_(file) {}
  void OnConnect(Connection& connection) override;
  void OnFrames(Connection& connection, std::span<Frame> frames) override;
  void OnClose(Connection& connection, const char* reason) override;
  void OnTickEnd() override {}
  void ReleaseAll();

 private:
  struct Parked {
    Connection* connection;
    uint64_t place;
    std::string text;
  };

  void Handle(Connection& connection, const std::string& text);

  Observed& observed_;
  const int file_;
  std::vector<Parked> parked_;
};

class LoopbackPool {
 public:
  explicit LoopbackPool(NetOptions options, int file = -1);
  ~LoopbackPool() { pool_->Stop(); }

  ReactorPool& pool() { return *pool_; }
  uint16_t port() const { return port_; }
  Observed& observed() { return observed_; }
  // Bytes of receive buffers that connections of the reactor hold.
  size_t ReceiveBytesHeld(size_t index = 0);
  // Runs what is queued on the reactor and what follows from it, then returns.
  void Settle(size_t index = 0);

 private:
  Observed observed_;
  std::unique_ptr<ReactorPool> pool_;
  uint16_t port_ = 0;
};

// A blocking client socket; receives give up after ten seconds.
class Client {
 public:
  explicit Client(uint16_t port, int receive_buffer_bytes = 0);
  // Connects a socket that was opened before.
  Client(uint16_t port, Descriptor socket);
  void SendRaw(const void* bytes, size_t size);
  void SendFrame(const std::string& text);
  // The next frame; "<closed>" at the end of the stream or on a reset.
  std::string ReceiveFrame();
  // Whether the server closes, whatever it sends before.
  bool SeesClose();
  int socket() const { return socket_.get(); }
  void Close() { socket_.Close(); }

 private:
  bool ReceiveAll(uint8_t* bytes, size_t size);

  Descriptor socket_;
};

// Waits up to ten seconds for something that another thread brings about.
template <class Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 10'000; i++) {
    if (condition()) return true;
    usleep(1000);
  }
  return false;
}

}  // namespace millrace::net
