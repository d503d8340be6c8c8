#include "binding/event_port.h"

#include <utility>

namespace millrace::binding {

struct EventPort::Event {
  enum class Kind : uint8_t { kRequests, kConnectionClosed, kLogDirFailed, kLogLine, kFlushed };
  Kind kind = Kind::kRequests;
  uint64_t connection = 0;
  int level = 0;
  int32_t partition = 0;
  int64_t offset = 0;
  bool ok = false;
  std::string text;
  std::string detail;
};

EventPort::EventPort(Napi::Env env, const Napi::Object& events)
    : events_(Napi::Reference<Napi::Object>::New(events, 1)),
      // An unbounded queue: requests are bounded by the control queue, log lines by their own rate
      // limits.
      port_(Port::New(env, "millrace events", 0, 1, &events_)) {}

void EventPort::Send(std::unique_ptr<Event> event) {
  if (port_.NonBlockingCall(event.get()) == napi_ok) event.release();
}

void EventPort::OnControlRequests() {
  auto event = std::make_unique<Event>();
  event->kind = Event::Kind::kRequests;
  Send(std::move(event));
}

void EventPort::OnConnectionClosed(uint64_t connection) {
  auto event = std::make_unique<Event>();
  event->kind = Event::Kind::kConnectionClosed;
  event->connection = connection;
  Send(std::move(event));
}

void EventPort::OnLogDirFailed(const std::string& path, const std::string& why) {
  auto event = std::make_unique<Event>();
  event->kind = Event::Kind::kLogDirFailed;
  event->text = path;
  event->detail = why;
  Send(std::move(event));
}

void EventPort::OnLogLine(int level, const std::string& message) {
  auto event = std::make_unique<Event>();
  event->kind = Event::Kind::kLogLine;
  event->level = level;
  event->text = message;
  Send(std::move(event));
}

void EventPort::OnFlushed(const std::string& topic, int32_t partition, int64_t flushed_offset,
                          bool ok) {
  auto event = std::make_unique<Event>();
  event->kind = Event::Kind::kFlushed;
  event->text = topic;
  event->partition = partition;
  event->offset = flushed_offset;
  event->ok = ok;
  Send(std::move(event));
}

void EventPort::Deliver(Napi::Env env, Napi::Function, Napi::Reference<Napi::Object>* events,
                        Event* raw) {
  const std::unique_ptr<Event> event(raw);
  if (env == nullptr || events->IsEmpty()) return;  // The environment is going down.
  const Napi::HandleScope scope(env);
  const Napi::Object target = events->Value();
  const auto call = [&](const char* name, std::initializer_list<napi_value> arguments) {
    target.Get(name).As<Napi::Function>().Call(target, arguments);
  };
  switch (event->kind) {
    case Event::Kind::kRequests:
      call("onRequests", {});
      break;
    case Event::Kind::kConnectionClosed:
      call("onConnectionClosed", {Napi::BigInt::New(env, event->connection)});
      break;
    case Event::Kind::kLogDirFailed:
      call("onLogDirFailed",
           {Napi::String::New(env, event->text), Napi::String::New(env, event->detail)});
      break;
    case Event::Kind::kLogLine:
      call("onLogLine",
           {Napi::Number::New(env, event->level), Napi::String::New(env, event->text)});
      break;
    case Event::Kind::kFlushed:
      call("onFlushed",
           {Napi::String::New(env, event->text), Napi::Number::New(env, event->partition),
            Napi::BigInt::New(env, event->offset), Napi::Boolean::New(env, event->ok)});
      break;
  }
}

void EventPort::Release() {
  if (std::exchange(released_, true)) return;
  port_.Abort();
  events_.Reset();
}

}  // namespace millrace::binding
