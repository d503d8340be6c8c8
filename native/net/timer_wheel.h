// TimerWheel: the timers of one reactor. Levels of 64 slots, 1 ms in the lowest, enough of them for
// every 64-bit time: arming and cancelling are O(1), and a bitmap per level finds the next wake-up
// without walking, so that an idle reactor sleeps. A far timer is moved down a level at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "net/reactor.h"

namespace millrace::net {

class TimerWheel {
 public:
  explicit TimerWheel(uint64_t now_ms) : now_ms_(now_ms) {}
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;

  // Fires in the first Advance() that reaches `due_ms`. A time that has passed counts as the next
  // millisecond. The timer must stay where it is until it fired or was cancelled.
  void Arm(Timer& timer, uint64_t due_ms);
  // Nothing happens for a timer that is not armed.
  void Cancel(Timer& timer);
  // Fires all timers due at `now_ms` or before, in the order of their milliseconds. OnTimer may arm
  // and cancel any timer.
  void Advance(uint64_t now_ms);
  // When Advance() should be called next, at the latest: the next timer's time, or an earlier time
  // at which far timers are sorted again. Nothing if no timer is armed.
  std::optional<uint64_t> NextWake() const;
  size_t armed() const { return armed_; }

 private:
  static constexpr int kLevels = 11;
  static constexpr int kLevelBits = 6;
  static constexpr size_t kSlots = size_t{1} << kLevelBits;
  static constexpr uint16_t kExpiring = kLevels * kSlots;  // The list being fired right now.

  void Link(Timer& timer);
  void Unlink(Timer& timer);
  // Fires or moves down the timers of a slot whose time has come.
  void Expire(uint16_t slot);
  std::optional<uint16_t> NextSlot() const;
  uint64_t TimeOf(uint16_t slot) const;

  uint64_t now_ms_;
  size_t armed_ = 0;
  std::array<uint64_t, kLevels> occupied_{};
  std::array<Timer*, kLevels * kSlots + 1> slots_{};
};

}  // namespace millrace::net
