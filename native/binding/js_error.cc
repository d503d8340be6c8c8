#include "binding/js_error.h"

namespace millrace::binding {

const char* CodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "ERR_INVALID_ARGUMENT";
    case ErrorCode::kNotFound:
      return "ERR_NOT_FOUND";
    case ErrorCode::kAlreadyExists:
      return "ERR_ALREADY_EXISTS";
    case ErrorCode::kIo:
      return "ERR_IO";
    case ErrorCode::kNoSpace:
      return "ERR_NO_SPACE";
    case ErrorCode::kCorrupt:
      return "ERR_CORRUPT";
    case ErrorCode::kLocked:
      return "ERR_LOCKED";
    case ErrorCode::kClosed:
      return "ERR_CLOSED";
  }
  return "ERR_IO";
}

Napi::Error MakeError(Napi::Env env, const Error& error) {
  Napi::Error made = Napi::Error::New(env, error.message);
  made.Set("code", Napi::String::New(env, CodeName(error.code)));
  if (error.os_error != 0) made.Set("errno", Napi::Number::New(env, error.os_error));
  return made;
}

void ThrowError(Napi::Env env, const Error& error) {
  MakeError(env, error).ThrowAsJavaScriptException();
}

}  // namespace millrace::binding
