// The JavaScript object that stands for one data plane, and what hangs on it. Asynchronous calls
// share it, so that a handle closed or collected meanwhile stays valid for them. All handles of an
// environment are known to its Instance, which shuts them down when the environment ends (process
// exit, worker termination).
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "binding/event_port.h"
#include "binding/napi_config.h"
#include "dataplane/data_plane.h"
#include "io/file_system.h"

namespace millrace::binding {

struct DataPlaneHolder {
  std::unique_ptr<io::FileSystem> file_system;
  std::unique_ptr<EventPort> events;
  std::unique_ptr<dataplane::DataPlane>
      data_plane;        // Null before it started and after it was closed.
  bool closing = false;  // JavaScript thread only.

  // Stops the threads (blocks until they ended). Any thread; once.
  void StopThreads();
  // JavaScript thread, after StopThreads.
  void ReleaseEvents();
  ~DataPlaneHolder();
};

// Per environment; napi instance data.
class Instance {
 public:
  static Instance& Of(Napi::Env env);
  static void Install(Napi::Env env);

  void Add(const std::shared_ptr<DataPlaneHolder>& holder) { holders_.push_back(holder); }

 private:
  static void ShutDown(void* instance);
  std::vector<std::weak_ptr<DataPlaneHolder>> holders_;
};

// A tagged JavaScript object that owns a share of `holder`; its finaliser stops a data plane that
// was never closed.
Napi::Object WrapDataPlane(Napi::Env env, std::shared_ptr<DataPlaneHolder> holder);

// The holder behind an argument. Throws TypeError for anything else, ERR_CLOSED for a closed one;
// null then.
std::shared_ptr<DataPlaneHolder> UnwrapDataPlane(const Napi::CallbackInfo& info);

}  // namespace millrace::binding
