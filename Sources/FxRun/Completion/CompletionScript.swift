/// What a shell needs to complete fxrun's command lines; `CompletionAnswer` knows the words.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash:
      #"""
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
      """#
    case .zsh:
      #"""
      #compdef fxrun
      # Completion of fxrun for zsh.
      _fxrun() {
        local line
        local -a found values extensions
        for line in "${(@f)$("${words[1]}" __complete $((CURRENT - 1)) "${(@Q)words}" 2>/dev/null)}"; do
          case $line in
          '') ;;
          :prefix*) compset -P "${(b)line#:prefix }" ;;
          :folders) _files -/ ;;
          :files*)
            extensions=(${=line#:files})
            if (( $#extensions )); then _files -g "${(j: :)${extensions/#/*.}}"; else _files; fi
            ;;
          *)
            line=${${line%%$'\t'*}//:/\\:}${${(M)line%$'\t'*}/$'\t'/:}
            if [[ ${line%%[^\\]:*} == *= ]]; then values+=($line); else found+=($line); fi
            ;;
          esac
        done
        (( $#values )) && _describe fxrun values -S ''
        (( $#found )) && _describe fxrun found
      }
      if [ "$funcstack[1]" = _fxrun ]; then _fxrun "$@"; else compdef _fxrun fxrun; fi
      """#
    case .fish:
      #"""
      # Completion of fxrun for fish.
      function __fxrun_complete
          set -l before (commandline -opc)
          set -l word (commandline -ct)
          set -l prefix ''
          for line in ($before[1] __complete (count $before) $before $word 2>/dev/null)
              switch $line
                  case ':prefix *'
                      set prefix (string replace ':prefix ' '' -- $line)
                  case ':folders' ':files*'
                      # Folders end with a slash.
                      set -l ending '/'
                      test "$line" = ':files' && set ending '.'
                      string match -q ':files *' -- $line &&
                          set ending "/|\.("(string replace ':files ' '' -- $line | string replace -a ' ' '|')')'
                      for path in (__fish_complete_path (string replace -- "$prefix" '' $word))
                          set path (string split -m 1 \t -- $path)[1]
                          string match -qr "($ending)\$" -- $path && echo $prefix$path
                      end
                  case '*'
                      echo $line
              end
          end
      end
      complete -c fxrun -f -a '(__fxrun_complete)'
      """#
    }
  }

  /// The script that the arguments ask for: `--generate-completion-script bash`.
  static func asked(by arguments: [String]) -> CompletionScript? {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script" else { return nil }
    return CompletionScript(rawValue: arguments[1])
  }
}
