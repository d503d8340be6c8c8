// ParkedRequest: a request that waits for its answer: a fetch for records, a produce for the disk.
// Also what a connection keeps of this layer. Everything here lives on one reactor's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dataplane/intrusive_list.h"
#include "net/connection.h"
#include "net/reactor.h"

namespace millrace::dataplane {

struct ConnectionTag;

// Where an answer goes. `connection` is null if the connection lives on another reactor (a fetch
// session used from there, see fetch_handler.h).
struct ReplyTo {
  net::Connection* connection = nullptr;
  uint64_t connection_id = 0;
  uint64_t place = 0;
};

// Its timer ends the wait. Stands in its connection's list while it waits, so that it goes when
// the connection does.
class ParkedRequest : public ListNode<ConnectionTag>, public net::Timer {
 public:
  // The connection is gone: stop waiting, answer nothing. Destroys this.
  virtual void Cancel() = 0;

  ReplyTo reply_to;
};

struct ConnectionState final : net::Connection::Attachment {
  IntrusiveList<ParkedRequest, ConnectionTag> parked;

  // Control requests that are not answered yet, in order of their places.
  struct Unanswered {
    uint64_t place;
    size_t bytes;
  };
  std::deque<Unanswered> unanswered;
  bool sent_control_request = false;
  bool paused = false;   // Reading stopped because the control plane has too much to do.
  bool refused = false;  // Closes once its answers are sent; takes no further request.
  // Reactors to which fetches of this connection were forwarded.
  std::vector<size_t> forwarded_to;
};

inline ConnectionState& StateOf(net::Connection& connection) {
  return static_cast<ConnectionState&>(*connection.attachment);
}

}  // namespace millrace::dataplane
