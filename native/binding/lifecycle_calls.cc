// createDataPlane, listen, drain, closeLogs, close, counters.
#include <limits>
#include <utility>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"
#include "binding/promise_work.h"
#include "io/posix_file_system.h"

namespace millrace::binding {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

net::ConnectionMaxima ReadLimits(Arguments& arguments, const Napi::Object& object) {
  const auto count = [&](const Napi::Object& from, const char* name) {
    return static_cast<int32_t>(arguments.IntegerField(from, name, 0, kInt32Max));
  };
  net::ConnectionMaxima maxima;
  maxima.connections = count(object, "connectionsMax");
  maxima.connections_per_ip = count(object, "connectionsPerIpMax");
  const Napi::Object overrides = arguments.ObjectField(object, "connectionsPerIpOverrides");
  if (!arguments.ok()) return maxima;
  const Napi::Array addresses = overrides.GetPropertyNames();
  for (uint32_t i = 0; i < addresses.Length(); i++) {
    const std::string address = addresses.Get(i).ToString().Utf8Value();
    maxima.of_address[address] = count(overrides, address.c_str());
  }
  return maxima;
}

dataplane::DataPlaneOptions ReadOptions(Arguments& arguments, const Napi::Object& object) {
  const auto integer = [&](const char* name, int64_t min, int64_t max) {
    return arguments.IntegerField(object, name, min, max);
  };
  dataplane::DataPlaneOptions options;
  options.node_id = static_cast<int32_t>(integer("nodeId", 0, kInt32Max));
  options.net.reactors = static_cast<int>(integer("reactors", 1, 64));
  options.net.request_bytes_max = static_cast<int32_t>(integer("requestBytesMax", 1, kInt32Max));
  options.net.connections_max_idle_ms = integer("connectionsMaxIdleMs", -1, kInt64Max);
  options.net.connection_maxima = ReadLimits(arguments, object);
  options.net.quota_windows.num = static_cast<int32_t>(integer("quotaWindowNum", 1, kInt32Max));
  options.net.quota_windows.size_ms = integer("quotaWindowMs", 1, kInt64Max);
  options.net.send_buffer_bytes = static_cast<int32_t>(integer("sendBufferBytes", -1, kInt32Max));
  options.net.receive_buffer_bytes =
      static_cast<int32_t>(integer("receiveBufferBytes", -1, kInt32Max));
  options.net.backlog = static_cast<int32_t>(integer("backlog", 1, kInt32Max));
  options.fetch_bytes_max = integer("fetchBytesMax", 1024, kInt64Max);
  options.fetch_session_slots_max =
      static_cast<int32_t>(integer("fetchSessionSlotsMax", 0, kInt32Max));
  return options;
}

}  // namespace

Napi::Value CreateDataPlane(const Info& info) {
  const Napi::Env env = info.Env();
  Arguments arguments(info);
  const auto options = ReadOptions(arguments, arguments.Object(0, "options"));
  const Napi::Object events = arguments.Object(1, "events");
  for (const char* name :
       {"onRequests", "onConnectionClosed", "onLogDirFailed", "onLogLine", "onFlushed"}) {
    arguments.FunctionField(events, name);
  }
  if (arguments.Throw()) return env.Undefined();

  auto holder = std::make_shared<DataPlaneHolder>();
  holder->file_system = std::make_unique<io::PosixFileSystem>();
  holder->events = std::make_unique<EventPort>(env, events);
  auto started = dataplane::DataPlane::Start(options, *holder->file_system, *holder->events);
  if (!started.ok()) {
    holder->ReleaseEvents();
    ThrowError(env, started.error());
    return env.Undefined();
  }
  holder->data_plane = started.Take();
  Instance::Of(env).Add(holder);
  return WrapDataPlane(env, std::move(holder));
}

Napi::Value SetConnectionLimits(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  const net::ConnectionMaxima maxima = ReadLimits(arguments, arguments.Object(1, "limits"));
  if (!arguments.Throw()) holder->data_plane->ChangeLimits(maxima);
  return info.Env().Undefined();
}

Napi::Value Listen(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const std::string host = arguments.String(1, "host");
  const auto port = static_cast<uint16_t>(arguments.Integer(2, "port", 0, 65535));
  const auto listener = static_cast<uint32_t>(arguments.Integer(3, "listener", 0, kInt32Max));
  if (arguments.Throw()) return env.Undefined();
  const auto bound = holder->data_plane->Listen(host, port, listener);
  if (!bound.ok()) {
    ThrowError(env, bound.error());
    return env.Undefined();
  }
  return Napi::Number::New(env, bound.value());
}

Napi::Value Drain(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const int64_t timeout_ms = arguments.Integer(1, "timeoutMs", 0, kInt32Max);
  if (arguments.Throw()) return env.Undefined();
  return PromiseWork<bool>::Start(
      env, [holder, timeout_ms] { return Result<bool>(holder->data_plane->Drain(timeout_ms)); },
      [](Napi::Env e, bool& drained) { return Napi::Boolean::New(e, drained); });
}

Napi::Value CloseLogs(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  return PromiseWork<bool>::Start(
      info.Env(),
      [holder]() -> Result<bool> {
        const Status closed = holder->data_plane->CloseLogs();
        if (!closed.ok()) return closed.error();
        return true;
      },
      [](Napi::Env e, bool&) { return e.Undefined(); });
}

Napi::Value Close(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  holder->closing = true;
  return PromiseWork<bool>::Start(
      info.Env(),
      [holder] {
        holder->StopThreads();
        return Result<bool>(true);
      },
      [holder](Napi::Env e, bool&) {
        holder->ReleaseEvents();
        return e.Undefined();
      });
}

Napi::Value GetCounters(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  const net::NetCounters counters = holder->data_plane->counters();
  Napi::Object object = Napi::Object::New(env);
  const auto set = [&](const char* name, uint64_t value) {
    object.Set(name, Napi::Number::New(env, static_cast<double>(value)));
  };
  set("connectionsOpen", counters.connections_open);
  set("connectionsAccepted", counters.connections_accepted);
  set("connectionsRefused", counters.connections_refused);
  set("badFrames", counters.bad_frames);
  set("bytesReceived", counters.bytes_received);
  set("bytesSent", counters.bytes_sent);
  return object;
}

}  // namespace millrace::binding
