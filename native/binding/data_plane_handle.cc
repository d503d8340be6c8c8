#include "binding/data_plane_handle.h"

#include <utility>

#include "binding/js_error.h"

namespace millrace::binding {
namespace {

constexpr napi_type_tag kDataPlaneTag = {0x6d696c6c72616365, 0x646174612d706c61};

using Share = std::shared_ptr<DataPlaneHolder>;

void Finalize(napi_env, void* data, void*) {
  // Finalisers run on the JavaScript thread: a forgotten handle is stopped here, as `close` would
  // have.
  const std::unique_ptr<Share> share(static_cast<Share*>(data));
  if (share->use_count() == 1) {
    (*share)->StopThreads();
    (*share)->ReleaseEvents();
  }
}

}  // namespace

void DataPlaneHolder::StopThreads() {
  if (data_plane == nullptr) return;
  data_plane->Stop();
  data_plane.reset();
}

void DataPlaneHolder::ReleaseEvents() {
  if (events != nullptr) events->Release();
}

DataPlaneHolder::~DataPlaneHolder() { StopThreads(); }

void Instance::Install(Napi::Env env) {
  auto* instance = new Instance();
  env.SetInstanceData<Instance>(instance);
  napi_add_env_cleanup_hook(env, &Instance::ShutDown, instance);
}

Instance& Instance::Of(Napi::Env env) { return *env.GetInstanceData<Instance>(); }

void Instance::ShutDown(void* data) {
  for (const auto& weak : static_cast<Instance*>(data)->holders_) {
    if (const Share holder = weak.lock()) holder->StopThreads();
  }
}

Napi::Object WrapDataPlane(Napi::Env env, std::shared_ptr<DataPlaneHolder> holder) {
  Napi::Object object = Napi::Object::New(env);
  auto share = std::make_unique<Share>(std::move(holder));
  if (napi_wrap(env, object, share.get(), &Finalize, nullptr, nullptr) == napi_ok) share.release();
  object.TypeTag(&kDataPlaneTag);
  return object;
}

std::shared_ptr<DataPlaneHolder> UnwrapDataPlane(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  void* data = nullptr;
  if (!info[0].IsObject() || !info[0].As<Napi::Object>().CheckTypeTag(&kDataPlaneTag) ||
      napi_unwrap(env, info[0], &data) != napi_ok) {
    Napi::TypeError::New(env, "dataPlane must be a handle made by createDataPlane")
        .ThrowAsJavaScriptException();
    return nullptr;
  }
  Share holder = *static_cast<Share*>(data);
  if (holder->closing || holder->data_plane == nullptr) {
    ThrowError(env, Error{ErrorCode::kClosed, 0, "the data plane is closed"});
    return nullptr;
  }
  return holder;
}

}  // namespace millrace::binding
