// The addon's exports. Names and order as in src/binding/native-addon.ts, which documents them.
#include "binding/calls.h"
#include "binding/data_plane_handle.h"
#include "binding/napi_config.h"

namespace millrace::binding {
namespace {

constexpr double kInterfaceVersion = 1;

struct Export {
  const char* name;
  Napi::Value (*function)(const Info&);
};

constexpr Export kExports[] = {
    {"createDataPlane", CreateDataPlane},
    {"listen", Listen},
    {"setConnectionLimits", SetConnectionLimits},
    {"setQuotas", SetQuotas},
    {"addLogDir", AddLogDir},
    {"openPartitions", OpenPartitions},
    {"removePartition", RemovePartition},
    {"updateSettings", UpdateSettings},
    {"partitionState", GetPartitionState},
    {"batchByTimestamp", BatchByTimestamp},
    {"batchWithMaxTimestamp", BatchWithMaxTimestamp},
    {"endOffsetForEpoch", EndOffsetForEpoch},
    {"epochForOffset", EpochForOffset},
    {"activeProducers", GetActiveProducers},
    {"appendBatch", AppendBatch},
    {"readBatches", ReadBatches},
    {"segments", GetSegments},
    {"deleteRecords", DeleteRecords},
    {"deleteSegments", DeleteSegments},
    {"takeRequests", TakeRequests},
    {"respond", Respond},
    {"closeConnection", CloseConnection},
    {"counters", GetCounters},
    {"drain", Drain},
    {"closeLogs", CloseLogs},
    {"close", Close},
    {"lockFile", LockFile},
    {"unlockFile", UnlockFile},
};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  Instance::Install(env);
  exports.Set("interfaceVersion", Napi::Number::New(env, kInterfaceVersion));
  for (const Export& entry : kExports) {
    exports.Set(entry.name, Napi::Function::New(env, entry.function, entry.name));
  }
  return exports;
}

NODE_API_MODULE(millrace, Init)

}  // namespace
}  // namespace millrace::binding
