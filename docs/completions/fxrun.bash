# Completion of fxrun for bash.
_fxrun() {
  local -a words=()
  local rest=${COMP_LINE:0:COMP_POINT} i part line pattern prefix= broken=
  COMPREPLY=()
  # bash breaks words at = and : too; here only space divides them.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=${rest%%[![:space:]]*}
    rest=${rest#"$part"}
    if ((i == 0)) || [ -n "$part" ]; then words+=(""); fi
    part=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then part=$rest; fi
    rest=${rest#"$part"}
    words[${#words[@]} - 1]+=${part//[\\\"\']/}
  done
  local word=${words[${#words[@]} - 1]}
  # bash replaces only what follows the last = or :.
  part=${word##*["${COMP_WORDBREAKS//[^=:]/}"]}
  [[ $COMP_WORDBREAKS == *[=:]* ]] && broken=${word%"$part"}
  while IFS= read -r line; do
    case $line in
    :prefix*) prefix=${line#:prefix } ;;
    :folders | :files*)
      compopt -o filenames 2>/dev/null
      pattern=${line#:files}
      pattern=${pattern# }
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
        shopt -s extglob
        name=${word#"$prefix"}
        if [ "$line" = :folders ]; then
          compgen -d -- "$name"
        elif [ -n "$pattern" ]; then
          compgen -f -X "!*.@(${pattern// /|})" -- "$name"
          compgen -d -- "$name"
        else
          compgen -f -- "$name"
        fi)
      ;;
    *)
      line=${line%%$'\t'*}
      [[ $line == *= ]] && compopt -o nospace 2>/dev/null
      line=${line#"$broken"}
      [[ $line == *[[:space:]\'\"\$\\\&\(\)\;\<\>\|]* ]] && printf -v line %q "$line"
      COMPREPLY+=("$line")
      ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete $((${#words[@]} - 1)) "${words[@]}" 2>/dev/null)
}
complete -F _fxrun fxrun
