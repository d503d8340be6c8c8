// Group commit: one thread that makes acknowledged appends durable. Whoever needs an offset on disk
// calls Request(); the thread takes all logs that wait, starts write-back on each, flushes each,
// and tells the listener. While it works, the next group gathers. The commit journal of DESIGN 4.7
// can later take the place of SegmentCommitter.
#pragma once

#include <memory>

#include "log/log.h"

namespace millrace::log {

class FlushListener {
 public:
  virtual ~FlushListener() = default;
  // `log`'s flushed_offset() has moved, or its dir went offline (`ok` false). Called on the
  // committer's thread, once a group and log; must not block.
  virtual void OnFlushed(const std::shared_ptr<Log>& log, bool ok) = 0;
};

class Committer {
 public:
  virtual ~Committer() = default;
  // Any thread. Asks for everything appended to `log` so far. Repeated requests for a log that
  // waits cost nothing.
  virtual void Request(std::shared_ptr<Log> log) = 0;
  // Finishes the groups that wait, then stops the thread. Later requests are ignored.
  virtual void Stop() = 0;
};

// Syncs the segments themselves. The listener outlives the committer.
std::unique_ptr<Committer> MakeSegmentCommitter(FlushListener& listener);

}  // namespace millrace::log
