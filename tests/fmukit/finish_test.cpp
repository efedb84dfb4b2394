// SPDX-License-Identifier: BSD-2-Clause
#include "core/capabilities.hpp"

#include <gtest/gtest.h>
#include <fmukit/model.hpp>

#include <algorithm>

namespace {

using fmukit::Description;
using fmukit::make_model_info;
using fmukit::Model;

/// Whether the description of M is refused with a message that contains `text`.
template <class M>
testing::AssertionResult refuses(const std::string& text) {
  const fmukit::ModelInfo info = make_model_info<M>("M");
  for (const std::string& error : info.errors)
    if (error.find(text) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no error says: " << text;
}

TEST(Description, MayNotDeclareANameTwice) {
  struct M : Model {
    double a = 0, b = 0;
    static void describe(Description<M>& d) {
      d.local("a", &M::a);
      d.local("a", &M::b);
    }
  };
  EXPECT_TRUE(refuses<M>("variable \"a\" is declared twice"));
}

TEST(Description, MayOnlyNameWhatIsThere) {
  struct M : Model {
    double a = 0, b = 0;
    static void describe(Description<M>& d) {
      d.local("a", &M::a).derivative_of("x");
      d.output("b", &M::b).depends_on({"u"});
    }
  };
  EXPECT_TRUE(refuses<M>("is the derivative of \"x\", which is unknown"));
  EXPECT_TRUE(refuses<M>("depends on \"u\", which is unknown"));
}

TEST(Description, MayGiveUnitsToFloatsOnly) {
  struct M : Model {
    int n = 0;
    static void describe(Description<M>& d) { d.local("n", &M::n).unit("m"); }
  };
  EXPECT_TRUE(refuses<M>("is not a float"));
}

TEST(Description, MustGiveVectorsTheSizeOfTheirDimensions) {
  struct M : Model {
    std::uint64_t n = 3;
    std::vector<double> x{1, 2};
    static void describe(Description<M>& d) {
      d.structural_parameter("n", &M::n);
      d.input("x", &M::x).size({"n"});
    }
  };
  EXPECT_TRUE(refuses<M>("has 2 elements, but its dimensions give 3"));
}

TEST(Description, MustNameTheValuesOfEnumerations) {
  enum class Color { red = 1 };
  struct M : Model {
    Color color = Color::red;
    static void describe(Description<M>& d) { d.input("color", &M::color); }
  };
  EXPECT_TRUE(refuses<M>("was not named with enumeration()"));
}

TEST(Description, MayNotPointOutOfTheObject) {
  static double elsewhere = 0;
  struct M : Model {
    static void describe(Description<M>& d) {
      d.local("a", [](M&) -> double& { return elsewhere; });
    }
  };
  EXPECT_TRUE(refuses<M>("does not lie inside the object"));
}

struct Hidden : Model {
  double y = 0, memory = 0;
  static void describe(Description<Hidden>& d) { d.output("y", &Hidden::y); }
};
struct Declared : Model {
  double y = 0;
  std::vector<int> memory;
  static void describe(Description<Declared>& d) {
    d.output("y", &Declared::y);
    d.memory(&Declared::memory);
  }
};

TEST(Serialization, IsOfferedOnlyIfAllMembersAreDeclared) {
  EXPECT_FALSE(capabilities(make_model_info<Hidden>("M")).serialize);
  EXPECT_TRUE(capabilities(make_model_info<Hidden>("M")).get_set_state);
  EXPECT_TRUE(capabilities(make_model_info<Declared>("M")).serialize);
}

TEST(Token, ChangesWithTheDescription) {
  struct Other : Model {
    double y = 1;  // another start value
    std::vector<int> memory;
    static void describe(Description<Other>& d) {
      d.output("y", &Other::y);
      d.memory(&Other::memory);
    }
  };
  const auto token = [](const fmukit::ModelInfo& info) { return instantiation_token(info, "2.0"); };
  EXPECT_EQ(token(make_model_info<Declared>("M")), token(make_model_info<Declared>("M")));
  EXPECT_NE(token(make_model_info<Declared>("M")), token(make_model_info<Other>("M")));
}

}  // namespace
