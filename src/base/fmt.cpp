// SPDX-License-Identifier: BSD-2-Clause
// The one place where {fmt} is compiled: Debian ships it as a shared library only, and a shared
// library would put its symbols where FMUs can see them. Everywhere else only the declarations are
// seen, which also keeps the other translation units fast.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

// The counterparts of the `extern template` lines in fmt/format.h and of what fmt/core.h only
// declares.
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>,
                         locale_ref);

}  // namespace detail
}  // namespace v9
}  // namespace fmt
