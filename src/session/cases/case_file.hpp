// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/results.hpp>
#include <tutti/system.hpp>
#include <utility>

#include "session/session_observers.hpp"

namespace tutti::session {

/// The rows of a case in a file. A repeated run begins again, and replaces it.
class CaseFile final : public Observer {
 public:
  /// @param beside_fmus this process loads them
  CaseFile(std::filesystem::path file, const ResultSettings& settings, bool beside_fmus)
      : file_(std::move(file)),
        options_{.compress = settings.compress, .groups = settings.groups},
        beside_fmus_(beside_fmus) {}
  void begin(std::span<const Column> columns) override {
    writer_.reset();
    writer_ = make_result_writer(file_, options_);
    if (beside_fmus_) expect_beside_fmus(*writer_);
    writer_->begin(columns);
  }
  void row(const Row& row) override { writer_->row(row); }
  void finish() override {
    if (const auto writer = std::exchange(writer_, nullptr)) writer->finish();
  }

 private:
  std::filesystem::path file_;
  ResultOptions options_;
  bool beside_fmus_;
  std::unique_ptr<Observer> writer_;
};

}  // namespace tutti::session
