// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <tutti/results.hpp>
#include <utility>

namespace tutti::session {

/// The rows of a case in a file. A repeated run begins again, and replaces it.
class CaseFile final : public Observer {
 public:
  explicit CaseFile(std::filesystem::path file) : file_(std::move(file)) {}
  void begin(std::span<const Column> columns) override {
    writer_.reset();
    writer_ = make_result_writer(file_);
    writer_->begin(columns);
  }
  void row(const Row& row) override { writer_->row(row); }
  void finish() override {
    if (const auto writer = std::exchange(writer_, nullptr)) writer->finish();
  }

 private:
  std::filesystem::path file_;
  std::unique_ptr<Observer> writer_;
};

}  // namespace tutti::session
