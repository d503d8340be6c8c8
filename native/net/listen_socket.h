// Opening sockets: one that listens, and the settings of those it accepts.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "net/descriptor.h"
#include "net/reactor.h"

namespace millrace::net {

struct ListenSocket {
  Descriptor descriptor;
  uint16_t port = 0;
};

// Binds and listens, non-blocking. Port 0 lets the system choose. Errors are kIo and name the
// address, the reason and the remedy. May block on DNS.
Result<ListenSocket> OpenListenSocket(const std::string& host, uint16_t port,
                                      const NetOptions& options);

// TCP_NODELAY and keep-alive. The buffer sizes come from the listening socket: only there do they
// still decide the window that is announced to the peer.
void ConfigureAccepted(int socket);

}  // namespace millrace::net
