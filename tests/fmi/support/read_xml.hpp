// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>
#include <vector>

#include "fmi/description/reader.hpp"

namespace tutti::test {

/// Reads descriptions and keeps what was warned of.
class DescriptionTest : public testing::Test {
 protected:
  ModelDescription read(std::string xml) {
    warnings.clear();
    return fmi::read_model_description(std::move(xml), "modelDescription.xml", log);
  }

  /// The message of the error; "" if there is none.
  std::string failure(std::string xml) {
    try {
      read(std::move(xml));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::description);
      return error.what();
    }
    return "";
  }

  /// Whether some warning has all of these parts.
  bool warned(const std::vector<std::string_view>& parts) const {
    for (const std::string& warning : warnings) {
      bool all = true;
      for (const std::string_view part : parts) all = all && warning.find(part) != warning.npos;
      if (all) return true;
    }
    return false;
  }

  std::vector<std::string> warnings;
  Log log{[this](const LogRecord& record) { warnings.emplace_back(record.text); }};
};

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace tutti::test

#define EXPECT_SAYS(text, part) \
  EXPECT_PRED2(tutti::test::contains, std::string(text), std::string(part))
