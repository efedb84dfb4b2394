// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

enum class Option { low = 1, middle, high };

/// Every output is the input of the same type; parameters of several kinds stand beside.
class Feedthrough final : public fmukit::Model {
 public:
  double real_in = 0, real_out = 0;
  double discrete_in = 0, discrete_out = 0;
  float float32_in = 0, float32_out = 0;
  std::int8_t int8_in = 0, int8_out = 0;
  std::int16_t int16_in = 0, int16_out = 0;
  std::int32_t int32_in = 0, int32_out = 0;
  std::int64_t int64_in = 0, int64_out = 0;
  std::uint8_t uint8_in = 0, uint8_out = 0;
  std::uint16_t uint16_in = 0, uint16_out = 0;
  std::uint32_t uint32_in = 0, uint32_out = 0;
  std::uint64_t uint64_in = 0, uint64_out = 0;
  bool boolean_in = false, boolean_out = false;
  std::string string_in = "Set me!", string_out;
  fmukit::Binary binary_in{{0x66, 0x6f, 0x6f}}, binary_out;
  Option option_in = Option::low, option_out = Option::low;
  std::array<double, 3> array_in{1, 2, 3}, array_out{};
  std::array<std::array<double, 2>, 2> matrix_in{{{1, 2}, {3, 4}}}, matrix_out{};
  std::array<bool, 2> flags_in{true, false}, flags_out{};
  std::vector<std::string> words_in{"first", "second & <last>"}, words_out{"", ""};
  double fixed = 0, tunable = 0;
  std::string label = "a label";

  static void describe(fmukit::Description<Feedthrough>& d) {
    using F = Feedthrough;
    d.text("Outputs that equal inputs, of all types")
        .default_experiment({.start = 0, .stop = 2, .step = 0.1});
    d.enumeration<Option>(
        "Option", {{Option::low, "low"}, {Option::middle, "middle"}, {Option::high, "high"}});
    d.parameter("fixed", &F::fixed).text("real parameter");
    d.parameter("tunable", &F::tunable).text("tunable real parameter").tunable();
    d.parameter("label", &F::label).text("string parameter");
    d.input("real_in", &F::real_in);
    d.output("real_out", &F::real_out).depends_on({"real_in"});
    d.input("discrete_in", &F::discrete_in).discrete();
    d.output("discrete_out", &F::discrete_out).discrete().depends_on({"discrete_in"});
    pair(d, "float32", &F::float32_in, &F::float32_out);
    pair(d, "int8", &F::int8_in, &F::int8_out);
    pair(d, "int16", &F::int16_in, &F::int16_out);
    pair(d, "int32", &F::int32_in, &F::int32_out);
    pair(d, "int64", &F::int64_in, &F::int64_out);
    pair(d, "uint8", &F::uint8_in, &F::uint8_out);
    pair(d, "uint16", &F::uint16_in, &F::uint16_out);
    pair(d, "uint32", &F::uint32_in, &F::uint32_out);
    pair(d, "uint64", &F::uint64_in, &F::uint64_out);
    pair(d, "boolean", &F::boolean_in, &F::boolean_out);
    pair(d, "string", &F::string_in, &F::string_out);
    pair(d, "binary", &F::binary_in, &F::binary_out);
    pair(d, "option", &F::option_in, &F::option_out);
    pair(d, "array", &F::array_in, &F::array_out);
    pair(d, "matrix", &F::matrix_in, &F::matrix_out);
    pair(d, "flags", &F::flags_in, &F::flags_out);
    pair(d, "words", &F::words_in, &F::words_out);
  }

  void outputs() override {
    real_out = real_in;
    discrete_out = discrete_in;
    float32_out = float32_in;
    int8_out = int8_in;
    int16_out = int16_in;
    int32_out = int32_in;
    int64_out = int64_in;
    uint8_out = uint8_in;
    uint16_out = uint16_in;
    uint32_out = uint32_in;
    uint64_out = uint64_in;
    boolean_out = boolean_in;
    string_out = string_in;
    binary_out = binary_in;
    option_out = option_in;
    array_out = array_in;
    matrix_out = matrix_in;
    flags_out = flags_in;
    words_out = words_in;
  }

 private:
  template <class T>
  static void pair(fmukit::Description<Feedthrough>& d, const std::string& name, T Feedthrough::*in,
                   T Feedthrough::*out) {
    d.input(name + "_in", in);
    d.output(name + "_out", out).depends_on({fmukit::Dependency(name + "_in")});
  }
};

FMUKIT_EXPORT(Feedthrough)
