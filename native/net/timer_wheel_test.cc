// The wheel against a plain sorted map: every timer fires once, in the first advance that reaches
// it, and sleeping until NextWake() misses none.
#include "net/timer_wheel.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace millrace::net {

namespace {

class RecordingTimer final : public Timer {
 public:
  void OnTimer() override {
    fired++;
    if (on_timer) on_timer();
  }
  int fired = 0;
  std::function<void()> on_timer;
};

// The wheel and the model side by side.
class Model {
 public:
  explicit Model(uint64_t seed) : random_(seed), now_(random_() % 3 == 0 ? ~uint64_t{0} >> 20 : 5) {
    wheel_ = std::make_unique<TimerWheel>(now_);
    for (int i = 0; i < 50; i++) timers_.push_back(std::make_unique<RecordingTimer>());
  }

  void Step() {
    RecordingTimer& timer = *timers_[random_() % timers_.size()];
    switch (random_() % 4) {
      case 0:
      case 1: {
        const uint64_t delay = 1 + random_() % (uint64_t{1} << (random_() % 30));
        wheel_->Arm(timer, now_ + delay);
        due_[&timer] = now_ + delay;
        break;
      }
      case 2:
        wheel_->Cancel(timer);
        due_.erase(&timer);
        break;
      default:
        AdvanceBy(random_() % (uint64_t{1} << (random_() % 26)));
    }
    CHECK(wheel_->armed() == due_.size());
  }

 private:
  void AdvanceBy(uint64_t delay) {
    now_ += delay;
    std::map<RecordingTimer*, int> before;
    for (const auto& timer : timers_) before[timer.get()] = timer->fired;
    wheel_->Advance(now_);
    for (const auto& timer : timers_) {
      const auto due = due_.find(timer.get());
      const bool expected = due != due_.end() && due->second <= now_;
      CHECK(timer->fired - before[timer.get()] == (expected ? 1 : 0));
      CHECK(timer->armed() == (due != due_.end() && !expected));
      if (expected) due_.erase(due);
    }
    CheckNextWake();
  }

  void CheckNextWake() {
    const std::optional<uint64_t> wake = wheel_->NextWake();
    CHECK(wake.has_value() == !due_.empty());
    if (!wake) return;
    CHECK(*wake > now_);
    for (const auto& [timer, due] : due_) CHECK(*wake <= due);
  }

  std::mt19937_64 random_;
  uint64_t now_;
  std::unique_ptr<TimerWheel> wheel_;
  std::vector<std::unique_ptr<RecordingTimer>> timers_;
  std::map<RecordingTimer*, uint64_t> due_;
};

}  // namespace

TEST_CASE("the wheel fires what a sorted map would") {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    CAPTURE(seed);
    Model model(seed);
    for (int step = 0; step < 500; step++) model.Step();
  }
}

TEST_CASE("sleeping until NextWake reaches a far timer in a few steps and on time") {
  TimerWheel wheel(1'000'000'007);
  RecordingTimer timer;
  const uint64_t due = 1'000'000'007 + 600'000;
  wheel.Arm(timer, due);
  int wakes = 0;
  uint64_t now = 0;
  while (timer.fired == 0) {
    REQUIRE(wheel.NextWake().has_value());
    now = *wheel.NextWake();
    wheel.Advance(now);
    wakes++;
  }
  CHECK(now == due);
  CHECK(wakes <= 5);
  CHECK(!wheel.NextWake().has_value());
}

TEST_CASE("a timer may cancel its neighbours and arm itself while it fires") {
  TimerWheel wheel(0);
  RecordingTimer first;
  RecordingTimer second;
  first.on_timer = [&] {
    wheel.Cancel(second);
    wheel.Arm(first, 10);
  };
  second.on_timer = [&] {
    wheel.Cancel(first);
    wheel.Arm(second, 10);
  };
  wheel.Arm(first, 10);
  wheel.Arm(second, 10);
  wheel.Advance(10);
  // One came first and cancelled the other; armed for a time that has passed, it waits for the
  // next millisecond instead of firing for ever.
  CHECK(first.fired + second.fired == 1);
  CHECK(wheel.armed() == 1);
  CHECK(wheel.NextWake() == 11);
  wheel.Advance(11);
  CHECK(first.fired + second.fired == 2);
  wheel.Cancel(first);
  wheel.Cancel(second);
}

}  // namespace millrace::net
