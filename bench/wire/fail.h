// The only error path of the bench programs: a benchmark with an error in it has no result.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace millrace::bench {

// Prints one sentence to standard error and ends the process with status 1.
[[noreturn, gnu::format(printf, 1, 2)]] inline void Fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::exit(1);
}

}  // namespace millrace::bench
