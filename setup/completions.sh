#!/bin/sh
# Makes completions for bash and zsh from the program's own tables: setup/completions.sh
# REDSWEEP FOLDER
#
# It writes FOLDER/redsweep.bash and FOLDER/_redsweep. Commands come from `redsweep --help`, options
# from each `redsweep COMMAND --help`, and devices from `redsweep list devices`.
set -eu
redsweep=$1 folder=$2

# Joins its input lines.
line() { tr '\n' ' ' | sed 's/ *$//'; }

commands=$("$redsweep" --help | awk '/^  redsweep [a-z]+ / { print $2 }' | line)
devices=auto\ $("$redsweep" list devices | awk '/^[a-z]/ { print $1 }' | line)
lists=$("$redsweep" --help | awk '/^  redsweep list / { sub(/.* list /, ""); gsub(/,| or/, " "); print }' | line)

charts=$("$redsweep" list charts | awk '{ print $1 }' | sort -u | line)

# Prints a command's options. Some options have a line of their own in the help; other lines list
# several options.
options() {
    "$redsweep" "$1" --help | awk '/^  --/ { for (i = 1; i <= NF && $i ~ /^--/; i++) print $i }' |
        grep -v 'NAME$' | sort -u | line
}

{
    cat <<'BASH'
# bash completion for redsweep: made by setup/completions.sh from its --help
_redsweep()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=
BASH
    echo '    if [ "$COMP_CWORD" -eq 1 ]; then'
    echo "        words='$commands --help --version'"
    echo '    elif [ "$before" = --device ]; then'
    echo "        words='$devices'"
    echo '    elif [ "$before" = list ]; then'
    echo "        words='$lists'"
    echo '    elif [ "${COMP_WORDS[1]}" = plots ] && [ "$COMP_CWORD" -gt 2 ] && [[ $word != -* ]]; then'
    echo "        words='$charts'"
    echo '    elif [[ $word == -* ]]; then'
    echo '        case ${COMP_WORDS[1]} in'
    for command in $commands; do
        echo "        $command) words='$(options "$command") --help' ;;"
    done
    cat <<'BASH'
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        [ "${COMP_WORDS[1]}" != plots ] || COMPREPLY+=($(compgen -f -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -F _redsweep redsweep
BASH
} >"$folder/redsweep.bash"

{
    cat <<'ZSH'
#compdef redsweep
# zsh completion for redsweep, which setup/completions.sh generates from the output of `redsweep --help`
_redsweep() {
    local before=$words[CURRENT-1]
ZSH
    echo '    if (( CURRENT == 2 )); then'
    echo "        compadd -- $commands --help --version"
    echo '    elif [[ $before == --device ]]; then'
    echo "        compadd -- $devices"
    echo '    elif [[ $before == list ]]; then'
    echo "        compadd -- $lists"
    echo '    elif [[ $words[2] == plots && CURRENT -gt 3 && $words[CURRENT] != -* ]]; then'
    echo "        compadd -- $charts; _files"
    echo '    elif [[ $words[CURRENT] == -* ]]; then'
    echo '        case $words[2] in'
    for command in $commands; do
        echo "        $command) compadd -- $(options "$command") --help ;;"
    done
    cat <<'ZSH'
        esac
    else
        _files
    fi
}
_redsweep "$@"
ZSH
} >"$folder/_redsweep"
