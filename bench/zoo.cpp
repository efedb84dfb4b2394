// SPDX-License-Identifier: BSD-2-Clause
// Runs the systems of tests/zoo with method = "auto" and prints a row for each run; see
// docs/algorithms/zoo.md. bench/zoo.py makes the tables.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <tutti/worker.hpp>

#include "zoo/run.hpp"
#include "zoo_best.hpp"

namespace {

using namespace zoo;

struct Options {
  std::string fmus, systems, classes, tolerances;
  double seconds = 30;
  int jobs = 1;
  bool references = false, best = false, estimates = false;
};

/// An item of a list a,b,c; an empty list matches everything, `linear*` all names that start so.
bool wants(const std::string& list, const std::string& item) {
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string one = list.substr(start, end - start);
    if (one == item || (one.ends_with('*') && item.starts_with(one.substr(0, one.size() - 1))))
      return true;
    start = end + 1;
  }
  return list.empty();
}

/// One write per line, so that lines of several processes do not mix.
void print(const std::string& line) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = write(STDOUT_FILENO, line.data() + done, line.size() - done);
    if (count <= 0) std::exit(2);
    done += static_cast<std::size_t>(count);
  }
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[500];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// The difference of two references of different tolerances.
void compare_references(const System& system, const Reference& reference) {
  const Reference other(system, 1e-12);
  double worst = 0;
  for (std::size_t k = 0; k < reference.names().size(); ++k)
    for (int i = 0; i <= 1000; ++i) {
      const double t = system.span * i / 1000;
      const double off = other.distance(k, t, system.has_events ? 1e-9 : 0, reference.at(k, t));
      worst = std::max(worst, off / (1 + other.largest(k)));
    }
  print(text("%s,%zu,%zu,%.1e\n", system.name.c_str(), reference.steps(), other.steps(), worst));
}

/// The error of each output beside the estimate of the run.
void print_estimates(const System& system, Ability ability, const char* tolerance, const Run& run) {
  for (const OutputError& output : run.outputs)
    print(text("%s,%s,%s,%s,%.3g,", system.name.c_str(), name_of(ability).c_str(), tolerance,
               output.name.c_str(), output.error) +
          (output.estimated ? text("%.3g,%.3g\n", *output.estimated,
                                   *output.estimated / std::max(output.error, 1e-300))
                            : ",\n"));
}

void run(const System& system, const Reference& reference, const Runner& runner,
         const Options& options, Ability ability) {
  Best best(runner, system, reference, ability);
  for (const char* tolerance : {"1e-3", "1e-5", "1e-7"}) {
    if (!wants(options.tolerances, tolerance)) continue;
    const double value = std::stod(tolerance);
    const Run one = runner.run_automatic(system, reference, ability, value, options.seconds);
    if (options.estimates) {
      print_estimates(system, ability, tolerance, one);
      continue;
    }
    const Verdict verdict = verdict_of(one, value);
    std::string line =
        text("%s,%s,%s,%g,%s,%.3g,%lu,", system.name.c_str(), name_of(ability).c_str(), tolerance,
             system.stiffness, name_of(verdict).c_str(), one.error / value, one.calls);
    std::optional<Best::Found> found;
    if (options.best && verdict <= Verdict::within_100)
      found = best.cheapest(std::max(value, one.error), shift_of(system, value));
    line += found ? text("%lu,\"%s\",", found->calls, found->way.c_str()) : ",,";
    line += text("%d,%.2f,\"", one.status, one.seconds);
    for (const char c : one.message.substr(0, 1000)) line += c == '"' ? '\'' : c == '\n' ? ' ' : c;
    print(line + "\"\n");
  }
}

/// Every `jobs`-th system, from the one with number `first`.
void run_share(const Options& options, const Runner& runner, std::size_t first) {
  const auto jobs = static_cast<std::size_t>(options.jobs);
  std::size_t number = 0;
  for (const System& system : systems()) {
    if (!wants(options.systems, system.name) || number++ % jobs != first) continue;
    const Reference reference(system);
    if (options.references) {
      compare_references(system, reference);
      continue;
    }
    for (const Ability ability : abilities)
      if (wants(options.classes, name_of(ability)))
        run(system, reference, runner, options, ability);
  }
}

Options read(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string option = arguments[i];
    const auto value = [&]() -> std::string { return i + 1 < count ? arguments[++i] : ""; };
    if (option == "--systems")
      options.systems = value();
    else if (option == "--classes")
      options.classes = value();
    else if (option == "--tolerances")
      options.tolerances = value();
    else if (option == "--seconds")
      options.seconds = std::atof(value().c_str());
    else if (option == "-j")
      options.jobs = std::max(1, std::atoi(value().c_str()));
    else if (option == "--references")
      options.references = true;
    else if (option == "--estimates")
      options.estimates = true;
    else if (option == "--best")
      options.best = true;
    else
      options.fmus = std::filesystem::absolute(option);
  }
  return options;
}

}  // namespace

int main(int count, char** arguments) {
  if (tutti::is_worker(count, arguments)) return tutti::serve_worker(count, arguments);
  const Options options = read(count, arguments);
  char scratch[] = "/tmp/zoo-XXXXXX";
  if (options.fmus.empty() || !mkdtemp(scratch)) {
    std::fprintf(stderr,
                 "zoo FOLDER_OF_FMUS [--systems A,B*] [--classes all,values,forward,neither]\n"
                 "  [--tolerances 1e-3,1e-5,1e-7] [--seconds S] [-j N] [--best] [--references] "
                 "[--estimates]\n");
    return 2;
  }
  print(options.references ? "system,steps,steps2,difference\n"
        : options.estimates
            ? "system,class,tolerance,output,error,estimated,ratio\n"
            : "system,class,tolerance,stiffness,outcome,error,calls,best calls,best way,status,"
              "seconds,message\n");
  for (int job = 0; job < options.jobs; ++job) {
    if (fork() != 0) continue;
    const std::string own = scratch + std::string("/") + std::to_string(job);
    std::filesystem::create_directory(own);
    run_share(options, Runner(options.fmus, own), static_cast<std::size_t>(job));
    std::_Exit(0);
  }
  bool failed = false;
  for (int status = 0; wait(&status) > 0;) failed = failed || status != 0;
  std::filesystem::remove_all(scratch);
  return failed ? 2 : 0;
}
