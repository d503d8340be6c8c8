// Status and Result<T>: how every native function reports failure. There are no exceptions. An
// Error keeps what the operating system said (`os_error`, an errno or 0) and a sentence for people.
// A broken invariant aborts (base/check.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace millrace {

enum class ErrorCode : uint8_t {
  kInvalidArgument,  // The caller's fault; nothing was changed.
  kNotFound,
  kAlreadyExists,
  kIo,       // The operating system refused; `os_error` says how.
  kNoSpace,  // ENOSPC or EDQUOT: nothing was written, the same call may work once there is space.
  kCorrupt,  // Bytes on disk are not what was written; the message names file and position.
  kLocked,   // Another process holds the lock.
  kClosed,   // The object was closed, or its log dir is offline.
};

struct Error {
  ErrorCode code = ErrorCode::kIo;
  int os_error = 0;
  std::string message;
};

// The outcome of an operation without a value. Cheap when ok.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose.
  static Status Ok() { return Status(); }

  bool ok() const { return !error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

// A value or an Error. `value()` of a failed Result is undefined: check ok() first.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT: implicit on purpose.
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose.

  bool ok() const { return value_.has_value(); }
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  T Take() { return std::move(*value_); }
  const Error& error() const { return error_; }

 private:
  std::optional<T> value_;
  Error error_;
};

}  // namespace millrace
