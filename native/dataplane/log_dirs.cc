#include "dataplane/log_dirs.h"

#include <utility>

namespace millrace::dataplane {

void LogDirs::Add(const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (const Dir& known : dirs_) {
    if (known.dir->path() == path) return;
  }
  dirs_.push_back({std::make_shared<log::LogDir>(file_system_, path), false});
}

std::shared_ptr<log::LogDir> LogDirs::Find(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  for (const Dir& known : dirs_) {
    if (known.dir->path() == path) return known.dir;
  }
  return nullptr;
}

void LogDirs::ReportFailed() {
  std::vector<std::shared_ptr<log::LogDir>> failed;
  {
    const std::lock_guard lock(mutex_);
    for (Dir& known : dirs_) {
      if (known.dir->offline() && !std::exchange(known.reported, true)) failed.push_back(known.dir);
    }
  }
  for (const auto& dir : failed) on_failed_(dir);
}

}  // namespace millrace::dataplane
