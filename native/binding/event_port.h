// EventPort: carries the data plane's events to the JavaScript thread. The data plane's threads
// call the DataPlaneEvents methods; each is queued on a thread-safe function and handed to the
// `events` object given to createDataPlane. Lifetime: made on the JavaScript thread; Release() on
// it after the data plane's threads have ended.
#pragma once

#include <memory>
#include <string>

#include "binding/napi_config.h"
#include "dataplane/data_plane.h"

namespace millrace::binding {

class EventPort final : public dataplane::DataPlaneEvents {
 public:
  // `events` has onRequests, onConnectionClosed, onLogDirFailed, onLogLine and onFlushed, checked
  // by the caller.
  EventPort(Napi::Env env, const Napi::Object& events);

  void OnControlRequests() override;
  void OnConnectionClosed(uint64_t connection) override;
  void OnLogDirFailed(const std::string& path, const std::string& why) override;
  void OnLogLine(int level, const std::string& message) override;
  void OnFlushed(const std::string& topic, int32_t partition, int64_t flushed_offset,
                 bool ok) override;

  // JavaScript thread. Nothing is delivered afterwards.
  void Release();

 private:
  struct Event;
  static void Deliver(Napi::Env env, Napi::Function unused, Napi::Reference<Napi::Object>* events,
                      Event* event);
  void Send(std::unique_ptr<Event> event);

  using Port = Napi::TypedThreadSafeFunction<Napi::Reference<Napi::Object>, Event, &Deliver>;
  Napi::Reference<Napi::Object> events_;
  Port port_;
  bool released_ = false;
};

}  // namespace millrace::binding
