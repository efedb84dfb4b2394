// SPDX-License-Identifier: BSD-2-Clause
// Linked with a model, this becomes the program that writes its model description:
//   describe 1.0-cs|1.0-me|2.0|3.0 IDENTIFIER INTERFACES OUTPUT     (INTERFACES: cs, me or cs,me)
#include "describe/describe.hpp"

#include <cstdio>
#include <string>

namespace {

int fail(const std::string& message) {
  std::fprintf(stderr, "fmukit: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fmukit;
  if (argc != 5) return fail("usage: describe KIND IDENTIFIER INTERFACES OUTPUT");
  const std::string kind = argv[1], identifier = argv[2], wanted = argv[3], output = argv[4];
  const ModelInfo& info = exported_model();
  for (const std::string& error : info.errors) fail(identifier + ": " + error);
  if (!info.errors.empty()) return 1;

  Interfaces which{wanted.find("cs") != std::string::npos, wanted.find("me") != std::string::npos};
  which.model_exchange = which.model_exchange && capabilities(info).model_exchange;
  std::string xml;
  if (kind == "1.0-cs")
    xml = describe_fmi1(info, identifier, true);
  else if (kind == "1.0-me")
    xml = describe_fmi1(info, identifier, false);
  else if (kind == "2.0")
    xml = describe_fmi2(info, identifier, which);
  else if (kind == "3.0")
    xml = describe_fmi3(info, identifier, which);
  else
    return fail("unknown kind \"" + kind + "\": 1.0-cs, 1.0-me, 2.0 or 3.0");

  std::FILE* file = std::fopen(output.c_str(), "wb");
  if (!file) return fail("cannot write " + output);
  const bool written = std::fwrite(xml.data(), 1, xml.size(), file) == xml.size();
  return std::fclose(file) == 0 && written ? 0 : fail("cannot write " + output);
}
