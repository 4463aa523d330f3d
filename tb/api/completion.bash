# completion.bash - of warplock's commands, and of the names that they take.  What there is, the
# program says.
_warplock() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} kind=
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "--project --help --version $(warplock --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$word")
        return
    fi
    case $before in
    -w | --workload) kind=workloads ;;
    -c | --config) kind=configurations ;;
    -m | --mechanism) kind=mechanisms ;;
    --project) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    check | prove | properties | mutate | coverage | fuzz | waves | cost | ports) kind=units ;;
    chapter) kind=experiments ;;
    list) mapfile -t COMPREPLY < <(compgen -W "units workloads configurations experiments mechanisms config" -- "$word"); return ;;
    adopt) mapfile -t COMPREPLY < <(compgen -f -X "!*.@(v|sv)" -- "$word"); return ;;
    new) mapfile -t COMPREPLY < <(compgen -W "unit mechanism workload" -- "$word"); return ;;
    esac
    if [ -n "$kind" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(warplock list "$kind" 2>/dev/null | awk 'NR > 1 {print $1}')" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(warplock "$command" --help 2>/dev/null | grep -oE -- '--[a-z-]+')" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _warplock warplock
