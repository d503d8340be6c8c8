// Command line of the load generator: `--name value` pairs after the subcommand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::bench {

class Options {
 public:
  // Takes the arguments after the subcommand; what follows `--` is kept as a command. Ends the
  // process when a name is not among `known`.
  Options(int argc, char** argv, const std::vector<std::string_view>& known);

  // Ends the process when the option is missing or not a number where one is asked for.
  std::string Text(const std::string& name) const;
  std::string Text(const std::string& name, std::string_view otherwise) const;
  int64_t Number(const std::string& name) const;
  int64_t Number(const std::string& name, int64_t otherwise) const;

  // The null-terminated command after `--`, or null.
  char** command() const { return command_; }

 private:
  std::map<std::string, std::string> values_;
  char** command_ = nullptr;
};

}  // namespace millrace::bench
