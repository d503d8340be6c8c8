#include "load/options.h"

#include <algorithm>
#include <cstdlib>

#include "wire/fail.h"

namespace millrace::bench {

Options::Options(int argc, char** argv, const std::vector<std::string_view>& known) {
  for (int at = 0; at < argc; at += 2) {
    const std::string_view name = argv[at];
    if (name == "--") {
      command_ = argv + at + 1;
      return;
    }
    if (!name.starts_with("--") || std::ranges::find(known, name.substr(2)) == known.end()) {
      Fail("Unknown option %s.", argv[at]);
    }
    if (at + 1 == argc) {
      Fail("%s needs a value.", argv[at]);
    }
    values_.emplace(name.substr(2), argv[at + 1]);
  }
}

std::string Options::Text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    Fail("--%s is required.", name.c_str());
  }
  return found->second;
}

std::string Options::Text(const std::string& name, std::string_view otherwise) const {
  return values_.contains(name) ? values_.at(name) : std::string(otherwise);
}

int64_t Options::Number(const std::string& name) const {
  const std::string text = Text(name);
  char* end = nullptr;
  const int64_t value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') {
    Fail("--%s is %s, which is no whole number.", name.c_str(), text.c_str());
  }
  return value;
}

int64_t Options::Number(const std::string& name, int64_t otherwise) const {
  return values_.contains(name) ? Number(name) : otherwise;
}

}  // namespace millrace::bench
