// The single place that includes Node-API. NAPI_VERSION 9 and "no C++ exceptions" come from
// binding.gyp.
#pragma once

#include <napi.h>

#ifndef NAPI_VERSION
#error "build through binding.gyp, which sets NAPI_VERSION"
#endif
