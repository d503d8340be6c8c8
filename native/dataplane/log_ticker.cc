#include "dataplane/log_ticker.h"

#include <pthread.h>

#include <chrono>
#include <csignal>

namespace millrace::dataplane {
namespace {

constexpr auto kPause = std::chrono::seconds(1);
constexpr int kRoundsBetweenAll = 60;

}  // namespace

LogTicker::LogTicker(Context& context) : context_(context), thread_([this] { Run(); }) {
  pthread_setname_np(thread_.native_handle(), "millrace-log");
}

void LogTicker::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LogTicker::Run() {
  // Signals belong to the embedding process.
  sigset_t all;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  for (int round = 1; Sleep(); ++round) {
    TickLogs(round % kRoundsBetweenAll == 0);
    context_.log_dirs.ReportFailed();
  }
}

bool LogTicker::Sleep() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, kPause, [this] { return stopping_; });
}

void LogTicker::TickLogs(bool all) {
  const auto partitions = all ? context_.partitions.Snapshot() : context_.partitions.TakeActive();
  for (const auto& partition : partitions) {
    if (partition->removed() || partition->offline()) continue;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
    }
    partition->log().Tick(clock_.WallMs());
    FlushByTime(*partition);
  }
}

void LogTicker::FlushByTime(Partition& partition) {
  switch (partition.flush_policy().DueByTime(partition.log().offsets(), clock_.MonotonicMs(),
                                             std::chrono::milliseconds(kPause).count())) {
    case FlushPolicy::Due::kNever:
      return;
    case FlushPolicy::Due::kNow:
      context_.committer->Request(partition.shared_log());
      break;
    case FlushPolicy::Due::kLater:
      break;
  }
  partition.MarkActive();  // Look again in a second.
}

}  // namespace millrace::dataplane
