#!/bin/bash

__fxrun_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__fxrun_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__fxrun_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__fxrun_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_fxrun() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __fxrun_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|control|check|plan|profile|plot|diff|info|stats|test|lint|batch|units|plugins|devices|save-state|schema|help)
        # Offer subcommand argument completions
        "_fxrun_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run control check plan profile plot diff info stats test lint batch units plugins devices save-state schema help' -- "${cur}"))
        ;;
    esac
}

_fxrun_run() {
    repeating_flags=()
    non_repeating_flags=(--watch --no-view --no-dither --shape-noise --loudness-tags --no-tags --reverse --json --profile --quiet -q --version -h --help)
    repeating_options=(--define --raw -o --input --output --set --bypass --tap --tag --chapter)
    non_repeating_options=(--save-stream --stream-buffer --stream-timeout --stream-attempts --scene --loop --threads --device --capture --capture-channels --hardware-latency --period --periods --on-lost --meters --cpu --control --log --volume --rest --ab --replay --sample-rate --resampling --block-size --memory --format --bits --normalize --bit-rate --quality --compression --cover --start --duration --repeat --channels --cut-silence --loudness --fade-in --fade-out --pad --split --silence-level --silence-time --silence-keep --silence-fade --record --start-level --stop-level --stop-time --pre-roll)
    __fxrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--define')
        return
        ;;
    '--raw')
        return
        ;;
    '--save-stream')
        __fxrun_add_completions -f
        return
        ;;
    '--stream-buffer')
        return
        ;;
    '--stream-timeout')
        return
        ;;
    '--stream-attempts')
        return
        ;;
    '-o')
        __fxrun_add_completions -f
        return
        ;;
    '--input')
        return
        ;;
    '--output')
        return
        ;;
    '--set')
        return
        ;;
    '--scene')
        return
        ;;
    '--bypass')
        return
        ;;
    '--tap')
        return
        ;;
    '--loop')
        return
        ;;
    '--threads')
        return
        ;;
    '--device')
        return
        ;;
    '--capture')
        return
        ;;
    '--capture-channels')
        return
        ;;
    '--hardware-latency')
        return
        ;;
    '--period')
        return
        ;;
    '--periods')
        return
        ;;
    '--on-lost')
        __fxrun_add_completions -W 'wait'$'\n''end'
        return
        ;;
    '--meters')
        return
        ;;
    '--cpu')
        return
        ;;
    '--control')
        __fxrun_add_completions -f
        return
        ;;
    '--log')
        __fxrun_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    '--volume')
        return
        ;;
    '--rest')
        return
        ;;
    '--ab')
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--replay')
        __fxrun_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--resampling')
        __fxrun_add_completions -W 'low'$'\n''medium'$'\n''high'$'\n''veryHigh'
        return
        ;;
    '--block-size')
        return
        ;;
    '--memory')
        return
        ;;
    '--format')
        __fxrun_add_completions -W 'wav'$'\n''flac'$'\n''aiff'$'\n''caf'$'\n''w64'$'\n''rf64'$'\n''au'$'\n''ogg'$'\n''opus'$'\n''mp3'$'\n''raw'
        return
        ;;
    '--bits')
        return
        ;;
    '--normalize')
        return
        ;;
    '--bit-rate')
        return
        ;;
    '--quality')
        return
        ;;
    '--compression')
        return
        ;;
    '--tag')
        return
        ;;
    '--cover')
        __fxrun_add_completions -o plusdirs -fX '!*.@(jpg|jpeg|png|gif|webp)'
        return
        ;;
    '--chapter')
        return
        ;;
    '--start')
        return
        ;;
    '--duration')
        return
        ;;
    '--repeat')
        return
        ;;
    '--channels')
        return
        ;;
    '--cut-silence')
        __fxrun_add_completions -W 'start'$'\n''end'$'\n''ends'$'\n''inside'$'\n''all'
        return
        ;;
    '--loudness')
        return
        ;;
    '--fade-in')
        return
        ;;
    '--fade-out')
        return
        ;;
    '--pad')
        return
        ;;
    '--split')
        return
        ;;
    '--silence-level')
        return
        ;;
    '--silence-time')
        return
        ;;
    '--silence-keep')
        return
        ;;
    '--silence-fade')
        return
        ;;
    '--record')
        __fxrun_add_completions -W 'level'$'\n''manual'
        return
        ;;
    '--start-level')
        return
        ;;
    '--stop-level')
        return
        ;;
    '--stop-time')
        return
        ;;
    '--pre-roll')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    2)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_control() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--timeout)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--timeout')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -W "$(__fxrun_custom_complete ---completion control -- positional@0 "${COMP_CWORD}" "$(__fxrun_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __fxrun_add_completions -W "$(__fxrun_custom_complete ---completion control -- positional@1 "${COMP_CWORD}" "$(__fxrun_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_fxrun_check() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--define)
    non_repeating_options=(--sample-rate --channels --memory)
    __fxrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--define')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--channels')
        return
        ;;
    '--memory')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_fxrun_plan() {
    repeating_flags=()
    non_repeating_flags=(--dot --json --version -h --help)
    repeating_options=(--define)
    non_repeating_options=(--sample-rate --channels --memory --threads)
    __fxrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--define')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--channels')
        return
        ;;
    '--memory')
        return
        ;;
    '--threads')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_fxrun_profile() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--define --input --set)
    non_repeating_options=(--scene --duration --block-size --sample-rate --channels --threads -o --theme)
    __fxrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--define')
        return
        ;;
    '--input')
        return
        ;;
    '--set')
        return
        ;;
    '--scene')
        return
        ;;
    '--duration')
        return
        ;;
    '--block-size')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--channels')
        return
        ;;
    '--threads')
        return
        ;;
    '-o')
        __fxrun_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--theme')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    2)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_plot() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--define --set)
    non_repeating_options=(-o --theme --what --level --sample-rate --channels --feed --input --output --scene)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o')
        __fxrun_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--theme')
        return
        ;;
    '--what')
        return
        ;;
    '--level')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--channels')
        return
        ;;
    '--feed')
        return
        ;;
    '--input')
        return
        ;;
    '--output')
        return
        ;;
    '--define')
        return
        ;;
    '--set')
        return
        ;;
    '--scene')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_fxrun_diff() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--raw)
    non_repeating_options=(--tolerance --report)
    __fxrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--raw')
        return
        ;;
    '--tolerance')
        return
        ;;
    '--report')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -f
        return
        ;;
    2)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_info() {
    repeating_flags=()
    non_repeating_flags=(--exact --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--raw)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--raw')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_stats() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--raw -o --theme)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--raw')
        return
        ;;
    '-o')
        __fxrun_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--theme')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_test() {
    repeating_flags=()
    non_repeating_flags=(--update --fail-fast --list --cache-key --cost --no-cost --json --version -h --help)
    repeating_options=(--filter --skip)
    non_repeating_options=(--jobs --timeout --block-size --threads --junit --output)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--filter')
        return
        ;;
    '--skip')
        return
        ;;
    '--jobs')
        return
        ;;
    '--timeout')
        return
        ;;
    '--block-size')
        return
        ;;
    '--threads')
        return
        ;;
    '--junit')
        return
        ;;
    '--output')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_fxrun_lint() {
    repeating_flags=()
    non_repeating_flags=(--live --json --version -h --help)
    repeating_options=(--input --define --set --ignore)
    non_repeating_options=(--scene --duration --sample-rate --channels --block-size --timeout --jobs)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--input')
        return
        ;;
    '--define')
        return
        ;;
    '--set')
        return
        ;;
    '--scene')
        return
        ;;
    '--duration')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--channels')
        return
        ;;
    '--block-size')
        return
        ;;
    '--ignore')
        return
        ;;
    '--timeout')
        return
        ;;
    '--jobs')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_batch() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|merge)
        # Offer subcommand argument completions
        "_fxrun_batch_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run merge' -- "${cur}"))
        ;;
    esac
}

_fxrun_batch_run() {
    repeating_flags=()
    non_repeating_flags=(--again --no-dither --shape-noise --loudness-tags --no-tags --reverse --json --quiet -q --version -h --help)
    repeating_options=(--define --input --raw --set --bypass --tag --chapter)
    non_repeating_options=(--list --jobs -o -j --workers --log --shard --timeout --scene --sample-rate --resampling --block-size --memory --format --bits --normalize --bit-rate --quality --compression --cover --start --duration --repeat --channels --cut-silence --loudness --fade-in --fade-out --pad --split --silence-level --silence-time --silence-keep --silence-fade)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--define')
        return
        ;;
    '--list')
        __fxrun_add_completions -f
        return
        ;;
    '--jobs')
        __fxrun_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    '-o')
        return
        ;;
    '-j'|'--workers')
        return
        ;;
    '--log')
        __fxrun_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    '--shard')
        return
        ;;
    '--timeout')
        return
        ;;
    '--input')
        return
        ;;
    '--raw')
        return
        ;;
    '--set')
        return
        ;;
    '--scene')
        return
        ;;
    '--bypass')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--resampling')
        __fxrun_add_completions -W 'low'$'\n''medium'$'\n''high'$'\n''veryHigh'
        return
        ;;
    '--block-size')
        return
        ;;
    '--memory')
        return
        ;;
    '--format')
        __fxrun_add_completions -W 'wav'$'\n''flac'$'\n''aiff'$'\n''caf'$'\n''w64'$'\n''rf64'$'\n''au'$'\n''ogg'$'\n''opus'$'\n''mp3'$'\n''raw'
        return
        ;;
    '--bits')
        return
        ;;
    '--normalize')
        return
        ;;
    '--bit-rate')
        return
        ;;
    '--quality')
        return
        ;;
    '--compression')
        return
        ;;
    '--tag')
        return
        ;;
    '--cover')
        __fxrun_add_completions -o plusdirs -fX '!*.@(jpg|jpeg|png|gif|webp)'
        return
        ;;
    '--chapter')
        return
        ;;
    '--start')
        return
        ;;
    '--duration')
        return
        ;;
    '--repeat')
        return
        ;;
    '--channels')
        return
        ;;
    '--cut-silence')
        __fxrun_add_completions -W 'start'$'\n''end'$'\n''ends'$'\n''inside'$'\n''all'
        return
        ;;
    '--loudness')
        return
        ;;
    '--fade-in')
        return
        ;;
    '--fade-out')
        return
        ;;
    '--pad')
        return
        ;;
    '--split')
        return
        ;;
    '--silence-level')
        return
        ;;
    '--silence-time')
        return
        ;;
    '--silence-keep')
        return
        ;;
    '--silence-fade')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    *)
        __fxrun_add_completions -f
        return
        ;;
    esac
}

_fxrun_batch_merge() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--expect -o)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--expect')
        __fxrun_add_completions -f
        return
        ;;
    '-o')
        __fxrun_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __fxrun_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    esac
}

_fxrun_units() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -W 'align'$'\n''allPass'$'\n''amp'$'\n''autoPan'$'\n''autoWah'$'\n''bandPass'$'\n''binaural'$'\n''bitcrusher'$'\n''cabinet'$'\n''channelMap'$'\n''chorus'$'\n''clipper'$'\n''compressor'$'\n''convolver'$'\n''crossfade'$'\n''crossfeed'$'\n''crossover'$'\n''dcBlock'$'\n''deEsser'$'\n''delay'$'\n''denoise'$'\n''downmix'$'\n''dynamicEqualizer'$'\n''echoCancel'$'\n''envelope'$'\n''equalizer'$'\n''exciter'$'\n''expander'$'\n''expression'$'\n''flanger'$'\n''frequencyShifter'$'\n''gain'$'\n''gate'$'\n''haas'$'\n''highPass'$'\n''highShelf'$'\n''lfo'$'\n''limiter'$'\n''linearCrossover'$'\n''loudness'$'\n''lowPass'$'\n''lowShelf'$'\n''matrix'$'\n''meter'$'\n''metronome'$'\n''midSideDecode'$'\n''midSideEncode'$'\n''mixer'$'\n''multiband'$'\n''normalize'$'\n''notch'$'\n''pan'$'\n''peak'$'\n''phaser'$'\n''pitch'$'\n''random'$'\n''reverb'$'\n''ringModulator'$'\n''rotary'$'\n''saturator'$'\n''spatial'$'\n''spectrum'$'\n''speechDenoise'$'\n''steps'$'\n''switch'$'\n''tape'$'\n''transient'$'\n''tremolo'$'\n''tuner'$'\n''vibrato'$'\n''vinyl'$'\n''voiceActivity'$'\n''width'$'\n''downmix@1'$'\n''limiter@1'$'\n''gate@1'$'\n''delay@1'$'\n''reverb@1'
        return
        ;;
    esac
}

_fxrun_plugins() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|probe)
        # Offer subcommand argument completions
        "_fxrun_plugins_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show probe' -- "${cur}"))
        ;;
    esac
}

_fxrun_plugins_list() {
    repeating_flags=()
    non_repeating_flags=(--effects --instruments --usable --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--class --name --channels --inputs --outputs --feature)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--class')
        return
        ;;
    '--name')
        return
        ;;
    '--channels')
        return
        ;;
    '--inputs')
        return
        ;;
    '--outputs')
        return
        ;;
    '--feature')
        return
        ;;
    esac
}

_fxrun_plugins_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options 1
}

_fxrun_plugins_probe() {
    repeating_flags=()
    non_repeating_flags=(--all --refresh --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--timeout --jobs)
    __fxrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--timeout')
        return
        ;;
    '--jobs')
        return
        ;;
    esac
}

_fxrun_devices() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options 0
}

_fxrun_save-state() {
    repeating_flags=()
    non_repeating_flags=(--force --json --version -h --help)
    repeating_options=(--define)
    non_repeating_options=(-o --label --sample-rate --channels)
    __fxrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--define')
        return
        ;;
    '-o')
        __fxrun_add_completions -d
        return
        ;;
    '--label')
        return
        ;;
    '--sample-rate')
        return
        ;;
    '--channels')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __fxrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_fxrun_schema() {
    repeating_flags=()
    non_repeating_flags=(--test --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options 0
}

_fxrun_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __fxrun_offer_flags_options -1
}

complete -o filenames -F _fxrun fxrun
