// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tutti::testing {

/// What a program answered.
struct Answer {
  int status = 0;  ///< exit status; 128 + signal if it was killed
  std::string out, err;
};

/// A folder of its own for one test, gone afterwards.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  /// Runs `tutti` with these arguments in this folder, as a user would; temporary files go to
  /// `tmp/` here.
  /// @param interrupt_after seconds after which it gets SIGINT; 0: never
  Answer tutti(const std::vector<std::string>& arguments, double interrupt_after = 0) const;
  /// A signal that it gets, so many seconds after its start.
  struct Signal {
    double after;
    int number;
  };
  Answer tutti(const std::vector<std::string>& arguments, const std::vector<Signal>& signals) const;
  /// Runs a shell command there, in which $TUTTI is the program: for limits and redirections.
  Answer shell(const std::string& command) const;
  /// What `tutti` left behind in its temporary folder.
  std::size_t leftover_count() const;

 private:
  Answer execute(const std::vector<std::string>& command, const std::vector<Signal>& signals) const;
  std::filesystem::path path_;
};

/// An FMU of the kit: fmu("2.0", "BouncingBall").
std::string fmu(const std::string& version, const std::string& name);

/// The rows of a CSV text, header first.
std::vector<std::vector<std::string>> csv_rows(const std::string& text);

}  // namespace tutti::testing
