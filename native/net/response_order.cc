// The ring of places; see response_order.h.
#include "net/response_order.h"

#include <algorithm>
#include <utility>

namespace millrace::net {

namespace {

// A ring that grew beyond this for a burst of requests is given back when it is empty.
constexpr size_t kKeptPlacesMax = 64;

}  // namespace

size_t SizeOf(const Response& response) {
  size_t size = 0;
  for (const ResponsePiece& piece : response.pieces) {
    size += piece.bytes.empty() ? piece.range.size : piece.bytes.size();
  }
  return size;
}

uint64_t ResponseOrder::Reserve() {
  if (in_flight() == ring_.size()) Grow();
  return end_++;
}

bool ResponseOrder::Fill(uint64_t place, Response response) {
  if (place < begin_ || place >= end_) return false;
  Place& slot = At(place);
  if (slot.filled) return false;
  waiting_bytes_ += SizeOf(response);
  slot.response = std::move(response);
  slot.filled = true;
  return true;
}

std::optional<Response> ResponseOrder::TakeReady() {
  if (begin_ == end_ || !At(begin_).filled) return std::nullopt;
  Place taken = std::exchange(At(begin_), Place{});
  begin_++;
  waiting_bytes_ -= SizeOf(taken.response);
  if (begin_ == end_ && ring_.size() > kKeptPlacesMax) std::vector<Place>().swap(ring_);
  return std::move(taken.response);
}

void ResponseOrder::Grow() {
  std::vector<Place> larger(std::max<size_t>(4, ring_.size() * 2));
  for (uint64_t place = begin_; place < end_; place++) {
    larger[place & (larger.size() - 1)] = std::move(At(place));
  }
  ring_.swap(larger);
}

}  // namespace millrace::net
