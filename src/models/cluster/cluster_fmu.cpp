// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/cluster_fmu.hpp"

#include <utility>

#include "models/cluster/model_cluster.hpp"

namespace tutti::models {
namespace {

class ClusterFmu final : public fmi::Fmu {
 public:
  ClusterFmu(std::shared_ptr<const system::Cluster> cluster,
             std::vector<std::shared_ptr<fmi::Fmu>> fmus)
      : cluster_(std::move(cluster)), fmus_(std::move(fmus)) {}

  const std::filesystem::path& path() const override { return fmus_.front()->path(); }
  const std::filesystem::path& folder() const override { return fmus_.front()->folder(); }
  const ModelDescription& description() const override { return cluster_->description; }

  void ensure_runnable(const std::string& /*name*/, const Capabilities& /*interface*/) override {
    for (std::size_t m = 0; m < fmus_.size(); ++m)
      fmus_[m]->ensure_runnable(cluster_->system.components[m].name,
                                *cluster_->descriptions[m]->model_exchange);
  }
  fmi::Owned<fmi::CoSimulation> instantiate_co_simulation(
      const fmi::CoSimulationOptions& options) override {
    throw Error(ErrorCode::capability, "a cluster has no co-simulation interface",
                {.component = options.name});
  }
  fmi::Owned<fmi::ModelExchange> instantiate_model_exchange(
      const fmi::InstanceOptions& options) override {
    std::vector<fmi::Owned<fmi::ModelExchange>> members;
    for (std::size_t m = 0; m < fmus_.size(); ++m) {
      const Component& member = cluster_->system.components[m];
      members.push_back(fmus_[m]->instantiate_model_exchange(
          {.name = member.name, .logging = options.logging || member.log}));
    }
    return fmi::Owned<fmi::ModelExchange>(
        new ModelCluster(cluster_, options.name, std::move(members)));
  }
  void reuse_instances(const std::weak_ptr<fmi::InstancePool>& pool) override {
    for (const auto& fmu : fmus_) fmu->reuse_instances(pool);
  }

 private:
  std::shared_ptr<const system::Cluster> cluster_;
  std::vector<std::shared_ptr<fmi::Fmu>> fmus_;
};

}  // namespace

std::shared_ptr<fmi::Fmu> make_cluster_fmu(std::shared_ptr<const system::Cluster> cluster,
                                           std::vector<std::shared_ptr<fmi::Fmu>> fmus) {
  return std::make_shared<ClusterFmu>(std::move(cluster), std::move(fmus));
}

}  // namespace tutti::models
