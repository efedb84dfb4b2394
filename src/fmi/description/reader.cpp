// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/description/reader.hpp"

#include <utility>

#include "fmi/description/context.hpp"

namespace tutti::fmi {
namespace {

/// "3.0.2" or "3.0" is of the line "3.0"; "3.0-beta" and "3.01" are not.
bool is_of(std::string_view version, std::string_view line) {
  if (!version.starts_with(line)) return false;
  const std::string_view rest = version.substr(line.size());
  return rest.empty() || (rest[0] == '.' && rest.find('-') == rest.npos);
}

FmiVersion read_version(Context& context, pugi::xml_node root) {
  const pugi::xml_attribute attribute = root.attribute("fmiVersion");
  if (!attribute) {
    context.fail(root, "<{}> has no fmiVersion. Export the FMU again.", root.name());
  }
  const std::string_view version = trim(attribute.value());
  context.result.version_text = version;
  if (is_of(version, "1.0")) return FmiVersion::v1;
  if (is_of(version, "2.0")) return FmiVersion::v2;
  if (is_of(version, "3.0")) return FmiVersion::v3;
  if (version.starts_with("3.") && version.find('-') == version.npos) {
    context.result.version = FmiVersion::v3;
    context.warn(Rule::version, {}, attribute,
                 "FMI {} is newer than the supported versions; read as FMI 3.0", version);
    return FmiVersion::v3;
  }
  if (version.find('-') != version.npos) {
    context.fail(
        attribute,
        "fmiVersion=\"{}\" is a draft of the standard, which is not supported. Export the FMU "
        "for FMI 1.0, 2.0 or 3.0.",
        version);
  }
  context.fail(attribute,
               "fmiVersion=\"{}\" is not supported. Export the FMU for FMI 1.0, 2.0 or 3.0.",
               version);
}

/// These numbers determine the size of allocations.
void check_counts(const Context& context) {
  constexpr std::size_t most = 10'000'000;
  const auto check = [&](std::size_t count, std::string_view what) {
    if (count <= most) return;
    context.fail(context.xml.root(), "the model has {} {}, more than {}, the limit", count, what,
                 most);
  };
  check(context.result.continuous_state_count, "continuous states");
  check(context.result.event_indicator_count, "event indicators");
}

}  // namespace

ModelDescription read_model_description(std::string xml, std::string_view file, const Log& log,
                                        const ArchiveLimits& limits, const BreachSink* breaches) {
  Context context(std::move(xml), file, log, limits, breaches);
  const pugi::xml_node root = context.xml.root();
  if (root.name() != std::string_view("fmiModelDescription")) {
    context.fail(root, "the root element is <{}>, not <fmiModelDescription>. Export the FMU again.",
                 root.name());
  }
  context.result.version = read_version(context, root);
  if (context.xml.encoding_guessed()) {
    context.warn(Rule::encoding, {}, root, "the file is not UTF-8; read as Windows-1252");
  }
  constexpr void (*readers[])(Context&) = {read_v1, read_v2, read_v3};
  readers[static_cast<std::size_t>(context.result.version)](context);
  check_counts(context);
  context.finish_warnings();
  return std::move(context.result);
}

}  // namespace tutti::fmi
