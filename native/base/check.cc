#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace millrace {

void CheckFailed(const char* expression, const char* file, int line, const char* message) {
  std::fprintf(stderr, "millrace: broken invariant: %s (%s) at %s:%d\n", message, expression, file,
               line);
  std::abort();
}

}  // namespace millrace
