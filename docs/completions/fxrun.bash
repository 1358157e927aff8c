# Completion of fxrun for bash.
_fxrun() {
  local word=${COMP_WORDS[COMP_CWORD]} line pattern
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
    :folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
    :files*)
      compopt -o filenames 2>/dev/null
      pattern=${line#:files}
      pattern=${pattern# }
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
        shopt -s extglob
        if [ -n "$pattern" ]; then
          compgen -f -X "!*.@(${pattern// /|})" -- "$word"
          compgen -d -- "$word"
        else
          compgen -f -- "$word"
        fi)
      ;;
    *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
}
complete -F _fxrun fxrun
