// bind, listen and socket options; see listen_socket.h.
#include "net/listen_socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>

#include "net/socket_address.h"

namespace millrace::net {

namespace {

void SetOption(int socket, int level, int name, int value) {
  // None of these can fail on a TCP socket but for want of kernel memory; the connection then works
  // with the default.
  setsockopt(socket, level, name, &value, sizeof(value));
}

Error ListenError(const SocketAddress& address, int os_error) {
  std::string message = "cannot listen on " + address.Text() + ": ";
  if (os_error == EADDRINUSE) {
    message +=
        "address in use. Stop the process that holds the port (perhaps another broker), or "
        "choose another port in \"listeners\".";
  } else if (os_error == EADDRNOTAVAIL) {
    message +=
        "this machine does not have the address. Correct the host in \"listeners\", or "
        "leave it empty for all interfaces.";
  } else if (os_error == EACCES) {
    message +=
        "permission denied. Ports below 1024 need CAP_NET_BIND_SERVICE; choose a higher "
        "port in \"listeners\".";
  } else {
    message += std::string(std::strerror(os_error)) + ".";
  }
  return Error{ErrorCode::kIo, os_error, std::move(message)};
}

// The errno of what failed, or 0.
int BindAndListen(int socket, const SocketAddress& address, const NetOptions& options) {
  SetOption(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.family() == AF_INET6) SetOption(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (options.receive_buffer_bytes > 0) {
    SetOption(socket, SOL_SOCKET, SO_RCVBUF, options.receive_buffer_bytes);
  }
  if (options.send_buffer_bytes > 0) {
    SetOption(socket, SOL_SOCKET, SO_SNDBUF, options.send_buffer_bytes);
  }
  if (bind(socket, address.raw(), address.size) != 0) return errno;
  if (listen(socket, options.backlog) != 0) return errno;
  return 0;
}

}  // namespace

Result<ListenSocket> OpenListenSocket(const std::string& host, uint16_t port,
                                      const NetOptions& options) {
  Result<std::vector<SocketAddress>> addresses = ResolveListenHost(host, port);
  if (!addresses.ok()) return addresses.error();
  Error first_error{ErrorCode::kIo, 0, "cannot listen on \"" + host + "\": it has no address."};
  for (const SocketAddress& address : addresses.value()) {
    ListenSocket opened;
    opened.descriptor =
        Descriptor(socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int os_error = opened.descriptor.valid()
                             ? BindAndListen(opened.descriptor.get(), address, options)
                             : errno;
    if (os_error == 0) {
      SocketAddress bound;
      getsockname(opened.descriptor.get(), bound.raw(), &bound.size);
      opened.port = bound.port();
      return opened;
    }
    // The first address is the preferred one: its failure is the one to tell.
    if (first_error.os_error == 0) first_error = ListenError(address, os_error);
    // Another process on the port must be seen, not evaded through another address of the host.
    if (os_error == EADDRINUSE || os_error == EACCES) break;
  }
  return first_error;
}

void ConfigureAccepted(int socket) {
  SetOption(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  SetOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
}

}  // namespace millrace::net
