#include "binding/arguments.h"

#include <cmath>
#include <limits>

#include "binding/js_error.h"

namespace millrace::binding {

void Arguments::WrongType(const char* name, const char* wanted) {
  if (!problem_.empty()) return;
  problem_ = std::string(name) + " must be " + wanted;
  is_type_error_ = true;
}

void Arguments::Refuse(std::string why) {
  if (problem_.empty()) problem_ = std::move(why);
}

bool Arguments::Throw() {
  if (problem_.empty()) return false;
  if (is_type_error_) {
    Napi::TypeError::New(env_, problem_).ThrowAsJavaScriptException();
  } else {
    ThrowError(env_, Error{ErrorCode::kInvalidArgument, 0, problem_});
  }
  return true;
}

std::string Arguments::StringOf(const Napi::Value& value, const char* name) {
  if (!value.IsString()) {
    WrongType(name, "a string");
    return {};
  }
  return value.As<Napi::String>().Utf8Value();
}

int64_t Arguments::IntegerOf(const Napi::Value& value, const char* name, int64_t min, int64_t max) {
  if (!value.IsNumber()) {
    WrongType(name, "a number");
    return min;
  }
  const double number = value.As<Napi::Number>().DoubleValue();
  if (std::isnan(number) || std::trunc(number) != number) {
    Refuse(std::string(name) + " must be a whole number");
    return min;
  }
  // Kafka's "no limit" is 2^63-1, which a double rounds up.
  const double limit = 9223372036854775808.0;
  const int64_t whole = number >= limit    ? std::numeric_limits<int64_t>::max()
                        : number <= -limit ? std::numeric_limits<int64_t>::min()
                                           : static_cast<int64_t>(number);
  if (whole < min || whole > max) {
    Refuse(std::string(name) + " must be between " + std::to_string(min) + " and " +
           std::to_string(max) + ", it is " + std::to_string(whole));
    return min;
  }
  return whole;
}

int64_t Arguments::BigIntOf(const Napi::Value& value, const char* name) {
  if (!value.IsBigInt()) {
    WrongType(name, "a bigint");
    return 0;
  }
  bool lossless = false;
  const int64_t whole = value.As<Napi::BigInt>().Int64Value(&lossless);
  if (!lossless) Refuse(std::string(name) + " does not fit 64 bits");
  return whole;
}

bool Arguments::BooleanOf(const Napi::Value& value, const char* name) {
  if (!value.IsBoolean()) {
    WrongType(name, "a boolean");
    return false;
  }
  return value.As<Napi::Boolean>().Value();
}

std::span<const uint8_t> Arguments::BytesOf(const Napi::Value& value, const char* name) {
  if (!value.IsBuffer()) {
    WrongType(name, "a Buffer");
    return {};
  }
  const auto buffer = value.As<Napi::Buffer<uint8_t>>();
  return {buffer.Data(), buffer.Length()};
}

Napi::Object Arguments::ObjectOf(const Napi::Value& value, const char* name) {
  if (!value.IsObject()) {
    WrongType(name, "an object");
    return Napi::Object::New(env_);
  }
  return value.As<Napi::Object>();
}

Napi::Function Arguments::FunctionField(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsFunction()) {
    WrongType(name, "a function");
    return {};
  }
  return value.As<Napi::Function>();
}

}  // namespace millrace::binding
