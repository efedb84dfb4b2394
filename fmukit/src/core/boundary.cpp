// SPDX-License-Identifier: BSD-2-Clause
#include "core/boundary.hpp"

#include <atomic>
#include <cstdlib>

namespace fmukit {
namespace {
std::atomic<bool> claimed{false};
}

bool claim_process(const ModelInfo& info) {
  return !info.promises.once_per_process || !claimed.exchange(true);
}

void release_process(const ModelInfo& info) {
  if (info.promises.once_per_process) claimed = false;
}

std::string path_of_uri(const char* uri) {
  if (!uri) return {};
  std::string s = uri;
  if (s.rfind("file:", 0) == 0) {
    s.erase(0, 5);
    if (s.rfind("//", 0) == 0) {  // an authority is between // and the next /
      const std::size_t path = s.find('/', 2);
      s.erase(0, path == std::string::npos ? s.size() : path);
    }
    std::string path;
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] == '%' && i + 2 < s.size()) {
        path += static_cast<char>(std::strtol(s.substr(i + 1, 2).c_str(), nullptr, 16));
        i += 2;
      } else {
        path += s[i];
      }
    }
    s = path;
  }
  while (s.size() > 1 && s.back() == '/') s.pop_back();
  return s;
}

std::string escaped(const std::string& message) {
  std::string s;
  for (const char c : message) {
    if (c == '%' || c == '#') s += c;  // # starts a value reference in FMI 1.0 and 2.0
    s += c;
  }
  return s;
}

}  // namespace fmukit
