#compdef tutti
# zsh completion for tutti: put it into a folder of $fpath as "_tutti".
# The program itself answers what may come next.

_tutti() {
  local reply kind line name text
  local -a before open closed
  before=("${(@Q)words[2,CURRENT-1]}")
  reply=$("${(Q)words[1]/#\~\//$HOME/}" __complete zsh "${before[@]}" "${(Q)PREFIX}" 2>/dev/null) || return
  kind=${reply%%$'\n'*}
  [[ $reply == *$'\n'* ]] || return
  for line in "${(@f)${reply#*$'\n'}}"; do
    name=${line%%$'\t'*}
    text=${line#*$'\t'}
    [[ $kind == words ]] && name=${name//:/\\:}${text:+:$text}
    # What ends with one of these goes on.
    if [[ ${line%%$'\t'*} == *[=./] ]]; then open+=("$name"); else closed+=("$name"); fi
  done
  if [[ $kind == files ]]; then
    (( $#open )) && compadd -f -S '' -a open
    (( $#closed )) && compadd -f -a closed
  else
    (( $#open )) && _describe -t values value open -S ''
    (( $#closed )) && _describe -t values value closed
  fi
}

if [[ $funcstack[1] == _tutti ]]; then
  _tutti "$@"
else
  compdef _tutti tutti # sourced
fi
