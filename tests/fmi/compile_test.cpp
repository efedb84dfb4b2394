// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/compile/compile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "fmi/compile/build_description.hpp"
#include "fmi/compile/build_plan.hpp"
#include "fmi/support/fixture.hpp"
#include "support/places.hpp"

namespace tutti::fmi::test {
namespace {

namespace fs = std::filesystem;

/// A variable of the environment that has its old value again afterwards.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class Compiling : public testing::Test {
 protected:
  Compiling() {
    options_.compile.allowed = true;
    options_.compile.cache = scratch_.path() / "cache";
  }
  static fs::path source_fmu(const std::string& version) {
    return tutti::places::fmu_folder() / "sources" / ("SourceDecay" + version + ".fmu");
  }
  /// An unpacked copy that a test may change.
  fs::path unpacked(const std::string& version) {
    const fs::path folder = scratch_.path() / ("fmu" + version);
    fs::copy(Fmu::open(source_fmu(version), {}, {})->folder(), folder, fs::copy_options::recursive);
    return folder;
  }
  Owned<CoSimulation> instantiate(const fs::path& fmu) {
    return Fmu::open(fmu, options_, lines_.log())->instantiate_co_simulation(named("it"));
  }
  std::string refusal(const fs::path& fmu) {
    return error_of(ErrorCode::binary, [&] { instantiate(fmu); });
  }
  fs::path script(const std::string& text) {
    const fs::path file = scratch_.path() / "compiler";
    std::ofstream(file) << "#!/bin/sh\n" << text;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

  ScratchFolder scratch_;
  FmuOptions options_;
  Lines lines_;
};

// x(0.5) = exp(-k/2): k is 1 in the FMU of 2.0, and 2 by the definition in that of 3.0.
TEST_F(Compiling, GivesAnFmuThatRuns) {
  for (const auto& [version, k] : {std::pair("2", 1.0), std::pair("3", 2.0)}) {
    const auto it = instantiate(source_fmu(version));
    initialize(*it);
    it->do_step(0, 0.5);
    EXPECT_DOUBLE_EQ(real(*it, "x"), std::exp(-k / 2)) << version;
  }
  EXPECT_TRUE(lines_.contain("\"-o\" is ignored"));
  EXPECT_FALSE(fs::exists("/tmp/elsewhere"));
}

TEST_F(Compiling, IsDoneOnceForTheSameSources) {
  instantiate(source_fmu("2"));
  EXPECT_EQ(lines_.count("compiling 1 source file with"), 1u);
  instantiate(source_fmu("2"));
  EXPECT_EQ(lines_.count("compiling"), 1u);
  EXPECT_EQ(lines_.count("compiled earlier"), 1u);
  const fs::path folder = unpacked("2");
  instantiate(folder);
  EXPECT_EQ(lines_.count("compiled earlier"), 2u);
  EXPECT_FALSE(fs::exists(folder / "binaries"));
  std::ofstream(folder / "sources/decay.c", std::ios::app) << "/* another */\n";
  instantiate(folder);
  EXPECT_EQ(lines_.count("compiling"), 2u);
}

TEST_F(Compiling, MayHappenTwiceAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { instantiate(source_fmu("2")); });
  for (std::thread& thread : threads) thread.join();
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(options_.compile.cache)) {
    if (entry.is_regular_file()) ++files;
  }
  EXPECT_EQ(files, 1u);
}

TEST_F(Compiling, IsOfferedIfItIsNotAllowed) {
  options_.compile.allowed = false;
  EXPECT_CONTAINS(refusal(source_fmu("3")), "It contains sources: add compile to");
}

TEST_F(Compiling, NeedsACompiler) {
  const Environment path("PATH", "/nowhere"), cc("CC", "");
  EXPECT_CONTAINS(refusal(source_fmu("2")), "none of cc, gcc, clang is on PATH");
  const Environment named("CC", "no-such-cc -m64");
  EXPECT_CONTAINS(refusal(source_fmu("2")),
                  "variable CC names cannot be found: \"no-such-cc -m64\"");
}

TEST_F(Compiling, ShowsTheFirstLinesOfWhatTheCompilerSays) {
  const fs::path folder = unpacked("2");
  std::string text = "#error \"this is wrong\"\n";
  for (int i = 0; i < 100; ++i) text += "#error more\n";
  write(folder / "sources/decay.c", text);
  const std::string refused = refusal(folder);
  EXPECT_CONTAINS(refused, "component \"it\"");
  EXPECT_CONTAINS(refused, "compiling sources/decay.c with");
  EXPECT_CONTAINS(refused, "this is wrong");
  EXPECT_LT(std::count(refused.begin(), refused.end(), '\n'), 20);
}

TEST_F(Compiling, EndsACompilerThatHangsOrCrashes) {
  options_.compile.timeout = 0.3;
  const Environment cc("CC", script("[ \"$1\" = --version ] || sleep 60").string());
  EXPECT_CONTAINS(refusal(source_fmu("2")), "did not end within 0.3 s");
  script("[ \"$1\" = --version ] || kill -9 $$");
  EXPECT_CONTAINS(refusal(source_fmu("2")), "ended by signal 9");
  script("");
  EXPECT_CONTAINS(refusal(source_fmu("2")), "No such file");
}

TEST_F(Compiling, StopsWhenAsked) {
  const Environment cc("CC", script("[ \"$1\" = --version ] || sleep 60").string());
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop = true;
  });
  error_of(ErrorCode::interrupted, [&] { instantiate(source_fmu("2")); });
  user.join();
}

TEST_F(Compiling, NeedsSourcesThatAreThere) {
  const fs::path folder = unpacked("2");
  fs::remove(folder / "sources/decay.c");
  write(folder / "sources/other.txt", "");
  EXPECT_CONTAINS(refusal(folder), "sources/decay.c is missing");
  fs::remove_all(folder / "sources");
  EXPECT_CONTAINS(refusal(folder), "no sources that could be compiled");
  const fs::path third = unpacked("3");
  fs::remove(third / "sources/buildDescription.xml");
  EXPECT_CONTAINS(refusal(third), "no sources/buildDescription.xml");
}

TEST_F(Compiling, AcceptsABuildDescriptionInFmi2) {
  const fs::path folder = unpacked("2");
  fs::rename(folder / "sources/decay.c", folder / "sources/renamed.c");
  write(folder / "sources/buildDescription.xml",
        "<fmiBuildDescription fmiVersion='3.0'><BuildConfiguration modelIdentifier='Another'>"
        "<SourceFileSet><SourceFile name='renamed.c'/></SourceFileSet></BuildConfiguration>"
        "</fmiBuildDescription>");
  instantiate(folder);
  EXPECT_TRUE(lines_.contain("is for \"Another\", not for \"SourceDecay\""));
}

TEST_F(Compiling, NamesTheCacheThatCannotBeWritten) {
  options_.compile.cache = "/proc/nowhere";
  EXPECT_CONTAINS(refusal(source_fmu("2")), "XDG_CACHE_HOME");
}

std::vector<BuildConfiguration> read(const std::string& inside) {
  return read_build_description(
      "<fmiBuildDescription fmiVersion='3.0'>" + inside + "</fmiBuildDescription>", "b.xml");
}
std::string set_refusal(const std::string& part) {
  return error_of(ErrorCode::description, [&] {
    read("<BuildConfiguration modelIdentifier='m'><SourceFileSet>" + part +
         "</SourceFileSet></BuildConfiguration>");
  });
}

TEST(BuildDescription, MustNotLeaveItsFolder) {
  for (const char* const name : {"../a.c", "/a.c", "a/../../b.c", "", "C:\\a.c", "-o", "@file"}) {
    EXPECT_CONTAINS(set_refusal(std::string("<SourceFile name='") + name + "'/>"), "b.xml:1");
    EXPECT_CONTAINS(set_refusal(std::string("<IncludeDirectory name='") + name + "'/>"), "b.xml:1");
  }
  EXPECT_CONTAINS(set_refusal("<PreprocessorDefinition name='A=1 -o x'/>"), "cannot be defined");
  EXPECT_CONTAINS(error_of(ErrorCode::description,
                           [] {
                             read(
                                 "<BuildConfiguration modelIdentifier='m'>"
                                 "<Library name='../x' external='true'/></BuildConfiguration>");
                           }),
                  "not a name of a library");
  EXPECT_EQ(safe_source_path("./a//b.c"), "a/b.c");
}

TEST(BuildDescription, IsChosenByIdentifierPlatformAndCompiler) {
  const auto all = read(
      "<BuildConfiguration modelIdentifier='other'/>"
      "<BuildConfiguration modelIdentifier='m'><SourceFileSet compiler='VisualC'/>"
      "</BuildConfiguration>"
      "<BuildConfiguration modelIdentifier='m' platform='p'><SourceFileSet compiler='gcc'/>"
      "</BuildConfiguration>"
      "<BuildConfiguration modelIdentifier='m' platform='q'/>");
  EXPECT_EQ(&choose_configuration(all, "m", "p", {}), &all[2]);
  EXPECT_EQ(&choose_configuration(all, "m", "q", {}), &all[3]);
  EXPECT_EQ(&choose_configuration(all, "m", "r", {}), &all[1]);
  EXPECT_CONTAINS(error_of(ErrorCode::binary, [&] { choose_configuration(all, "x", "p", {}); }),
                  "other for any platform");
}

TEST(CompilerOptions, ThatOnlySteerTheTranslationAreKept) {
  for (const char* const good : {"-O3", "-DA=1", "-fno-strict-aliasing", "-march=native", "-Wall"})
    EXPECT_TRUE(is_harmless_option(good)) << good;
  for (const char* const bad : {"-o", "-fplugin=evil.so", "-Wl,-z", "@file", "-I/etc", "-wrapper",
                                "-B.", "x.c", "-fdump-tree-all=/tmp/x", "-specs=x", "--version"})
    EXPECT_FALSE(is_harmless_option(bad)) << bad;
}

TEST(Toolchain, KnowsLanguagesByNameAndSuffix) {
  EXPECT_EQ(language_of("C++11", "a.c"), Language::cpp);
  EXPECT_EQ(language_of("", "a.cpp"), Language::cpp);
  EXPECT_EQ(language_of("", "a.c"), Language::c);
  EXPECT_EQ(standard_option("C99"), "-std=gnu99");
  EXPECT_EQ(standard_option("C++17"), "-std=gnu++17");
  EXPECT_EQ(standard_option("C"), "");
  EXPECT_EQ(standard_option("Fortran"), "");
}

}  // namespace
}  // namespace tutti::fmi::test
