// Runs blocking work on a thread of libuv's pool and settles a promise with the outcome.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/result.h"
#include "binding/js_error.h"
#include "binding/napi_config.h"

namespace millrace::binding {

// `work` runs on a pool thread and must not touch Node-API; `finish` then runs on the JavaScript
// thread, also when the work failed, and turns the result into a value. The object deletes itself.
template <class T>
class PromiseWork final : public Napi::AsyncWorker {
 public:
  using Work = std::function<Result<T>()>;
  using Finish = std::function<Napi::Value(Napi::Env, T&)>;

  static Napi::Promise Start(Napi::Env env, Work work, Finish finish) {
    auto* worker = new PromiseWork(env, std::move(work), std::move(finish));
    const Napi::Promise promise = worker->deferred_.Promise();
    worker->Queue();
    return promise;
  }

 private:
  PromiseWork(Napi::Env env, Work work, Finish finish)
      : Napi::AsyncWorker(env, "millrace"),
        deferred_(Napi::Promise::Deferred::New(env)),
        work_(std::move(work)),
        finish_(std::move(finish)) {}

  void Execute() override { result_ = std::make_unique<Result<T>>(work_()); }

  void OnOK() override {
    const Napi::HandleScope scope(Env());
    if (!result_->ok()) {
      deferred_.Reject(MakeError(Env(), result_->error()).Value());
    } else {
      deferred_.Resolve(finish_(Env(), result_->value()));
    }
  }

  Napi::Promise::Deferred deferred_;
  Work work_;
  Finish finish_;
  std::unique_ptr<Result<T>> result_;
};

}  // namespace millrace::binding
