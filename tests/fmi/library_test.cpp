// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/library.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "fmi/elf.hpp"
#include "fmi/support/fixture.hpp"
#include "support/places.hpp"

namespace tutti::fmi::test {
namespace {

namespace fs = std::filesystem;

/// An unpacked copy of an FMU that a test may damage.
class UnpackedCopy : public testing::Test {
 protected:
  void unpack(const std::string& version, const std::string& model) {
    folder_ = scratch_.path() / "fmu";
    fs::copy(open_fmu(version, model)->folder(), folder_, fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(folder_ / "binaries")) {
      platform_ = entry.path();
    }
  }
  Owned<CoSimulation> instantiate(const Log& log = {}) {
    return Fmu::open(folder_, {}, log)->instantiate_co_simulation(named("it"));
  }
  static void write(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }

  ScratchFolder scratch_;
  fs::path folder_;
  fs::path platform_;
};

TEST_F(UnpackedCopy, RunsFromItsFolder) {
  unpack("2.0", "Dahlquist");
  const auto it = instantiate();
  initialize(*it);
  it->do_step(0, 0.1);
}

TEST_F(UnpackedCopy, WithoutOurPlatformNamesTheOthers) {
  unpack("2.0", "Dahlquist");
  fs::rename(platform_, folder_ / "binaries/win32");
  fs::create_directory(folder_ / "binaries/darwin64");
  const std::string text = error_of(ErrorCode::binary, [&] { instantiate(); });
  EXPECT_CONTAINS(text, "component \"it\"");
  EXPECT_CONTAINS(text, "it has darwin64, win32");
  fs::create_directory(folder_ / "sources");
  write(folder_ / "sources/all.c", "");
  EXPECT_CONTAINS(error_of(ErrorCode::binary, [&] { instantiate(); }), "add compile to");
}

TEST_F(UnpackedCopy, InTheFolderOfAnotherVersionRunsWithAWarning) {
  const Lines lines;
  unpack("2.0", "Dahlquist");
  if (platform_.filename() != "linux64") GTEST_SKIP() << "both versions use one name here";
  fs::rename(platform_, folder_ / "binaries/x86_64-linux");
  instantiate(lines.log());
  EXPECT_TRUE(lines.contain("warning|||" + folder_.filename().string() +
                            ": the FMU has its binary in binaries/x86_64-linux"));
}

TEST_F(UnpackedCopy, WithAnotherFileNameRunsIfThereIsNoDoubt) {
  const Lines lines;
  unpack("3.0", "Dahlquist");
  fs::rename(platform_ / "Dahlquist.so", platform_ / "other.so");
  instantiate(lines.log());
  EXPECT_TRUE(lines.contain("warning|||" + folder_.filename().string() +
                            ": the FMU's binary is other.so, not Dahlquist.so"));
}

TEST_F(UnpackedCopy, WithSeveralOtherFileNamesSaysWhatIsThere) {
  unpack("3.0", "Dahlquist");
  fs::rename(platform_ / "Dahlquist.so", platform_ / "other.so");
  fs::copy(platform_ / "other.so", platform_ / "third.so");
  const std::string text = error_of(ErrorCode::binary, [&] { instantiate(); });
  EXPECT_CONTAINS(text, "Dahlquist.so");
  EXPECT_CONTAINS(text, "contains: other.so, third.so");
}

TEST_F(UnpackedCopy, WithAFileThatIsNoLibrarySaysSo) {
  unpack("2.0", "Dahlquist");
  write(platform_ / "Dahlquist.so", "this is text");
  EXPECT_CONTAINS(error_of(ErrorCode::binary, [&] { instantiate(); }), "not a shared library");
  write(platform_ / "Dahlquist.so", "MZ and more");
  EXPECT_CONTAINS(error_of(ErrorCode::binary, [&] { instantiate(); }), "a Windows library");
  write(platform_ / "Dahlquist.so", "");
  EXPECT_CONTAINS(error_of(ErrorCode::binary, [&] { instantiate(); }), "not a shared library");
}

TEST_F(UnpackedCopy, ForAnotherMachineNamesBoth) {
  unpack("2.0", "Dahlquist");
  std::fstream file(platform_ / "Dahlquist.so", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(18);  // e_machine
  const char risc_v[] = {static_cast<char>(243), 0};
  file.write(risc_v, 2);
  file.close();
  const std::string text = error_of(ErrorCode::binary, [&] { instantiate(); });
  EXPECT_CONTAINS(text, "compiled for riscv");
  EXPECT_CONTAINS(text, "this machine is " + this_machine());
}

// The name of the C library in the list of needed libraries becomes one that nobody has.
TEST_F(UnpackedCopy, ThatNeedsAMissingLibraryNamesIt) {
  unpack("2.0", "Dahlquist");
  const fs::path library = platform_ / "Dahlquist.so";
  const BinaryFile binary = inspect_binary(library);
  ASSERT_NE(std::find(binary.needed.begin(), binary.needed.end(), "libc.so.6"),
            binary.needed.end());
  std::ifstream in(library, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::size_t at = bytes.find(std::string("\0libc.so.6\0", 11));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at + 1, 9, "libq.so.6");
  write(library, bytes);
  const std::string text = error_of(ErrorCode::binary, [&] { instantiate(); });
  EXPECT_CONTAINS(text, "needs libq.so.6, which was not found");
  EXPECT_CONTAINS(text, "LD_LIBRARY_PATH");
}

TEST_F(UnpackedCopy, ThatBringsALibraryWithoutSayingWhereItIsRunsWithAWarning) {
  const Lines lines;
  unpack("2.0", "faulty_missing_library");
  fs::copy(tutti::places::not_shipped_library(), platform_);
  const auto it = instantiate(lines.log());
  initialize(*it);
  EXPECT_EQ(real(*it, "y"), 1);
  EXPECT_TRUE(
      lines.contain("warning|||libfaulty_not_shipped.so is in the folder of the FMU's binary"));
}

TEST_F(UnpackedCopy, WithAnotherTokenIsRefusedWithTheReasonOfTheFmu) {
  for (const char* const version : {"1.0-cs", "2.0", "3.0"}) {
    unpack(version, "Dahlquist");
    std::ifstream in(folder_ / "modelDescription.xml");
    std::string xml((std::istreambuf_iterator<char>(in)), {});
    for (const char* const name :
         {"guid=\"{", "guid=\"", "instantiationToken=\"{", "instantiationToken=\""}) {
      const std::size_t at = xml.find(name);
      if (at == std::string::npos) continue;
      xml.insert(at + std::string(name).size(), "wrong");
      break;
    }
    write(folder_ / "modelDescription.xml", xml);
    const std::string text = error_of(ErrorCode::fmu, [&] { instantiate(); });
    EXPECT_CONTAINS(text, "could not be instantiated");
    fs::remove_all(folder_);
  }
}

TEST(Binary, OfThisProgramIsElfForThisMachine) {
  const BinaryFile self = inspect_binary("/proc/self/exe");
  EXPECT_EQ(self.kind, BinaryFile::Kind::elf);
  EXPECT_EQ(self.machine, this_machine());
  EXPECT_FALSE(self.needed.empty());
}

TEST(Interfaces, ThatAreMissingAreNamedWithThoseThatExist) {
  const auto fmu = open_fmu("1.0-cs", "Dahlquist");
  const std::string text =
      error_of(ErrorCode::capability, [&] { fmu->instantiate_model_exchange({"it"}); });
  EXPECT_CONTAINS(text, "no interface for model exchange");
  EXPECT_CONTAINS(text, "It has: co-simulation");
}

}  // namespace
}  // namespace tutti::fmi::test
