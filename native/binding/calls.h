// Every function the addon exports, one translation unit a group; contracts in
// src/binding/native-addon.ts.
#pragma once

#include "binding/napi_config.h"

namespace millrace::binding {

using Info = Napi::CallbackInfo;

// lifecycle_calls.cc
Napi::Value CreateDataPlane(const Info& info);
Napi::Value Listen(const Info& info);
Napi::Value SetConnectionLimits(const Info& info);
Napi::Value Drain(const Info& info);
Napi::Value CloseLogs(const Info& info);
Napi::Value Close(const Info& info);
Napi::Value GetCounters(const Info& info);

// partition_calls.cc
Napi::Value AddLogDir(const Info& info);
Napi::Value OpenPartitions(const Info& info);
Napi::Value RemovePartition(const Info& info);
Napi::Value UpdateSettings(const Info& info);
Napi::Value GetPartitionState(const Info& info);

// lookup_calls.cc
Napi::Value BatchByTimestamp(const Info& info);
Napi::Value BatchWithMaxTimestamp(const Info& info);
Napi::Value EndOffsetForEpoch(const Info& info);
Napi::Value EpochForOffset(const Info& info);
Napi::Value GetActiveProducers(const Info& info);

// record_calls.cc
Napi::Value AppendBatch(const Info& info);
Napi::Value ReadBatches(const Info& info);
// retention_calls.cc
Napi::Value GetSegments(const Info& info);
Napi::Value DeleteRecords(const Info& info);
Napi::Value DeleteSegments(const Info& info);

// request_calls.cc
Napi::Value TakeRequests(const Info& info);
Napi::Value Respond(const Info& info);
Napi::Value CloseConnection(const Info& info);

// quota_calls.cc
Napi::Value SetQuotas(const Info& info);

// file_lock_calls.cc
Napi::Value LockFile(const Info& info);
Napi::Value UnlockFile(const Info& info);

}  // namespace millrace::binding
