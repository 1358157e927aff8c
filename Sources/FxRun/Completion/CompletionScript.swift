/// What a shell needs to complete fxrun's command lines; `CompletionAnswer` knows the words.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash:
      #"""
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
      """#
    case .zsh:
      #"""
      #compdef fxrun
      # Completion of fxrun for zsh.
      _fxrun() {
        local line
        local -a found extensions
        for line in "${(@f)$("${words[1]}" __complete $((CURRENT - 1)) "${words[@]}" 2>/dev/null)}"; do
          case $line in
          '') ;;
          :folders) _files -/ ;;
          :files*)
            extensions=(${=line#:files})
            if (( $#extensions )); then _files -g "${(j: :)${extensions/#/*.}}"; else _files; fi
            ;;
          *) found+=("${${line%%$'\t'*}//:/\\:}${${(M)line%$'\t'*}/$'\t'/:}") ;;
          esac
        done
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
          for line in ($before[1] __complete (count $before) $before $word 2>/dev/null)
              switch $line
                  case ':folders'
                      __fish_complete_directories $word
                  case ':files'
                      __fish_complete_path $word
                  case ':files *'
                      for ending in (string split ' ' (string replace ':files ' '' $line))
                          __fish_complete_suffix .$ending
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
