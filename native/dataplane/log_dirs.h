// LogDirs: the log dirs of this broker and the news of their failure.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/file_system.h"
#include "log/log.h"

namespace millrace::dataplane {

class LogDirs {
 public:
  // `on_failed` is called once a dir, on the thread that noticed.
  using OnFailed = std::function<void(const std::shared_ptr<log::LogDir>&)>;
  LogDirs(io::FileSystem& file_system, OnFailed on_failed)
      : file_system_(file_system), on_failed_(std::move(on_failed)) {}

  // Any thread. A dir that is here already stays as it is.
  void Add(const std::string& path);
  std::shared_ptr<log::LogDir> Find(const std::string& path) const;
  // Tells of dirs that went offline since the last call. Whoever sees a storage error calls this.
  void ReportFailed();

 private:
  struct Dir {
    std::shared_ptr<log::LogDir> dir;
    bool reported = false;
  };

  io::FileSystem& file_system_;
  const OnFailed on_failed_;
  mutable std::mutex mutex_;
  std::vector<Dir> dirs_;  // Guarded by mutex_.
};

}  // namespace millrace::dataplane
