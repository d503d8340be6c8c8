// RareLog: log lines that a peer can cause at will. The same subject (an address with a kind of
// fault) is logged once a minute, and at most a fixed number of subjects: memory and log volume are
// bounded whatever the peers do. One per reactor; its thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "net/reactor.h"

namespace millrace::net {

class RareLog {
 public:
  static constexpr int64_t kPauseMs = 60'000;
  static constexpr size_t kSubjectsMax = 64;

  explicit RareLog(LogSink sink) : sink_(std::move(sink)) {}

  // Whether a line about the subject may be written now; if so the pause begins.
  bool MayLog(std::string_view subject, int64_t now_ms);
  // Writes the line, unless one about the subject was written within the pause.
  void Warn(std::string_view subject, int64_t now_ms, const std::string& message);
  // Writes at once.
  void Write(int level, std::string message);

 private:
  struct Subject {
    size_t hash = 0;
    int64_t free_at_ms = 0;
  };

  LogSink sink_;
  std::array<Subject, kSubjectsMax> subjects_{};
};

}  // namespace millrace::net
