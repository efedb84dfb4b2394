// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/arkode_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace tutti::solvers::arkode {
namespace {

struct NamedTable {
  const char* name;
  Table table;
};

// ARKODE guide, chapter "Butcher table data structure": tables of 6.4.1.
// Without Knoth-Wolke, which has no embedded method and so no error control.
// clang-format off
constexpr NamedTable explicit_tables[] = {
    {"ark324l2sa-erk-4-2-3", {ARKODE_DIRK_NONE, ARKODE_ARK324L2SA_ERK_4_2_3, 3}},
    {"ark436l2sa-erk-6-3-4", {ARKODE_DIRK_NONE, ARKODE_ARK436L2SA_ERK_6_3_4, 4}},
    {"ark437l2sa-erk-7-3-4", {ARKODE_DIRK_NONE, ARKODE_ARK437L2SA_ERK_7_3_4, 4}},
    {"ark548l2sa-erk-8-4-5", {ARKODE_DIRK_NONE, ARKODE_ARK548L2SA_ERK_8_4_5, 5}},
    {"ark548l2sab-erk-8-4-5", {ARKODE_DIRK_NONE, ARKODE_ARK548L2SAb_ERK_8_4_5, 5}},
    {"bogacki-shampine-4-2-3", {ARKODE_DIRK_NONE, ARKODE_BOGACKI_SHAMPINE_4_2_3, 3}},
    {"cash-karp-6-4-5", {ARKODE_DIRK_NONE, ARKODE_CASH_KARP_6_4_5, 5}},
    {"dormand-prince-7-4-5", {ARKODE_DIRK_NONE, ARKODE_DORMAND_PRINCE_7_4_5, 5}},
    {"fehlberg-13-7-8", {ARKODE_DIRK_NONE, ARKODE_FEHLBERG_13_7_8, 8}},
    {"fehlberg-6-4-5", {ARKODE_DIRK_NONE, ARKODE_FEHLBERG_6_4_5, 5}},
    {"heun-euler-2-1-2", {ARKODE_DIRK_NONE, ARKODE_HEUN_EULER_2_1_2, 2}},
    {"sayfy-aburub-6-3-4", {ARKODE_DIRK_NONE, ARKODE_SAYFY_ABURUB_6_3_4, 4}},
    {"verner-8-5-6", {ARKODE_DIRK_NONE, ARKODE_VERNER_8_5_6, 6}},
    {"zonneveld-5-3-4", {ARKODE_DIRK_NONE, ARKODE_ZONNEVELD_5_3_4, 4}},
};

constexpr NamedTable implicit_tables[] = {
    {"ark324l2sa-dirk-4-2-3", {ARKODE_ARK324L2SA_DIRK_4_2_3, ARKODE_ERK_NONE, 3}},
    {"ark436l2sa-dirk-6-3-4", {ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ERK_NONE, 4}},
    {"ark437l2sa-dirk-7-3-4", {ARKODE_ARK437L2SA_DIRK_7_3_4, ARKODE_ERK_NONE, 4}},
    {"ark548l2sa-dirk-8-4-5", {ARKODE_ARK548L2SA_DIRK_8_4_5, ARKODE_ERK_NONE, 5}},
    {"ark548l2sab-dirk-8-4-5", {ARKODE_ARK548L2SAb_DIRK_8_4_5, ARKODE_ERK_NONE, 5}},
    {"billington-3-3-2", {ARKODE_BILLINGTON_3_3_2, ARKODE_ERK_NONE, 2}},
    {"cash-5-2-4", {ARKODE_CASH_5_2_4, ARKODE_ERK_NONE, 4}},
    {"cash-5-3-4", {ARKODE_CASH_5_3_4, ARKODE_ERK_NONE, 4}},
    {"esdirk324l2sa-4-2-3", {ARKODE_ESDIRK324L2SA_4_2_3, ARKODE_ERK_NONE, 3}},
    {"esdirk325l2sa-5-2-3", {ARKODE_ESDIRK325L2SA_5_2_3, ARKODE_ERK_NONE, 3}},
    {"esdirk32i5l2sa-5-2-3", {ARKODE_ESDIRK32I5L2SA_5_2_3, ARKODE_ERK_NONE, 3}},
    {"esdirk436l2sa-6-3-4", {ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE, 4}},
    {"esdirk437l2sa-7-3-4", {ARKODE_ESDIRK437L2SA_7_3_4, ARKODE_ERK_NONE, 4}},
    {"esdirk43i6l2sa-6-3-4", {ARKODE_ESDIRK43I6L2SA_6_3_4, ARKODE_ERK_NONE, 4}},
    {"esdirk547l2sa-7-4-5", {ARKODE_ESDIRK547L2SA_7_4_5, ARKODE_ERK_NONE, 5}},
    {"esdirk547l2sa2-7-4-5", {ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE, 5}},
    {"kvaerno-4-2-3", {ARKODE_KVAERNO_4_2_3, ARKODE_ERK_NONE, 3}},
    {"kvaerno-5-3-4", {ARKODE_KVAERNO_5_3_4, ARKODE_ERK_NONE, 4}},
    {"kvaerno-7-4-5", {ARKODE_KVAERNO_7_4_5, ARKODE_ERK_NONE, 5}},
    {"qesdirk436l2sa-6-3-4", {ARKODE_QESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE, 4}},
    {"sdirk-2-1-2", {ARKODE_SDIRK_2_1_2, ARKODE_ERK_NONE, 2}},
    {"sdirk-5-3-4", {ARKODE_SDIRK_5_3_4, ARKODE_ERK_NONE, 4}},
    {"trbdf2-3-3-2", {ARKODE_TRBDF2_3_3_2, ARKODE_ERK_NONE, 2}},
};

constexpr NamedTable imex_tables[] = {
    {"ark324l2sa", {ARKODE_ARK324L2SA_DIRK_4_2_3, ARKODE_ARK324L2SA_ERK_4_2_3, 3}},
    {"ark436l2sa", {ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ARK436L2SA_ERK_6_3_4, 4}},
    {"ark437l2sa", {ARKODE_ARK437L2SA_DIRK_7_3_4, ARKODE_ARK437L2SA_ERK_7_3_4, 4}},
    {"ark548l2sa", {ARKODE_ARK548L2SA_DIRK_8_4_5, ARKODE_ARK548L2SA_ERK_8_4_5, 5}},
    {"ark548l2sab", {ARKODE_ARK548L2SAb_DIRK_8_4_5, ARKODE_ARK548L2SAb_ERK_8_4_5, 5}},
};
// clang-format on

// The defaults of ARKODE for an order (ARKSTEP_DEFAULT_ERK_2 and so on).
constexpr const char* usual_explicit[] = {
    "heun-euler-2-1-2", "bogacki-shampine-4-2-3", "zonneveld-5-3-4", "cash-karp-6-4-5",
    "verner-8-5-6",     "fehlberg-13-7-8",        "fehlberg-13-7-8"};
constexpr const char* usual_implicit[] = {"sdirk-2-1-2", "ark324l2sa-dirk-4-2-3", "sdirk-5-3-4",
                                          "ark548l2sa-dirk-8-4-5"};
constexpr const char* usual_imex[] = {"ark324l2sa", "ark436l2sa", "ark548l2sa"};

std::span<const NamedTable> tables_of(Family kind) {
  if (kind == Family::explicit_method) return explicit_tables;
  if (kind == Family::implicit_method) return implicit_tables;
  return imex_tables;
}

std::span<const char* const> usual_of(Family kind) {
  if (kind == Family::explicit_method) return usual_explicit;
  if (kind == Family::implicit_method) return usual_implicit;
  return usual_imex;
}

template <std::size_t count>
constexpr auto names_in(const NamedTable (&tables)[count]) {
  std::array<const char*, count + 1> names{};
  names[0] = "";
  for (std::size_t i = 0; i < count; ++i) names[i + 1] = tables[i].name;
  return names;
}
constexpr auto explicit_names = names_in(explicit_tables);
constexpr auto implicit_names = names_in(implicit_tables);
constexpr auto imex_names = names_in(imex_tables);

}  // namespace

std::span<const char* const> table_names(Family kind) {
  if (kind == Family::explicit_method) return explicit_names;
  if (kind == Family::implicit_method) return implicit_names;
  return imex_names;
}

Table find_table(Family kind, std::string_view name, int order) {
  if (name.empty()) name = usual_of(kind)[static_cast<std::size_t>(order - lowest_order(kind))];
  const std::span<const NamedTable> tables = tables_of(kind);
  return std::ranges::find(tables, name, &NamedTable::name)->table;
}

bool is_right_in_erkstep(ARKODE_ERKTableID method) {
  constexpr double rounding = 1e-14;
  const std::unique_ptr<ARKodeButcherTableMem, decltype(&ARKodeButcherTable_Free)> table(
      ARKodeButcherTable_LoadERK(method), ARKodeButcherTable_Free);
  const int last = table->stages - 1;
  if (std::abs(table->c[last] - 1) > rounding) return true;
  for (int j = 0; j < table->stages; ++j)
    if (std::abs(table->A[last][j] - table->b[j]) > rounding) return false;
  return true;
}

int lowest_order(Family kind) { return kind == Family::imex ? 3 : 2; }
int highest_order(Family kind) { return kind == Family::explicit_method ? 8 : 5; }

}  // namespace tutti::solvers::arkode
