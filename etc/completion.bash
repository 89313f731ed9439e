# Completion of Loadline's commands for bash: what --help of the command names, and files. loadline-admin has commands.
_loadline() {
    local word=$2 help words
    COMPREPLY=()
    [[ $1 =~ ^(.*/)?loadline-[a-z-]+$ ]] || return 0
    help=$("$1" --help 2>/dev/null)
    if [[ $word == -* ]]; then
        words=$(grep -oE -- '--[a-z][a-z-]*' <<<"$help" | sort -u)
    elif [[ ${1##*/} == loadline-admin ]]; then
        words=$(sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' <<<"$help")
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ -n $words ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _loadline loadline-accounts loadline-admin loadline-agent loadline-backup loadline-gate loadline-maintain \
    loadline-migrate loadline-notify loadline-push-snapshot loadline-restore loadline-score loadline-setup loadline-upgrade
