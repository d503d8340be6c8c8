#include "log/committer.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

namespace millrace::log {
namespace {

class SegmentCommitter final : public Committer {
 public:
  explicit SegmentCommitter(FlushListener& listener)
      : listener_(listener), thread_([this] { Run(); }) {}

  ~SegmentCommitter() override { Stop(); }

  void Request(std::shared_ptr<Log> log) override {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || !queued_.insert(log.get()).second) return;
      queue_.push_back(std::move(log));
      if (queue_.size() > 1) return;  // The thread is awake or was woken for the first one.
    }
    wake_.notify_one();
  }

  void Stop() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Run() {
    std::vector<std::shared_ptr<Log>> group;
    while (true) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) return;
        // A log may be requested again from here on: what is appended now needs another flush.
        group.swap(queue_);
        queued_.clear();
      }
      Commit(group);
      group.clear();
    }
  }

  void Commit(const std::vector<std::shared_ptr<Log>>& group) {
    if (group.size() > 1) {
      // The disk works on all files at once while the first one is waited for.
      for (const auto& log : group) log->StartWriteback();
    }
    for (const auto& log : group) listener_.OnFlushed(log, log->Flush().ok());
  }

  FlushListener& listener_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<Log>> queue_;
  std::unordered_set<const Log*> queued_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Committer> MakeSegmentCommitter(FlushListener& listener) {
  return std::make_unique<SegmentCommitter>(listener);
}

}  // namespace millrace::log
