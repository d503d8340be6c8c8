// setQuotas.
#include <string>
#include <vector>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"

namespace millrace::binding {
namespace {

using dataplane::ByteRateQuota;

// Rates are doubles in JavaScript, and a quota may be as large as 2^63.
double ReadRate(Arguments& arguments, const Napi::Value& value, const char* name) {
  const double rate = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(rate >= 0)) arguments.Refuse(std::string(name) + " must be a number that is not negative");
  return rate;
}

ByteRateQuota::Part ReadPart(Arguments& arguments, const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (value.IsUndefined()) return {};
  if (value.IsNull()) return {ByteRateQuota::PartKind::kDefault, {}};
  return {ByteRateQuota::PartKind::kNamed, arguments.StringField(object, name)};
}

std::vector<ByteRateQuota> ReadByteRates(Arguments& arguments, const Napi::Value& value) {
  std::vector<ByteRateQuota> quotas;
  if (!value.IsArray()) {
    arguments.Refuse("byteRates must be a list");
    return quotas;
  }
  const Napi::Array array = value.As<Napi::Array>();
  for (uint32_t i = 0; i < array.Length() && arguments.ok(); ++i) {
    const Napi::Value element = array.Get(i);
    if (!element.IsObject()) {
      arguments.Refuse("byteRates must hold objects");
      break;
    }
    const Napi::Object object = element.As<Napi::Object>();
    ByteRateQuota& quota = quotas.emplace_back();
    quota.user = ReadPart(arguments, object, "user");
    quota.client_id = ReadPart(arguments, object, "clientId");
    quota.producer_byte_rate =
        ReadRate(arguments, object.Get("producerByteRate"), "producerByteRate");
    quota.consumer_byte_rate =
        ReadRate(arguments, object.Get("consumerByteRate"), "consumerByteRate");
  }
  return quotas;
}

net::ConnectionRates ReadConnectionRates(Arguments& arguments, const Napi::Object& quotas) {
  net::ConnectionRates rates;
  rates.per_ip = ReadRate(arguments, quotas.Get("connectionRateDefault"), "connectionRateDefault");
  const Napi::Object given = arguments.ObjectField(quotas, "connectionRates");
  if (!arguments.ok()) return rates;
  const Napi::Array addresses = given.GetPropertyNames();
  for (uint32_t i = 0; i < addresses.Length(); ++i) {
    const std::string address = addresses.Get(i).ToString().Utf8Value();
    rates.of_address[address] = ReadRate(arguments, given.Get(address), "connectionRates");
  }
  return rates;
}

}  // namespace

Napi::Value SetQuotas(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const Napi::Object quotas = arguments.Object(1, "quotas");
  if (arguments.Throw()) return env.Undefined();
  const auto byte_rates = ReadByteRates(arguments, quotas.Get("byteRates"));
  const auto connection_rates = ReadConnectionRates(arguments, quotas);
  if (!arguments.Throw()) holder->data_plane->SetQuotas(byte_rates, connection_rates);
  return env.Undefined();
}

}  // namespace millrace::binding
