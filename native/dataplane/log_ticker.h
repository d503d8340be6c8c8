// LogTicker: the thread that does the housekeeping of logs (log::Log::Tick) and the flushes that
// are due by flush.ms: every second for logs with appends since, every minute for all of them.
// Asleep in between: a thousand idle partitions cost it a few microseconds a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "dataplane/context.h"

namespace millrace::dataplane {

class LogTicker {
 public:
  // Starts the thread. The context outlives the ticker.
  explicit LogTicker(Context& context);
  ~LogTicker() { Stop(); }

  // Ends the thread after the log at hand. Not from the thread itself; repeatable.
  void Stop();

 private:
  void Run();
  void TickLogs(bool all);
  void FlushByTime(Partition& partition);
  // False: time to stop.
  bool Sleep();

  Context& context_;
  const SystemClock clock_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // Guarded by mutex_.
  std::thread thread_;
};

}  // namespace millrace::dataplane
