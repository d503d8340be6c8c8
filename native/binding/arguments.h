// Reads the arguments of one call from JavaScript and checks their types and ranges. The first
// thing that is wrong is kept; after reading everything the caller asks Throw(), which turns it
// into a JavaScript error. Until then the readers give harmless values. JavaScript thread only.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "binding/napi_config.h"

namespace millrace::binding {

class Arguments {
 public:
  explicit Arguments(const Napi::CallbackInfo& info) : info_(info), env_(info.Env()) {}

  std::string String(size_t index, const char* name) { return StringOf(info_[index], name); }
  int64_t Integer(size_t index, const char* name, int64_t min, int64_t max) {
    return IntegerOf(info_[index], name, min, max);
  }
  int64_t BigInt(size_t index, const char* name) { return BigIntOf(info_[index], name); }
  bool Boolean(size_t index, const char* name) { return BooleanOf(info_[index], name); }
  // The bytes stay JavaScript's: valid until the call returns.
  std::span<const uint8_t> Bytes(size_t index, const char* name) {
    return BytesOf(info_[index], name);
  }
  Napi::Object Object(size_t index, const char* name) { return ObjectOf(info_[index], name); }

  // Fields of an options object.
  std::string StringField(const Napi::Object& object, const char* name) {
    return StringOf(object.Get(name), name);
  }
  int64_t IntegerField(const Napi::Object& object, const char* name, int64_t min, int64_t max) {
    return IntegerOf(object.Get(name), name, min, max);
  }
  int64_t BigIntField(const Napi::Object& object, const char* name) {
    return BigIntOf(object.Get(name), name);
  }
  bool BooleanField(const Napi::Object& object, const char* name) {
    return BooleanOf(object.Get(name), name);
  }
  std::span<const uint8_t> BytesField(const Napi::Object& object, const char* name) {
    return BytesOf(object.Get(name), name);
  }
  Napi::Object ObjectField(const Napi::Object& object, const char* name) {
    return ObjectOf(object.Get(name), name);
  }
  Napi::Function FunctionField(const Napi::Object& object, const char* name);

  // Records a value that has the right type and is refused all the same (ERR_INVALID_ARGUMENT).
  void Refuse(std::string why);
  bool ok() const { return problem_.empty(); }
  // Throws what was wrong, if anything was.
  bool Throw();

 private:
  std::string StringOf(const Napi::Value& value, const char* name);
  int64_t IntegerOf(const Napi::Value& value, const char* name, int64_t min, int64_t max);
  int64_t BigIntOf(const Napi::Value& value, const char* name);
  bool BooleanOf(const Napi::Value& value, const char* name);
  std::span<const uint8_t> BytesOf(const Napi::Value& value, const char* name);
  Napi::Object ObjectOf(const Napi::Value& value, const char* name);
  void WrongType(const char* name, const char* wanted);

  const Napi::CallbackInfo& info_;
  Napi::Env env_;
  std::string problem_;
  bool is_type_error_ = false;
};

}  // namespace millrace::binding
