// Turns an Error into a JavaScript error with `code` (ERR_…), `message` and, where the system said
// no, `errno`.
#pragma once

#include "base/result.h"
#include "binding/napi_config.h"

namespace millrace::binding {

const char* CodeName(ErrorCode code);
Napi::Error MakeError(Napi::Env env, const Error& error);
void ThrowError(Napi::Env env, const Error& error);

}  // namespace millrace::binding
