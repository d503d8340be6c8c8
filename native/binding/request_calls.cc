// takeRequests, respond, closeConnection.
#include <memory>
#include <utility>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"

namespace millrace::binding {
namespace {

// Bounds how long one drain keeps the event loop.
constexpr size_t kRequestsMax = 256;
constexpr int64_t kThrottleMsMax = 2'147'483'647;

// Hands the bytes over without a copy; they are freed when JavaScript lets go of the Buffer.
Napi::Value FrameToJs(Napi::Env env, std::vector<uint8_t> frame) {
  auto owned = std::make_unique<std::vector<uint8_t>>(std::move(frame));
  uint8_t* data = owned->data();
  const size_t size = owned->size();
  return Napi::Buffer<uint8_t>::New(
      env, data, size, [](Napi::Env, uint8_t*, std::vector<uint8_t>* bytes) { delete bytes; },
      owned.release());
}

Napi::Object RequestToJs(Napi::Env env, dataplane::ControlRequest& request) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("connection", Napi::BigInt::New(env, request.connection));
  object.Set("place", Napi::BigInt::New(env, request.place));
  object.Set("listener", Napi::Number::New(env, request.listener));
  object.Set("peer", request.peer);
  object.Set("frame", FrameToJs(env, std::move(request.frame)));
  return object;
}

}  // namespace

Napi::Value TakeRequests(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  auto requests = holder->data_plane->TakeControlRequests(kRequestsMax);
  Napi::Array array = Napi::Array::New(env, requests.size());
  for (uint32_t i = 0; i < requests.size(); ++i) array.Set(i, RequestToJs(env, requests[i]));
  return array;
}

Napi::Value Respond(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const auto connection = static_cast<uint64_t>(arguments.BigInt(1, "connection"));
  const auto place = static_cast<uint64_t>(arguments.BigInt(2, "place"));
  std::span<const uint8_t> frame;
  if (!info[3].IsNull()) frame = arguments.Bytes(3, "frame");
  const Napi::Object after = arguments.Object(4, "after");
  if (arguments.Throw()) return env.Undefined();
  const bool close_after = arguments.BooleanField(after, "closeAfter");
  const int64_t throttle_ms = arguments.IntegerField(after, "throttleMs", 0, kThrottleMsMax);
  if (arguments.Throw()) return env.Undefined();
  holder->data_plane->Respond(connection, place, {frame.begin(), frame.end()}, close_after,
                              throttle_ms);
  return env.Undefined();
}

Napi::Value CloseConnection(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const auto connection = static_cast<uint64_t>(arguments.BigInt(1, "connection"));
  const std::string reason = arguments.String(2, "reason");
  if (arguments.Throw()) return env.Undefined();
  holder->data_plane->CloseConnection(connection, reason.c_str());
  return env.Undefined();
}

}  // namespace millrace::binding
