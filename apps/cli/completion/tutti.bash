# bash completion for tutti: source it, or put it into the folder of completions as "tutti".
# The program itself answers what may come next.

_tutti() {
  local line=${COMP_LINE:0:COMP_POINT} words=() i word lead
  # bash also splits words at = and :, which stand inside NAME=VALUE.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    lead=${line%%[![:space:]]*}
    line=${line#"$lead"}
    word=${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && word=$line # up to the cursor
    if [[ -n $lead || i -eq 0 ]]; then words+=("$word"); else words[${#words[@]} - 1]+=$word; fi
    line=${line#"$word"}
  done
  local current=${words[${#words[@]} - 1]} program=${words[0]/#\~\//$HOME/} reply
  reply=$("$program" __complete bash "${words[@]:1}" 2>/dev/null) || return

  # bash replaces what follows the last = or : only, unless that is in quotes. In a word whose
  # quotes are closed it replaces the quotes, too.
  local done_before='' is_quoted= is_open=
  [[ $current == [\"\']* ]] && is_quoted=1
  [[ -n $is_quoted && ($current == ? || $current != *"${current:0:1}") ]] && is_open=1
  [[ -z $is_quoted && $COMP_WORDBREAKS == *[=:]* ]] && done_before=${current%"${current##*[=:]}"}
  local kind='' candidate
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    candidate=${line%%$'\t'*}
    candidate=${candidate#"$done_before"}
    [[ $kind == files || -n $is_open ]] || printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done <<<"$reply"
  [[ $kind == files ]] && compopt -o filenames
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=./] ]] && compopt -o nospace
  return 0
}

complete -F _tutti tutti
