// What a run prints: one flat JSON object on standard output, read by the TypeScript side.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

namespace millrace::bench {

class Report {
 public:
  void Add(const char* name, int64_t value) {
    char text[96];
    std::snprintf(text, sizeof text, "\"%s\":%" PRId64, name, value);
    Append(text);
  }
  void Add(const char* name, double value) {
    char text[96];
    std::snprintf(text, sizeof text, "\"%s\":%.9g", name, value);
    Append(text);
  }
  void Print() const { std::printf("{%s}\n", fields_.c_str()); }

 private:
  void Append(const char* field) {
    fields_ += fields_.empty() ? "" : ",";
    fields_ += field;
  }

  std::string fields_;
};

}  // namespace millrace::bench
