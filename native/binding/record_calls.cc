// appendBatch, readBatches: how coordinators write and read their own topics.
#include <limits>
#include <utility>
#include <vector>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"
#include "binding/js_error.h"
#include "binding/promise_work.h"

namespace millrace::binding {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

using Bytes = std::vector<uint8_t>;

Result<Bytes> Read(log::Log& log, int64_t offset, size_t bytes_max) {
  log::ReadRequest request;
  request.offset = offset;
  request.max_bytes = bytes_max;
  request.isolation = log::Isolation::kLogEnd;
  const log::ReadResult result = log.Read(request);
  if (result.error == KafkaError::kOffsetOutOfRange) {
    return Error{ErrorCode::kInvalidArgument, 0, "the offset is outside of the log"};
  }
  if (result.error != KafkaError::kNone) {
    return Error{ErrorCode::kIo, 0, "the log cannot be read; its log directory failed"};
  }
  Bytes bytes(result.slice.size);
  if (bytes.empty()) return bytes;
  if (Status status = log::CopySlice(result.slice, bytes.data()); !status.ok()) {
    return status.error();
  }
  return bytes;
}

}  // namespace

Napi::Value AppendBatch(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const std::string topic = arguments.String(1, "topic");
  const auto partition = static_cast<int32_t>(arguments.Integer(2, "partition", 0, kInt32Max));
  const auto bytes = arguments.Bytes(3, "batch");
  if (arguments.Throw()) return env.Undefined();
  // The log writes offset and epoch into the bytes: into these, as the contract says.
  auto* data = info[3].As<Napi::Buffer<uint8_t>>().Data();
  auto appended = holder->data_plane->Append(topic, partition, {data, bytes.size()});
  if (!appended.ok()) {
    ThrowError(env, appended.error());
    return env.Undefined();
  }
  Napi::Object object = Napi::Object::New(env);
  object.Set("baseOffset", Napi::BigInt::New(env, appended.value().base_offset));
  object.Set("lastOffset", Napi::BigInt::New(env, appended.value().last_offset));
  object.Set("durable", Napi::Boolean::New(env, appended.value().durable));
  return object;
}

Napi::Value ReadBatches(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const std::string topic = arguments.String(1, "topic");
  const auto partition = static_cast<int32_t>(arguments.Integer(2, "partition", 0, kInt32Max));
  const int64_t offset = arguments.BigInt(3, "offset");
  const auto bytes_max = static_cast<size_t>(arguments.Integer(4, "bytesMax", 1, kInt32Max));
  if (arguments.Throw()) return env.Undefined();
  auto log = holder->data_plane->LogOf(topic, partition);
  return PromiseWork<Bytes>::Start(
      env,
      [log = std::move(log), offset, bytes_max]() -> Result<Bytes> {
        if (log == nullptr) return Error{ErrorCode::kNotFound, 0, "no such partition here"};
        return Read(*log, offset, bytes_max);
      },
      [](Napi::Env on, Bytes& bytes) {
        return Napi::Buffer<uint8_t>::Copy(on, bytes.data(), bytes.size());
      });
}

}  // namespace millrace::binding
