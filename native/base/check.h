// MR_CHECK: a broken invariant of our own ends the process with a sentence. Never used for what a
// client, a file or the operating system can cause: those come back as Status.
#pragma once

namespace millrace {

// Prints the failed expression, its place and the message to stderr and aborts.
[[noreturn]] void CheckFailed(const char* expression, const char* file, int line,
                              const char* message);

}  // namespace millrace

#define MR_CHECK(condition, message)                                    \
  do {                                                                  \
    if (__builtin_expect(!(condition), 0)) {                            \
      ::millrace::CheckFailed(#condition, __FILE__, __LINE__, message); \
    }                                                                   \
  } while (false)
