// segments, deleteRecords, deleteSegments.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"
#include "binding/promise_work.h"

namespace millrace::binding {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

struct Named {
  std::string topic;
  int32_t partition = 0;
};

Named ReadName(Arguments& arguments) {
  return {arguments.String(1, "topic"),
          static_cast<int32_t>(arguments.Integer(2, "partition", 0, kInt32Max))};
}

Error NotHere() { return Error{ErrorCode::kNotFound, 0, "no such partition here"}; }

// Runs `change` on the log off the JavaScript thread, wakes who waits on the partition, and
// resolves with the log start.
Napi::Value Change(Napi::Env env, const std::shared_ptr<DataPlaneHolder>& holder, Named name,
                   std::function<Status(log::Log&)> change) {
  return PromiseWork<int64_t>::Start(
      env,
      [holder, name = std::move(name), change = std::move(change)]() -> Result<int64_t> {
        const auto log = holder->data_plane->LogOf(name.topic, name.partition);
        if (log == nullptr) return NotHere();
        const Status changed = change(*log);
        if (!changed.ok()) return changed.error();
        holder->data_plane->NotifyChanged(name.topic, name.partition);
        return log->offsets().log_start_offset;
      },
      [](Napi::Env e, int64_t& start) { return Napi::BigInt::New(e, start); });
}

Napi::Value SegmentsToJs(Napi::Env env, std::vector<log::SegmentInfo>& segments) {
  Napi::Array array = Napi::Array::New(env, segments.size());
  for (uint32_t i = 0; i < segments.size(); i++) {
    Napi::Object object = Napi::Object::New(env);
    object.Set("baseOffset", Napi::BigInt::New(env, segments[i].base_offset));
    object.Set("sizeBytes", Napi::Number::New(env, static_cast<double>(segments[i].size)));
    object.Set("largestTimestampMs",
               Napi::Number::New(env, static_cast<double>(segments[i].largest_timestamp_ms)));
    array.Set(i, object);
  }
  return array;
}

}  // namespace

Napi::Value GetSegments(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  Named name = ReadName(arguments);
  if (arguments.Throw()) return info.Env().Undefined();
  return PromiseWork<std::vector<log::SegmentInfo>>::Start(
      info.Env(),
      [holder, name = std::move(name)]() -> Result<std::vector<log::SegmentInfo>> {
        const auto log = holder->data_plane->LogOf(name.topic, name.partition);
        return log == nullptr ? NotHere() : log->Segments();
      },
      SegmentsToJs);
}

Napi::Value DeleteRecords(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  Named name = ReadName(arguments);
  const int64_t offset = arguments.BigInt(3, "offset");
  if (arguments.Throw()) return info.Env().Undefined();
  return Change(info.Env(), holder, std::move(name), [offset](log::Log& log) {
    return log.AdvanceLogStartOffset(offset < 0 ? log.offsets().high_watermark : offset);
  });
}

Napi::Value DeleteSegments(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  Named name = ReadName(arguments);
  const int64_t offset = arguments.BigInt(3, "offset");
  const int64_t now_ms = arguments.Integer(4, "nowMs", 0, kInt64Max);
  if (arguments.Throw()) return info.Env().Undefined();
  return Change(info.Env(), holder, std::move(name), [offset, now_ms](log::Log& log) {
    return log.DeleteSegmentsBelow(offset, now_ms);
  });
}

}  // namespace millrace::binding
