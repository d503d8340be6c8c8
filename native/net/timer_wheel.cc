// The level of a timer is the highest group of six bits in which its time differs from now. Hence
// every timer of a level lies later than all timers of the levels below, and within a level the
// lowest occupied slot comes first; see timer_wheel.h for the contract.
#include "net/timer_wheel.h"

#include <algorithm>
#include <bit>

namespace millrace::net {

void TimerWheel::Arm(Timer& timer, uint64_t due_ms) {
  Cancel(timer);
  timer.due_ms_ = std::max(due_ms, now_ms_ + 1);
  timer.armed_ = true;
  armed_++;
  Link(timer);
}

void TimerWheel::Cancel(Timer& timer) {
  if (!timer.armed_) return;
  Unlink(timer);
  timer.armed_ = false;
  armed_--;
}

void TimerWheel::Link(Timer& timer) {
  const int highest_bit = static_cast<int>(std::bit_width(timer.due_ms_ ^ now_ms_)) - 1;
  const int level = highest_bit / kLevelBits;
  const size_t slot = (timer.due_ms_ >> (level * kLevelBits)) & (kSlots - 1);
  timer.slot_ = static_cast<uint16_t>(static_cast<size_t>(level) * kSlots + slot);
  timer.previous_ = nullptr;
  timer.next_ = slots_[timer.slot_];
  if (timer.next_ != nullptr) timer.next_->previous_ = &timer;
  slots_[timer.slot_] = &timer;
  occupied_[static_cast<size_t>(level)] |= uint64_t{1} << slot;
}

void TimerWheel::Unlink(Timer& timer) {
  const uint16_t slot = timer.slot_;
  if (timer.next_ != nullptr) timer.next_->previous_ = timer.previous_;
  if (timer.previous_ != nullptr) {
    timer.previous_->next_ = timer.next_;
  } else {
    slots_[slot] = timer.next_;
  }
  if (slots_[slot] == nullptr && slot != kExpiring) {
    occupied_[slot / kSlots] &= ~(uint64_t{1} << (slot % kSlots));
  }
  timer.previous_ = nullptr;
  timer.next_ = nullptr;
}

std::optional<uint16_t> TimerWheel::NextSlot() const {
  for (size_t level = 0; level < kLevels; level++) {
    if (occupied_[level] == 0) continue;
    const auto slot = static_cast<size_t>(std::countr_zero(occupied_[level]));
    return static_cast<uint16_t>(level * kSlots + slot);
  }
  return std::nullopt;
}

uint64_t TimerWheel::TimeOf(uint16_t slot) const {
  const int shift = static_cast<int>(slot / kSlots) * kLevelBits;
  const uint64_t above = (now_ms_ >> shift >> kLevelBits) << kLevelBits << shift;
  return above | (uint64_t{slot % kSlots} << shift);
}

std::optional<uint64_t> TimerWheel::NextWake() const {
  const std::optional<uint16_t> slot = NextSlot();
  if (!slot) return std::nullopt;
  return TimeOf(*slot);
}

void TimerWheel::Expire(uint16_t slot) {
  // The list is hung elsewhere first: OnTimer may cancel its neighbours and arm into this slot.
  occupied_[slot / kSlots] &= ~(uint64_t{1} << (slot % kSlots));
  slots_[kExpiring] = slots_[slot];
  slots_[slot] = nullptr;
  for (Timer* timer = slots_[kExpiring]; timer != nullptr; timer = timer->next_) {
    timer->slot_ = kExpiring;
  }
  while (Timer* timer = slots_[kExpiring]) {
    Unlink(*timer);
    if (timer->due_ms_ > now_ms_) {
      Link(*timer);
      continue;
    }
    timer->armed_ = false;
    armed_--;
    timer->OnTimer();
  }
}

void TimerWheel::Advance(uint64_t now_ms) {
  while (const std::optional<uint16_t> slot = NextSlot()) {
    const uint64_t time = TimeOf(*slot);
    if (time > now_ms) break;
    now_ms_ = std::max(now_ms_, time);
    Expire(*slot);
  }
  now_ms_ = std::max(now_ms_, now_ms);
}

}  // namespace millrace::net
