// The table of recent subjects; see rare_log.h.
#include "net/rare_log.h"

#include <utility>

namespace millrace::net {

bool RareLog::MayLog(std::string_view subject, int64_t now_ms) {
  const size_t hash = std::hash<std::string_view>()(subject);
  Subject* free_place = nullptr;
  for (Subject& each : subjects_) {
    const bool free = each.free_at_ms <= now_ms;
    if (!free && each.hash == hash) return false;
    if (free) free_place = &each;
  }
  // With all places taken within the last minute, silence is the bound.
  if (free_place == nullptr) return false;
  *free_place = Subject{hash, now_ms + kPauseMs};
  return true;
}

void RareLog::Warn(std::string_view subject, int64_t now_ms, const std::string& message) {
  if (MayLog(subject, now_ms)) Write(2, message);
}

void RareLog::Write(int level, std::string message) {
  if (sink_) sink_(level, std::move(message));
}

}  // namespace millrace::net
