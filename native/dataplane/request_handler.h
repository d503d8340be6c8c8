// RequestHandler: the net::FrameHandler of one reactor. Sends each frame its way (DESIGN 3):
// Produce and Fetch are served here, everything else goes to the control plane; and once a tick it
// wakes who waited for what the tick changed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/context.h"
#include "dataplane/fetch_handler.h"
#include "dataplane/parked_request.h"
#include "dataplane/produce_handler.h"
#include "net/connection.h"
#include "net/rare_log.h"

namespace millrace::dataplane {

class RequestHandler final : public net::FrameHandler {
 public:
  // `seed` is for session ids. The mailboxes of all reactors stand in the context already.
  RequestHandler(Context& context, net::Reactor& reactor, uint64_t seed);

  void OnConnect(net::Connection& connection) override;
  void OnFrames(net::Connection& connection, std::span<net::Frame> frames) override;
  void OnClose(net::Connection& connection, const char* reason) override;
  void OnTickEnd() override;

  // What other threads sent (mailbox.h).
  void OnMail(Mail& mail);
  // Reading goes on where it was paused for the control plane's sake.
  void ResumeReading();

  FetchHandler& fetches() { return fetches_; }
  ProduceHandler& produces() { return produces_; }

 private:
  // False: nothing more is taken from this connection.
  bool OnFrame(net::Connection& connection, net::Frame frame);
  bool OnProduce(net::Connection& connection, net::Frame frame, int16_t version);
  bool OnFetch(net::Connection& connection, net::Frame frame, int16_t version);
  void OnControl(net::Connection& connection, net::Frame frame);
  // Closes for a request that cannot be answered, after the answers to those before it.
  bool Refuse(net::Connection& connection, uint64_t place, const char* reason);
  void Deliver(Delivery& delivery);
  // Frees what unanswered control requests held.
  void Release(size_t bytes);

  Context& context_;
  net::Reactor& reactor_;
  const size_t index_;
  FetchHandler fetches_;
  ProduceHandler produces_;
  net::RareLog log_;
  std::vector<std::shared_ptr<Partition>> changed_;  // From other threads, in this tick.
  std::vector<uint64_t> paused_;                     // Connections.
};

}  // namespace millrace::dataplane
