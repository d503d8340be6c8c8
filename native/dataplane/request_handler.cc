#include "dataplane/request_handler.h"

#include <algorithm>
#include <utility>

#include "dataplane/generated_fetch_request.h"
#include "dataplane/generated_produce_request.h"
#include "dataplane/request_header.h"

namespace millrace::dataplane {

RequestHandler::RequestHandler(Context& context, net::Reactor& reactor, uint64_t seed)
    : context_(context),
      reactor_(reactor),
      index_(static_cast<size_t>(reactor.index())),
      fetches_(context, reactor, seed),
      produces_(context, reactor),
      log_([&sink = context.events](int level, std::string message) {
        sink.OnLogLine(level, message);
      }) {}

void RequestHandler::OnConnect(net::Connection& connection) {
  connection.attachment = std::make_unique<ConnectionState>();
}

void RequestHandler::OnFrames(net::Connection& connection, std::span<net::Frame> frames) {
  for (const net::Frame frame : frames) {
    if (!OnFrame(connection, frame)) break;
  }
  produces_.Append();
}

bool RequestHandler::OnFrame(net::Connection& connection, net::Frame frame) {
  const auto key = ReadRequestKey(frame);
  if (key.has_value() && key->api_key == kProduceKey) {
    return OnProduce(connection, frame, key->api_version);
  }
  // Whatever it is, it may depend on what was produced before it.
  produces_.Append();
  if (!key.has_value())
    return Refuse(connection, connection.ReserveResponse(), "a request header does not parse");
  if (key->api_key == kFetchKey) return OnFetch(connection, frame, key->api_version);
  OnControl(connection, frame);
  return true;
}

bool RequestHandler::OnProduce(net::Connection& connection, net::Frame frame, int16_t version) {
  // ApiVersions lists Produce 0 to 2 for the sake of old librdkafka, yet they are not served
  // (kafka.md 1.3, 1.5).
  if (version < wire::kProduceRequestVersionMin || version > wire::kProduceRequestVersionMax) {
    produces_.Append();
    return Refuse(connection, connection.ReserveResponse(),
                  "a Produce request has a version that is not served");
  }
  const auto header = ReadRequestHeader(frame, version >= wire::kProduceRequestFlexibleSince);
  const ReplyTo reply_to{&connection, connection.id(), connection.ReserveResponse()};
  if (!header.has_value() || !produces_.Gather(*header, frame, reply_to)) {
    produces_.Append();
    return Refuse(connection, reply_to.place, "a Produce request does not parse");
  }
  return true;
}

bool RequestHandler::OnFetch(net::Connection& connection, net::Frame frame, int16_t version) {
  if (version < wire::kFetchRequestVersionMin || version > wire::kFetchRequestVersionMax) {
    return Refuse(connection, connection.ReserveResponse(),
                  "a Fetch request has a version that is not served");
  }
  const auto header = ReadRequestHeader(frame, version >= wire::kFetchRequestFlexibleSince);
  const ReplyTo reply_to{&connection, connection.id(), connection.ReserveResponse()};
  if (!header.has_value() || !fetches_.Handle(*header, frame, reply_to)) {
    return Refuse(connection, reply_to.place, "a Fetch request does not parse");
  }
  return true;
}

void RequestHandler::OnControl(net::Connection& connection, net::Frame frame) {
  ConnectionState& state = StateOf(connection);
  ControlRequest request;
  request.connection = connection.id();
  request.place = connection.ReserveResponse();
  request.listener = connection.listener();
  request.peer = connection.peer();
  request.frame.assign(frame.begin(), frame.end());
  state.sent_control_request = true;
  state.unanswered.push_back({request.place, frame.size()});
  context_.control.Charge(frame.size());
  if (context_.control.Push(std::move(request))) context_.events.OnControlRequests();
  if (context_.control.full() && !std::exchange(state.paused, true)) {
    paused_.push_back(connection.id());
    connection.SetReading(false);
  }
}

bool RequestHandler::Refuse(net::Connection& connection, uint64_t place, const char* reason) {
  ConnectionState& state = StateOf(connection);
  const std::string& peer = connection.peer();
  log_.Warn(reason + peer.substr(0, peer.rfind(':')), reactor_.monotonic_ms(),
            "closing the connection from " + peer + ": " + reason + ".");
  state.refused = true;
  net::Response nothing;
  nothing.close_after = true;
  connection.SetReading(false);
  connection.Respond(place, std::move(nothing));
  return false;
}

void RequestHandler::OnClose(net::Connection& connection, const char*) {
  ConnectionState& state = StateOf(connection);
  while (ParkedRequest* parked = state.parked.front()) parked->Cancel();
  for (const size_t home : state.forwarded_to) {
    context_.mailboxes[home]->PostTask([&context = context_, home, id = connection.id()] {
      context.fetch_handlers[home]->CancelForwarded(id);
    });
  }
  size_t bytes = 0;
  for (const ConnectionState::Unanswered& request : state.unanswered) bytes += request.bytes;
  if (bytes > 0) Release(bytes);
  if (state.paused) std::erase(paused_, connection.id());
  if (state.sent_control_request) context_.events.OnConnectionClosed(connection.id());
}

void RequestHandler::OnTickEnd() {
  auto& appended = produces_.appended();
  for (const auto& partition : appended) {
    partition->slot(index_).appended_this_tick = false;
    context_.NotifyChanged(*partition, kAppended, index_);
    fetches_.OnChanged(*partition);
  }
  appended.clear();
  for (const auto& partition : changed_) {
    const uint32_t changes = partition->slot(index_).Take();
    if ((changes & kAppended) != 0) fetches_.OnChanged(*partition);
    if ((changes & kFlushed) != 0) produces_.purgatory().OnChanged(*partition);
  }
  changed_.clear();
  fetches_.AnswerWoken();
}

void RequestHandler::OnMail(Mail& mail) {
  // Woken at the end of the tick, together with what the tick itself changes.
  for (auto& partition : mail.changed) changed_.push_back(std::move(partition));
  for (Delivery& delivery : mail.deliveries) Deliver(delivery);
  for (const auto& task : mail.tasks) task();
}

void RequestHandler::Deliver(Delivery& delivery) {
  net::Connection* connection = reactor_.FindConnection(delivery.connection);
  if (connection == nullptr) return;
  auto& unanswered = StateOf(*connection).unanswered;
  const auto found =
      std::ranges::find(unanswered, delivery.place, &ConnectionState::Unanswered::place);
  if (found != unanswered.end()) {
    const size_t bytes = found->bytes;
    unanswered.erase(found);
    Release(bytes);
  }
  connection->Respond(delivery.place, std::move(delivery.response));
}

void RequestHandler::Release(size_t bytes) {
  if (!context_.control.Release(bytes)) return;
  // Crossing the limit downwards is rare, so all reactors may be asked.
  for (size_t i = 0; i < context_.mailboxes.size(); ++i) {
    context_.mailboxes[i]->PostTask(
        [&context = context_, i] { context.request_handlers[i]->ResumeReading(); });
  }
}

void RequestHandler::ResumeReading() {
  for (const uint64_t id : std::exchange(paused_, {})) {
    net::Connection* connection = reactor_.FindConnection(id);
    if (connection == nullptr) continue;
    ConnectionState& state = StateOf(*connection);
    state.paused = false;
    if (!state.refused) connection->SetReading(true);
  }
}

}  // namespace millrace::dataplane
