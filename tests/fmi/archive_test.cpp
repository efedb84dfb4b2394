// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/archive.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <tutti/error.hpp>
#include <vector>

#include "fmi/support/read_xml.hpp"
#include "fmi/temporary_folder.hpp"
#include "support/zip_writer.hpp"

namespace tutti::fmi {
namespace {

namespace fs = std::filesystem;
using test::make_zip;
using test::ZipItem;

class ArchiveTest : public testing::Test {
 protected:
  /// An FMU with a description and these entries.
  fs::path fmu(std::vector<ZipItem> items, std::string_view name = "a.fmu") {
    items.insert(items.begin(), {"modelDescription.xml", test::minimal_description()});
    return folder.write(name, make_zip(items));
  }

  /// The message with which a file is refused; "" if it can be extracted.
  std::string refusal(const fs::path& file, ErrorCode code = ErrorCode::archive) {
    try {
      unpack(file, options, log);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    return "";
  }
  std::string refusal_of_entry(ZipItem item) { return refusal(fmu({std::move(item)})); }

  test::TestFolder folder;
  FmuOptions options;
  std::vector<std::string> warnings;
  Log log{[this](const LogRecord& record) { warnings.emplace_back(record.text); }};
};

TEST_F(ArchiveTest, UnpacksFilesAndFoldersWithTheirContent) {
  const std::string big(300'000, 'x');
  const UnpackedFmu unpacked = unpack(fmu({{"resources/", "", false, 040755},
                                           {"resources/a b/größe µ.txt", "hello"},
                                           {"resources/big.bin", big, true},
                                           {"documentation/empty.txt", ""}},
                                          "ein ä fmu.fmu"),
                                      options, log);
  EXPECT_EQ(test::read_file(unpacked.root / "resources/a b/größe µ.txt"), "hello");
  EXPECT_EQ(test::read_file(unpacked.root / "resources/big.bin"), big);
  EXPECT_TRUE(fs::exists(unpacked.root / "documentation/empty.txt"));
  EXPECT_EQ(test::read_file(unpacked.root / "modelDescription.xml"), test::minimal_description());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ArchiveTest, FilesAreForThisUserOnlyAndBinariesExecutable) {
  const UnpackedFmu unpacked = unpack(fmu({{"binaries/linux64/m.so", "x", false, 0100666},
                                           {"resources/tool", "x", false, 0100755},
                                           {"resources/data", "x", false, 0100666}}),
                                      options, log);
  const auto mode = [&](const char* path) {
    return fs::status(unpacked.root / path).permissions();
  };
  EXPECT_EQ(mode("."), fs::perms::owner_all);
  EXPECT_EQ(mode("binaries/linux64"), fs::perms::owner_all);
  EXPECT_EQ(mode("binaries/linux64/m.so"), fs::perms::owner_all);
  EXPECT_EQ(mode("resources/tool"), fs::perms::owner_all);
  EXPECT_EQ(mode("resources/data"), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(ArchiveTest, TheTemporaryFolderGoesWithTheUnpackedFmu) {
  fs::path root;
  {
    UnpackedFmu unpacked = unpack(fmu({{"a/b/c.txt", "x"}}), options, log);
    root = unpacked.root;
    const UnpackedFmu moved = std::move(unpacked);
    EXPECT_TRUE(fs::exists(root / "a/b/c.txt"));
  }
  EXPECT_FALSE(fs::exists(root));
}

TEST_F(ArchiveTest, NothingIsLeftWhenUnpackingFails) {
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before != nullptr ? before : "";
  const fs::path own = folder.path() / "tmp";
  fs::create_directory(own);
  setenv("TMPDIR", own.c_str(), 1);
  EXPECT_SAYS(refusal_of_entry({.name = "x", .data = "abc", .crc = 1}), "damaged");
  EXPECT_TRUE(fs::is_empty(own));
  before != nullptr ? setenv("TMPDIR", saved.c_str(), 1) : unsetenv("TMPDIR");
}

TEST_F(ArchiveTest, RefusesPathsThatLeadOutside) {
  for (const char* name :
       {"../x", "..\\x", "a/../../b", "a\\..\\..\\b", "a/..", "resources/../../../etc/x", "/etc/x",
        "\\x", "\\\\server\\x", "C:\\x", "c:x", "C:/x"}) {
    const std::string message = refusal_of_entry({.name = name, .data = "x"});
    EXPECT_SAYS(message, name);
    EXPECT_SAYS(message, "a.fmu");
  }
}

TEST_F(ArchiveTest, RefusesLinksAndSpecialFiles) {
  EXPECT_SAYS(refusal_of_entry({.name = "l", .data = "/etc/passwd", .mode = 0120777}),
              "symbolic link");
  EXPECT_SAYS(refusal_of_entry({.name = "l", .data = "x", .mode = 0120777, .system = 0}),
              "symbolic link");
  EXPECT_SAYS(refusal_of_entry({.name = "d", .data = "", .mode = 0020666}), "special file");
  EXPECT_SAYS(refusal_of_entry({.name = "p", .data = "", .mode = 0010666}), "special file");
}

TEST_F(ArchiveTest, RefusesEncryptedEntries) {
  EXPECT_SAYS(refusal_of_entry({.name = "s", .data = std::string(20, 'x'), .flags = 1}),
              "encrypted");
}

TEST_F(ArchiveTest, RefusesUnknownCompression) {
  EXPECT_SAYS(refusal_of_entry({.name = "s", .data = "x", .method = 77}), "compression method");
}

// libzip reads a NUL as a blank, so a name cannot be one thing when judged and another on disk.
TEST_F(ArchiveTest, ANulInANameDoesNotCutItOff) {
  const std::string name("a.txt\0.so", 9);
  const UnpackedFmu unpacked = unpack(fmu({{.name = name, .data = "x", .flags = 0}}), options, log);
  EXPECT_TRUE(fs::exists(unpacked.root / "a.txt .so"));
}

TEST_F(ArchiveTest, RefusesOnePathAsFileAndFolder) {
  EXPECT_SAYS(refusal(fmu({{"a", "x"}, {"a/b", "y"}})), "\"a\" is a file");
  EXPECT_SAYS(refusal(fmu({{"a/b", "y"}, {"a", "x"}})), "\"a\" is a file");
  EXPECT_SAYS(refusal(fmu({{"a/", "", false, 040755}, {"a", "x"}})), "both a file and a folder");
}

TEST_F(ArchiveTest, RefusesWrongChecksumsAndForgedSizes) {
  EXPECT_SAYS(refusal_of_entry({.name = "x", .data = "abc", .crc = 12345}), "damaged");
  const std::string data(100'000, 'x');
  EXPECT_SAYS(refusal_of_entry({.name = "x", .data = data, .deflate = true, .size = 10}), "size");
  EXPECT_NE(refusal_of_entry({.name = "x", .data = "abc", .deflate = true, .size = 4000}), "");
}

TEST_F(ArchiveTest, AForgedDescriptionIsNotRead) {
  const fs::path file = folder.write("a.fmu", make_zip({{.name = "modelDescription.xml",
                                                         .data = std::string(100'000, ' '),
                                                         .deflate = true,
                                                         .size = 10}}));
  const Archive archive(file, options, log);
  EXPECT_THROW(archive.read("modelDescription.xml", 1 << 20), Error);
}

TEST_F(ArchiveTest, RefusesBombsBySizeCountAndRatio) {
  options.limits.total_bytes = 1000;
  EXPECT_SAYS(refusal(fmu({{"a", std::string(500, 'x')}, {"b", std::string(500, 'x')}})), "1000");
  options.limits = {};
  EXPECT_SAYS(refusal_of_entry({.name = "x", .data = "x", .size = 4'000'000'000u}),
              "times as many");
  options.limits.entries = 2;
  EXPECT_SAYS(refusal(fmu({{"a", "x"}, {"b", "x"}})), "3 entries");
  options.limits = {};
  options.limits.description_bytes = 10;
  const Archive archive(fmu({}), options, log);
  EXPECT_THROW(archive.read("modelDescription.xml", options.limits.description_bytes), Error);
}

TEST_F(ArchiveTest, RefusesTruncatedArchives) {
  const std::string whole = make_zip({{"modelDescription.xml", test::minimal_description()}});
  for (const std::size_t size :
       {whole.size() - 1, whole.size() / 2, std::size_t{40}, std::size_t{4}}) {
    EXPECT_SAYS(refusal(folder.write("cut.fmu", whole.substr(0, size))), "cut.fmu");
  }
}

// Flipping any one byte must end in a refusal or in success, never in a crash or a hang.
TEST_F(ArchiveTest, SurvivesAnyFlippedByte) {
  const std::string whole = make_zip(
      {{"modelDescription.xml", test::minimal_description(), true}, {"resources/a.txt", "hello"}});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x41);
    try {
      unpack(folder.write("flipped.fmu", flipped), options, {});
    } catch (const Error& error) {
      EXPECT_SAYS(error.what(), "flipped.fmu");
    }
  }
}

TEST_F(ArchiveTest, TheFirstOfDuplicateEntriesWins) {
  const UnpackedFmu unpacked =
      unpack(fmu({{"a.txt", "first"}, {"./a.txt", "second"}}), options, log);
  EXPECT_EQ(test::read_file(unpacked.root / "a.txt"), "first");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_SAYS(warnings[0], "duplicated");
}

TEST_F(ArchiveTest, BackslashesAreSeparatorsWithAWarning) {
  const UnpackedFmu unpacked =
      unpack(fmu({{.name = "resources\\sub\\a.txt", .data = "x", .mode = 0, .system = 0},
                  {.name = "binaries\\", .data = "", .mode = 0, .system = 0}}),
             options, log);
  EXPECT_EQ(test::read_file(unpacked.root / "resources/sub/a.txt"), "x");
  EXPECT_TRUE(fs::is_directory(unpacked.root / "binaries"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_SAYS(warnings[0], "backslashes");
}

TEST_F(ArchiveTest, NamesInCodePage437AreRead) {
  const UnpackedFmu unpacked = unpack(fmu({{.name = "gr\x94\xE1"
                                                    "e.txt",
                                            .data = "x",
                                            .flags = 0}}),
                                      options, log);
  EXPECT_EQ(test::read_file(unpacked.root / "größe.txt"), "x");
}

TEST_F(ArchiveTest, SaysWhatIsNotAnFmu) {
  EXPECT_SAYS(refusal(folder.path() / "missing.fmu", ErrorCode::file), "no file");
  EXPECT_SAYS(refusal(folder.write("empty.fmu", "")), "empty");
  EXPECT_SAYS(refusal(folder.write("md.fmu", "<?xml version=\"1.0\"?><fmiModelDescription/>")),
              "XML");
  EXPECT_SAYS(refusal(folder.write("page.fmu", "<!DOCTYPE html><html></html>")), "web page");
  EXPECT_SAYS(refusal(folder.write("lib.fmu",
                                   "\x7f"
                                   "ELF\2\1\1")),
              "shared library");
  EXPECT_SAYS(refusal(folder.write("text.fmu", "hello")), "not a zip file");
  EXPECT_SAYS(refusal(folder.write("system.ssp", make_zip({{"SystemStructure.ssd", "x"}}))), "SSP");
  EXPECT_SAYS(refusal(folder.write("outer.fmu", make_zip({{"m/modelDescription.xml", "x"}}))),
              "m/modelDescription.xml");
  fs::create_directory(folder.path() / "sub");
  EXPECT_SAYS(refusal(folder.path() / "sub"), "not an unpacked FMU");
}

TEST_F(ArchiveTest, APipeIsRefusedInsteadOfWaitedFor) {
  const fs::path pipe = folder.path() / "pipe.fmu";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_SAYS(refusal(pipe, ErrorCode::file), "neither a file nor a folder");
}

TEST_F(ArchiveTest, AnUnpackedFolderWorksLikeAnArchive) {
  folder.write("un packed/modelDescription.xml", test::minimal_description());
  folder.write("un packed/binaries/linux64/m.so", "x");
  const fs::path fmu_folder = folder.path() / "un packed";
  const UnpackedFmu unpacked = unpack(fmu_folder, options, log);
  EXPECT_EQ(unpacked.root, fmu_folder);
  EXPECT_FALSE(unpacked.temporary.has_value());
  EXPECT_EQ(read_description(fmu_folder, options, log).model_name, "m");
  EXPECT_EQ(list_contents(fmu_folder).platforms, std::vector<std::string>{"linux64"});
}

TEST_F(ArchiveTest, ContentsAreListedWithoutUnpacking) {
  const FmuContents contents = list_contents(fmu({{"binaries/win64/m.dll", "x"},
                                                  {"binaries/linux64/m.so", "xy"},
                                                  {"binaries/darwin64/", "", false, 040755},
                                                  {"sources/m.c", "x"}}));
  EXPECT_EQ(contents.platforms, (std::vector<std::string>{"linux64", "win64"}));
  EXPECT_TRUE(contents.has_sources);
  EXPECT_FALSE(contents.has_documentation);
  EXPECT_EQ(contents.files, 4u);
}

TEST_F(ArchiveTest, StopsWhenAsked) {
  std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_SAYS(refusal(fmu({}), ErrorCode::interrupted), "interrupted");
}

TEST(TemporaryFolder, IsPrivateAndRemovedWithReadOnlyFoldersInIt) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_TRUE(path.filename().string().starts_with("tutti-"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(path / "a/b");
    fs::permissions(path / "a", fs::perms::owner_read);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace tutti::fmi
