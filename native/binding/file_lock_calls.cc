// lockFile, unlockFile. The lock goes with the handle's finaliser too, and with the process.
#include <memory>
#include <utility>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/js_error.h"
#include "io/file_lock.h"

namespace millrace::binding {
namespace {

constexpr napi_type_tag kFileLockTag = {0x6d696c6c72616365, 0x66696c652d6c6f63};

using Lock = std::unique_ptr<io::FileLock>;

}  // namespace

Napi::Value LockFile(const Info& info) {
  const Napi::Env env = info.Env();
  Arguments arguments(info);
  const std::string path = arguments.String(0, "path");
  if (arguments.Throw()) return env.Undefined();
  auto locked = io::LockFile(path);
  if (!locked.ok()) {
    ThrowError(env, locked.error());
    return env.Undefined();
  }
  Napi::Object object = Napi::Object::New(env);
  auto lock = std::make_unique<Lock>(locked.Take());
  const auto finalize = [](napi_env, void* data, void*) { delete static_cast<Lock*>(data); };
  if (napi_wrap(env, object, lock.get(), finalize, nullptr, nullptr) == napi_ok) lock.release();
  object.TypeTag(&kFileLockTag);
  return object;
}

Napi::Value UnlockFile(const Info& info) {
  const Napi::Env env = info.Env();
  void* data = nullptr;
  if (!info[0].IsObject() || !info[0].As<Napi::Object>().CheckTypeTag(&kFileLockTag) ||
      napi_unwrap(env, info[0], &data) != napi_ok) {
    Napi::TypeError::New(env, "lock must be a handle made by lockFile")
        .ThrowAsJavaScriptException();
    return env.Undefined();
  }
  static_cast<Lock*>(data)->reset();
  return env.Undefined();
}

}  // namespace millrace::binding
