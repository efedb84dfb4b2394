# fish completion for tutti: put it into the folder of completions as "tutti.fish".
# The program itself answers what may come next.

function __tutti_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    $program __complete fish $words (commandline -ct) 2>/dev/null | string match -v -r '^(words|files)$'
end

complete -c tutti -f -a '(__tutti_complete)'
