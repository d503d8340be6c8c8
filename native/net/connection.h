// Connection: one client socket, owned by one reactor and touched only on its thread. Reads whole
// frames, gives them to the FrameHandler of its reactor, and writes responses in request order
// (DESIGN 4.6).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "net/response.h"

namespace millrace::net {

class Reactor;

// A frame without its 4-byte size: header and body. Lies in the receive buffer: valid, and free to
// be changed in place, until OnFrames returns.
using Frame = std::span<uint8_t>;

class Connection {
 public:
  virtual ~Connection() = default;

  // Unique in the process's life; also names the reactor, so that other threads can find the way
  // back (DataPlane).
  virtual uint64_t id() const = 0;
  virtual Reactor& reactor() = 0;
  virtual uint32_t listener() const = 0;
  virtual const std::string& peer() const = 0;  // "127.0.0.1:40312"

  // Takes the next place in the order of responses. Every request takes exactly one, in the order
  // it came.
  virtual uint64_t ReserveResponse() = 0;
  // Fills a reserved place. Responses leave as soon as all before them are filled; they are sent at
  // the end of the reactor's tick, as few syscalls as possible. Unknown or filled places are
  // ignored.
  virtual void Respond(uint64_t place, Response response) = 0;
  // Closes at once, dropping what is unsent. `reason` is logged once and counted; it is a constant
  // string.
  virtual void Close(const char* reason) = 0;
  // Stops reading for a while (quotas, later) or goes on.
  virtual void SetReading(bool reading) = 0;

  // State of the layer above (fetch session caches, parked requests); owned, destroyed after
  // OnClose.
  struct Attachment {
    virtual ~Attachment() = default;
  };
  std::unique_ptr<Attachment> attachment;
};

// The layer above, one object a reactor; every call comes on that reactor's thread.
class FrameHandler {
 public:
  virtual ~FrameHandler() = default;
  virtual void OnConnect(Connection& connection) = 0;
  // All whole frames of one receive, in order (so that produce requests can be appended together).
  virtual void OnFrames(Connection& connection, std::span<Frame> frames) = 0;
  // The connection is gone; no call for it follows. Ids of parked requests must not be used after
  // this.
  virtual void OnClose(Connection& connection, const char* reason) = 0;
  // Once after all events of a tick, before responses are written: wake-ups gathered in the tick go
  // here.
  virtual void OnTickEnd() = 0;
};

}  // namespace millrace::net
