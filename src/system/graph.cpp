// SPDX-License-Identifier: BSD-2-Clause
#include "system/graph.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace tutti::system {

using Node = Graph::Node;

Graph::Graph(std::size_t node_count, std::span<const Edge> edges) : start_(node_count + 1) {
  for (const Edge& edge : edges) ++start_[edge.from + 1];
  for (std::size_t i = 1; i <= node_count; ++i) start_[i] += start_[i - 1];
  std::vector<Node> all(edges.size());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (const Edge& edge : edges) all[next[edge.from]++] = edge.to;
  // Once each, in the order of first appearance.
  std::vector<Node> seen_from(node_count, static_cast<Node>(node_count));
  std::size_t kept = 0;
  for (Node node = 0; node < node_count; ++node) {
    const std::size_t first = start_[node], last = start_[node + 1];
    start_[node] = kept;
    for (std::size_t i = first; i < last; ++i) {
      if (seen_from[all[i]] == node) continue;
      seen_from[all[i]] = node;
      all[kept++] = all[i];
    }
  }
  start_[node_count] = kept;
  all.resize(kept);
  successors_ = std::move(all);
}

bool Graph::has_edge(Node from, Node to) const {
  const auto targets = successors(from);
  return std::ranges::find(targets, to) != targets.end();
}

namespace {

/// One run of Tarjan's algorithm. Notation as in the paper: number, lowlink, stack.
class TarjanSearch {
 public:
  explicit TarjanSearch(const Graph& graph)
      : graph_(graph),
        number_(graph.node_count(), unseen),
        lowlink_(graph.node_count()),
        on_stack_(graph.node_count()) {
    result_.component_of.resize(graph.node_count());
  }

  Components run() {
    for (Node node = 0; node < graph_.node_count(); ++node)
      if (number_[node] == unseen) visit_from(node);
    // They were found in reverse topological order.
    std::ranges::reverse(result_.members);
    for (std::uint32_t c = 0; c < result_.members.size(); ++c) {
      std::ranges::sort(result_.members[c]);
      for (const Node node : result_.members[c]) result_.component_of[node] = c;
    }
    return std::move(result_);
  }

 private:
  struct Frame {
    Node node;
    std::size_t next;  ///< of its successors
  };

  void visit_from(Node root) {
    enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const auto successors = graph_.successors(frame.node);
      if (frame.next < successors.size()) {
        const Node to = successors[frame.next++];
        if (number_[to] == unseen)
          enter(to);
        else if (on_stack_[to])
          lowlink_[frame.node] = std::min(lowlink_[frame.node], number_[to]);
      } else {
        leave();
      }
    }
  }
  void enter(Node node) {
    number_[node] = lowlink_[node] = count_++;
    stack_.push_back(node);
    on_stack_[node] = true;
    path_.push_back({node, 0});
  }
  void leave() {
    const Node node = path_.back().node;
    path_.pop_back();
    if (!path_.empty()) {
      const Node parent = path_.back().node;
      lowlink_[parent] = std::min(lowlink_[parent], lowlink_[node]);
    }
    if (lowlink_[node] != number_[node]) return;
    std::vector<Node>& members = result_.members.emplace_back();
    Node member = 0;
    do {
      member = stack_.back();
      stack_.pop_back();
      on_stack_[member] = false;
      members.push_back(member);
    } while (member != node);
  }

  static constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
  const Graph& graph_;
  std::vector<std::uint32_t> number_, lowlink_;
  std::vector<bool> on_stack_;
  std::vector<Node> stack_;
  std::vector<Frame> path_;
  std::uint32_t count_ = 0;
  Components result_;
};

constexpr std::size_t most_tried_orders = 8;  // 8! = 40,320 orders

using Order = std::vector<std::size_t>;

/// How many inputs an order reads before they are produced.
double feedback(const std::vector<std::vector<double>>& weight, const Order& order) {
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = i + 1; k < order.size(); ++k) sum += weight[order[k]][order[i]];
  return sum;
}

Order best_order(const std::vector<std::vector<double>>& weight) {
  Order order(weight.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Order best = order;
  double least = feedback(weight, order);
  while (std::next_permutation(order.begin(), order.end())) {
    const double sum = feedback(weight, order);
    if (sum < least) {
      least = sum;
      best = order;
    }
  }
  return best;
}

/// Moves sinks to the end and sources to the front; where there are neither, the member with the
/// largest out-degree minus in-degree comes first.
class Greedy {
 public:
  struct Arc {
    std::size_t other;
    double weight;
  };
  explicit Greedy(std::vector<std::vector<Arc>> out) : out_(std::move(out)), in_(out_.size()) {
    given_.resize(out_.size());
    needed_.resize(out_.size());
    for (std::size_t a = 0; a < out_.size(); ++a)
      for (const Arc& arc : out_[a]) {
        in_[arc.other].push_back({a, arc.weight});
        given_[a] += arc.weight;
        needed_[arc.other] += arc.weight;
      }
  }

  Order run() {
    const std::size_t n = out_.size();
    gone_.assign(n, false);
    for (std::size_t i = 0; i < n; ++i) {
      heap_.push_back({given_[i] - needed_[i], i});
      touched_.push_back(i);
    }
    std::make_heap(heap_.begin(), heap_.end());
    Order first, last;
    std::vector<std::size_t> sources, sinks;
    while (first.size() + last.size() < n) {
      collect(sources, sinks);
      if (!sinks.empty()) {
        for (const std::size_t sink : sinks)
          if (remove(sink)) last.push_back(sink);
      } else if (!sources.empty()) {
        for (const std::size_t source : sources)
          if (remove(source)) first.push_back(source);
      } else if (const std::size_t next = pop(); remove(next)) {
        first.push_back(next);
      }
    }
    first.insert(first.end(), last.rbegin(), last.rend());
    return first;
  }

 private:
  void collect(std::vector<std::size_t>& sources, std::vector<std::size_t>& sinks) {
    sources.clear();
    sinks.clear();
    for (const std::size_t i : touched_) {
      if (gone_[i]) continue;
      if (given_[i] <= 0)
        sinks.push_back(i);
      else if (needed_[i] <= 0)
        sources.push_back(i);
    }
    touched_.clear();
  }
  std::size_t pop() {
    for (;;) {
      std::pop_heap(heap_.begin(), heap_.end());
      const auto [value, node] = heap_.back();
      heap_.pop_back();
      if (!gone_[node] && value == given_[node] - needed_[node]) return node;
    }
  }
  bool remove(std::size_t node) {
    if (gone_[node]) return false;
    gone_[node] = true;
    for (const Arc& arc : out_[node]) touch(arc.other, needed_[arc.other], arc.weight);
    for (const Arc& arc : in_[node]) touch(arc.other, given_[arc.other], arc.weight);
    return true;
  }
  void touch(std::size_t node, double& sum, double weight) {
    if (gone_[node]) return;
    sum -= weight;
    touched_.push_back(node);
    heap_.push_back({given_[node] - needed_[node], node});
    std::push_heap(heap_.begin(), heap_.end());
  }

  std::vector<std::vector<Arc>> out_, in_;
  std::vector<double> given_, needed_;
  std::vector<bool> gone_;
  std::vector<std::size_t> touched_;
  std::vector<std::pair<double, std::size_t>> heap_;  ///< with outdated entries
};

}  // namespace

Components strong_components(const Graph& graph) { return TarjanSearch(graph).run(); }

std::vector<std::uint32_t> priorities(const Graph& graph, const Components& components) {
  std::vector<std::uint32_t> priority(components.members.size());
  // In topological order the predecessors of a component are known before it.
  for (std::uint32_t c = 0; c < components.members.size(); ++c)
    for (const Node node : components.members[c])
      for (const Node to : graph.successors(node))
        if (const std::uint32_t other = components.component_of[to]; other != c)
          priority[other] = std::max(priority[other], priority[c] + 1);
  return priority;
}

std::vector<Node> calling_sequence(const Graph& graph, std::span<const Node> members,
                                   const Weight& weight) {
  std::unordered_map<Node, std::size_t> place;
  for (std::size_t i = 0; i < members.size(); ++i) place.emplace(members[i], i);
  std::vector<std::vector<Greedy::Arc>> out(members.size());
  for (std::size_t i = 0; i < members.size(); ++i)
    for (const Node to : graph.successors(members[i]))
      if (const auto found = place.find(to); found != place.end() && found->second != i)
        out[i].push_back({found->second, weight(members[i], to)});

  Order order;
  if (members.size() <= most_tried_orders) {
    std::vector<std::vector<double>> table(members.size(), std::vector<double>(members.size()));
    for (std::size_t i = 0; i < out.size(); ++i)
      for (const Greedy::Arc& arc : out[i]) table[i][arc.other] = arc.weight;
    order = best_order(table);
  } else {
    order = Greedy(std::move(out)).run();
  }
  std::vector<Node> sequence;
  for (const std::size_t i : order) sequence.push_back(members[i]);
  return sequence;
}

}  // namespace tutti::system
