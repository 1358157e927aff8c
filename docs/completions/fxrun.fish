function __fxrun_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __fxrun_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __fxrun_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __fxrun_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __fxrun_parse_tokens -S
    set -l unparsed_tokens (__fxrun_tokens -pc)
    switch $unparsed_tokens[1]
    case 'fxrun'
        __fxrun_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'run'
            __fxrun_parse_subcommand 2 'define=+' 'raw=+' 'save-stream=' 'stream-buffer=' 'stream-timeout=' 'stream-attempts=' 'o=+' 'input=+' 'output=+' 'set=+' 'scene=' 'bypass=+' 'tap=+' 'loop=' 'threads=' 'device=' 'capture=' 'capture-channels=' 'hardware-latency=' 'period=' 'periods=' 'on-lost=' 'watch' 'no-view' 'meters=' 'cpu=' 'control=' 'log=' 'volume=' 'rest=' 'ab=' 'replay=' 'sample-rate=' 'resampling=' 'block-size=' 'memory=' 'format=' 'bits=' 'normalize=' 'no-dither' 'shape-noise' 'bit-rate=' 'quality=' 'compression=' 'tag=+' 'loudness-tags' 'no-tags' 'cover=' 'chapter=+' 'start=' 'duration=' 'repeat=' 'reverse' 'channels=' 'cut-silence=' 'loudness=' 'fade-in=' 'fade-out=' 'pad=' 'split=' 'silence-level=' 'silence-time=' 'silence-keep=' 'silence-fade=' 'record=' 'start-level=' 'stop-level=' 'stop-time=' 'pre-roll=' 'json' 'profile' 'q/quiet' 'version' 'h/help'
        case 'control'
            __fxrun_parse_subcommand -r 2 'timeout=' 'version' 'h/help'
        case 'check'
            __fxrun_parse_subcommand 1 'define=+' 'sample-rate=' 'channels=' 'memory=' 'json' 'version' 'h/help'
        case 'plan'
            __fxrun_parse_subcommand 1 'define=+' 'sample-rate=' 'channels=' 'memory=' 'threads=' 'dot' 'json' 'version' 'h/help'
        case 'profile'
            __fxrun_parse_subcommand 2 'define=+' 'input=+' 'set=+' 'scene=' 'duration=' 'block-size=' 'sample-rate=' 'channels=' 'threads=' 'o=' 'theme=' 'json' 'version' 'h/help'
        case 'plot'
            __fxrun_parse_subcommand -r 2 'o=' 'theme=' 'what=' 'level=' 'sample-rate=' 'channels=' 'feed=' 'input=' 'output=' 'define=+' 'set=+' 'scene=' 'json' 'version' 'h/help'
        case 'diff'
            __fxrun_parse_subcommand 2 'raw=+' 'tolerance=' 'report=' 'json' 'version' 'h/help'
        case 'info'
            __fxrun_parse_subcommand -r 1 'raw=' 'exact' 'json' 'version' 'h/help'
        case 'stats'
            __fxrun_parse_subcommand -r 1 'raw=' 'o=' 'theme=' 'json' 'version' 'h/help'
        case 'test'
            __fxrun_parse_subcommand -r 1 'update' 'filter=+' 'skip=+' 'fail-fast' 'list' 'cache-key' 'jobs=' 'timeout=' 'cost' 'no-cost' 'block-size=' 'threads=' 'junit=' 'output=' 'json' 'version' 'h/help'
        case 'lint'
            __fxrun_parse_subcommand -r 1 'input=+' 'define=+' 'set=+' 'scene=' 'duration=' 'sample-rate=' 'channels=' 'block-size=' 'live' 'ignore=+' 'timeout=' 'jobs=' 'json' 'version' 'h/help'
        case 'batch'
            __fxrun_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'run'
                __fxrun_parse_subcommand -r 2 'define=+' 'list=' 'jobs=' 'o=' 'j/workers=' 'log=' 'again' 'shard=' 'timeout=' 'input=+' 'raw=+' 'set=+' 'scene=' 'bypass=+' 'sample-rate=' 'resampling=' 'block-size=' 'memory=' 'format=' 'bits=' 'normalize=' 'no-dither' 'shape-noise' 'bit-rate=' 'quality=' 'compression=' 'tag=+' 'loudness-tags' 'no-tags' 'cover=' 'chapter=+' 'start=' 'duration=' 'repeat=' 'reverse' 'channels=' 'cut-silence=' 'loudness=' 'fade-in=' 'fade-out=' 'pad=' 'split=' 'silence-level=' 'silence-time=' 'silence-keep=' 'silence-fade=' 'json' 'q/quiet' 'version' 'h/help'
            case 'merge'
                __fxrun_parse_subcommand -r 1 'expect=' 'o=' 'version' 'h/help'
            end
        case 'units'
            __fxrun_parse_subcommand 1 'json' 'version' 'h/help'
        case 'plugins'
            __fxrun_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __fxrun_parse_subcommand -r 1 'class=' 'name=' 'channels=' 'inputs=' 'outputs=' 'feature=' 'effects' 'instruments' 'usable' 'json' 'version' 'h/help'
            case 'show'
                __fxrun_parse_subcommand 1 'json' 'version' 'h/help'
            case 'probe'
                __fxrun_parse_subcommand -r 1 'all' 'refresh' 'timeout=' 'jobs=' 'json' 'version' 'h/help'
            end
        case 'devices'
            __fxrun_parse_subcommand 0 'json' 'version' 'h/help'
        case 'save-state'
            __fxrun_parse_subcommand 2 'define=+' 'o=' 'label=' 'force' 'sample-rate=' 'channels=' 'json' 'version' 'h/help'
        case 'schema'
            __fxrun_parse_subcommand 0 'test' 'version' 'h/help'
        case 'help'
            __fxrun_parse_subcommand -r 1 'version'
        end
    end
end

function __fxrun_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __fxrun_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __fxrun_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __fxrun_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__fxrun_tokens -p)
    if test -z "$(__fxrun_tokens -t)"
        set -l index (count (__fxrun_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'fxrun' -f
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'run' -d 'Run a chain over a file or live (the default: \'fxrun chain.json input.mp3\').'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'control' -d 'Send a request to a chain that plays: \'fxrun control guitar set comp.threshold -20dB\'.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'check' -d 'Report every mistake in a chain, without running it.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'plan' -d 'Print the render order that a chain compiles to: steps, buffers, latencies.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'profile' -d 'Measure a chain: the time and memory of each node, and the gain of more threads.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'plot' -d 'Draw what a chain, a unit or an LV2 plugin does to sound.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'diff' -d 'Compare two sound files and explain the differences.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'info' -d 'Describe sound files: codec, rate, channels, bit rate, duration, tags, chapters.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'stats' -d 'Measure sound files: peak, true peak, RMS, loudness, DC, clipping, silence, noise floor, bandwidth.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'test' -d 'Compare what chains render with golden sounds, and report what differs and where.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'lint' -d 'Render a chain in several ways and report what is questionable.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'batch' -d 'Render many files through a chain, on all processors, and resume after a stop.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'units' -d 'List the built-in units, or show everything about one.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'plugins' -d 'List the installed LV2 plugins, show everything about one, or test them.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'devices' -d 'List the sound devices that can play or record, and what they can be set to.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'save-state' -d 'Save the state that an LV2 plugin of a chain starts with, as a preset with its files.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'schema' -d 'Print the JSON Schema of chain files, or of case files, for editors.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun run" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun run" -eq 2' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'raw' -d 'The main input has no header: read its samples as s16le,48000,2 (coding, rate, channels or layout; also offset=bytes). For another input name=format; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" save-stream' -l 'save-stream' -d 'Save the bytes of the first http stream in this file, as they arrive.' -rF
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" stream-buffer' -l 'stream-buffer' -d 'Live: seconds of a stream that are buffered before it plays (default 3) (0.1…60 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" stream-timeout' -l 'stream-timeout' -d 'Seconds to wait for a connection, a first byte and each further byte of a stream (default 10, 20 and 15) (0.1…3600 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" stream-attempts' -l 'stream-attempts' -d 'Attempts in a row without a byte before a stream has failed (default 6) (1…1000).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -s 'o' -d 'Write the main output to this file: .wav, .flac, .mp3, .ogg …; - is standard output, as WAV or in --format. May be repeated.' -rF
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'input' -d 'Feed a named input of the chain; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'output' -d 'Write a named output of the chain; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'set' -d 'Set a parameter before the start, as the chain would write it; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" scene' -l 'scene' -d 'Begin with this scene of the chain, in place of its own \'scene\'.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'bypass' -d 'Bypass a node: it passes its input on; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'tap' -d 'Record the output of a node into a file, beside everything else; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" loop' -l 'loop' -d 'Loop a part of the input: from-to in seconds or m:ss, or all of it. Into a file with --duration.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" threads' -l 'threads' -d 'Threads that render, beside those that decode and write (default: one a processor where that saves time) (1…64).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" device' -l 'device' -d 'Play on this sound device, and record from it, in place of default.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" capture' -l 'capture' -d 'Record the chain\'s input from this sound device; with -o into a file.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" capture-channels' -l 'capture-channels' -d 'Channels to record where the chain does not say (default 2) (1…1024).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" hardware-latency' -l 'hardware-latency' -d 'Latency of converters and cables that drivers do not report; it is removed from recordings: seconds, or as 1.5ms (0…1 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" period' -l 'period' -d 'Frames of a period of the device (default: the block size, or 256; 128 to play and record, 1024 to record only) (1…65536).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" periods' -l 'periods' -d 'Periods of the device\'s buffer (default 3; 4 to record only) (2…64).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" on-lost' -l 'on-lost' -d 'When the device disappears: wait for it (default where the sound has no end), or end. With wait, fxrun also waits for a device that is missing at the start.' -rfka 'wait end'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" watch' -l 'watch' -d 'Reload the chain when its file is written, without a gap in the sound.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" no-view' -l 'no-view' -d 'Show no levels and loads on the terminal while it plays.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" meters' -l 'meters' -d 'With --json: print levels, gain reduction and loads this often, 0.1 or more.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" cpu' -l 'cpu' -d 'Processors that the render thread may run on: 3, 2-3 or 0,2-3.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" control' -l 'control' -d 'Take requests of \'fxrun control\' while it plays: a name, or the path of a socket.' -rF
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" log' -l 'log' -d 'Write every change that is made while it plays to this file, for --replay.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" volume' -l 'volume' -d 'The playback level (default 0); files that are written keep their level (-120…20 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" rest' -l 'rest' -d 'Stop rendering after this much silence, until there is sound again: seconds or m:ss (0…86400 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" ab' -l 'ab' -d 'Play this chain on the same input as well, to switch between the two.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" replay' -l 'replay' -d 'Render with the changes that were made while the chain played, as --log wrote them.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" sample-rate' -l 'sample-rate' -d 'Render at this rate, in place of the chain\'s own or the main input\'s (1000…768000 Hz).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" resampling' -l 'resampling' -d 'How sounds of another rate are converted; default veryHigh.' -rfka 'low medium high veryHigh'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" block-size' -l 'block-size' -d 'Block size in frames, as LV2 plugins see it (1…8192).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" memory' -l 'memory' -d 'Memory that the chain\'s sound may need: 512M, 4G … (default: half of what the process may use, at most 4G).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" format' -l 'format' -d 'The format, if the name does not choose one; default on standard output wav.' -rfka 'wav flac aiff caf w64 rf64 au ogg opus mp3 raw'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" bits' -l 'bits' -d 'Bits per sample: 8, 16, 24 (default), 32 (float), 64 (float), or int32.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" normalize' -l 'normalize' -d 'Level of the highest peak, by one gain: the whole sound is measured first, so not live (-100…0 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" no-dither' -l 'no-dither' -d 'Round to 8 or 16 bits without dither, in files and on devices.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" shape-noise' -l 'shape-noise' -d 'For 8 and 16 bits: noise shaping, which moves the noise to where it is heard less.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" bit-rate' -l 'bit-rate' -d 'Bit rate in kbit/s: .mp3 and .opus (6…512).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" quality' -l 'quality' -d 'From 0, small, to 1, good: .mp3 and .ogg; default 0.6 (0…1).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" compression' -l 'compression' -d 'From 0, fast, to 8, small: .flac; default 5 (0…8).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'tag' -d 'Give -o a tag, such as title=… or artist=…, beside those of the input; an empty one removes it. May be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" loudness-tags' -l 'loudness-tags' -d 'Writes the loudness into tags, for players: ReplayGain, or R128 in Opus.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" no-tags' -l 'no-tags' -d 'Copy no tags, cover or chapters from the input.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" cover' -l 'cover' -d 'Give -o this picture as its cover: JPEG, PNG, GIF or WebP.' -rfa '(set -l exts \'jpg\' \'jpeg\' \'png\' \'gif\' \'webp\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run"' -l 'chapter' -d 'Give -o a chapter, in place of the input\'s; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" start' -l 'start' -d 'Start at this place in the input: seconds or m:ss.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" duration' -l 'duration' -d 'Take this much of the input: seconds or m:ss.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" repeat' -l 'repeat' -d 'Play the part of the input that --start and --duration choose this many times.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" reverse' -l 'reverse' -d 'Play that part from its end to its beginning.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" channels' -l 'channels' -d 'Take these channels of the input, from 1, in this order: 2 or 2,1.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" cut-silence' -l 'cut-silence' -d 'Removes silence: at the start, the end or both ends, longer than --silence-time inside, or all of these. Times count in the sound that is left.' -rfka 'start end ends inside all'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" loudness' -l 'loudness' -d 'Bring the main output to this loudness, -16 for podcasts; the sound is measured first (-70…0 LUFS).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" fade-in' -l 'fade-in' -d 'Fades the beginning in (0…300 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" fade-out' -l 'fade-out' -d 'Fades the end out (0…300 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" pad' -l 'pad' -d 'Silence before and after the sound of -o: one time for both, or two.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" split' -l 'split' -d 'Writes several files, and names them by {n} and {title}: silence, chapters, every "10 min", at most "100 MB", or at times, "1:30, 4:05".' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" silence-level' -l 'silence-level' -d 'A sound is silent while no sample is above this level; default -50 dB (-120…0 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" silence-time' -l 'silence-time' -d 'How long a pause between two sounds has to be to count as silence; default 0.5 s (0.01…30 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" silence-keep' -l 'silence-keep' -d 'How much of a silence is kept, half on either side; default: all of it (0…30 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" silence-fade' -l 'silence-fade' -d 'The length of the crossfade at each cut; default 5 ms (0…1 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" record' -l 'record' -d 'level records while the sound is loud, manual between start and stop of fxrun control … record; default: everything is written.' -rfka 'level manual'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" start-level' -l 'start-level' -d 'With level: writing starts when a sample is this loud; default -40 dB (-120…0 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" stop-level' -l 'stop-level' -d 'With level: writing stops when the sound has stayed below this; default 10 dB below --start-level (-120…0 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" stop-time' -l 'stop-time' -d 'With level: how long the sound has to stay below --stop-level; default 2 s (0.01…3600 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" pre-roll' -l 'pre-roll' -d 'With record: how much sound from before a start is written as well (0…600 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" json' -l 'json' -d 'Print the summary, or the error, as JSON; live also each event, one a line.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" profile' -l 'profile' -d 'Show in the summary how much of the time each node took.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" q quiet' -l 'quiet' -s 'q' -d 'Print errors and warnings only; messages of plugins are printed too.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun control" timeout' -l 'timeout' -d 'Before NAME: how long to wait for an answer (default 10); 0 is without limit. load and learn have no limit.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun control" -eq 1' -fka '(__fxrun_custom_completion ---completion control -- positional@0 (count (__fxrun_tokens -pc)) (__fxrun_tokens -tC))'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun control" -ge 2' -fka '(__fxrun_custom_completion ---completion control -- positional@1 (count (__fxrun_tokens -pc)) (__fxrun_tokens -tC))'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun control" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun control" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun check" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check" sample-rate' -l 'sample-rate' -d 'Sample rate where the chain does not set one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check" channels' -l 'channels' -d 'Channels of the chain\'s inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check" memory' -l 'memory' -d 'Memory that the chain\'s sound may need: 512M, 4G … (default: half of what the process may use, at most 4G).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check" json' -l 'json' -d 'Print the messages as JSON, for editors and CI.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun plan" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" sample-rate' -l 'sample-rate' -d 'Sample rate where the chain does not set one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" channels' -l 'channels' -d 'Channels of the chain\'s inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" memory' -l 'memory' -d 'Memory that the chain\'s sound may need: 512M, 4G … (default: half of what the process may use, at most 4G).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" threads' -l 'threads' -d 'Divide the plan for so many threads, where that pays.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" dot' -l 'dot' -d 'Draw the graph in Graphviz\'s language: fxrun plan --dot chain.json | dot -Tsvg.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" json' -l 'json' -d 'Print the plan as JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plan" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun profile" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun profile" -eq 2' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile"' -l 'input' -d 'Feed an input of the chain from a file; may be repeated. \'main\' is the main one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile"' -l 'set' -d 'Set a parameter before the start, as the chain would write it; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" scene' -l 'scene' -d 'Begin with this scene of the chain, in place of its own \'scene\'.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" duration' -l 'duration' -d 'Render this much: seconds or m:ss (default: 10).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" block-size' -l 'block-size' -d 'Block size in frames, in place of the chain\'s own: a device\'s period.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" sample-rate' -l 'sample-rate' -d 'Sample rate where the chain does not set one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" channels' -l 'channels' -d 'Channels of the chain\'s inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" threads' -l 'threads' -d 'Try up to so many threads (default: as many as there are processors).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" o' -s 'o' -d 'Draw into this file, SVG or PNG; - is SVG on standard output.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" theme' -l 'theme' -d 'light, dark, or auto: as whoever shows the file prefers (SVG only).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" json' -l 'json' -d 'Print the figures as JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun profile" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun plot" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" o' -s 'o' -d 'Draw into this file, SVG or PNG; - is SVG on standard output.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" theme' -l 'theme' -d 'light, dark, or auto: as whoever shows the file prefers (SVG only).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" what' -l 'what' -d 'Draw these panels, separated by commas: magnitude, phase, groupDelay, impulse, staticCurve, harmonics, distortion, sweep.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" level' -l 'level' -d 'Level of the tones and the sweep, in dB.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" sample-rate' -l 'sample-rate' -d 'Sample rate where the chain does not set one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" channels' -l 'channels' -d 'Channels of the chain\'s inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" feed' -l 'feed' -d 'Channels that get the sound: all, sides (opposite ones on the first two) or a number.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" input' -l 'input' -d 'The input of the chain that gets the sound.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" output' -l 'output' -d 'The output of the chain that is drawn.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot"' -l 'set' -d 'Set a parameter before the start, as the chain would write it; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" scene' -l 'scene' -d 'Begin with this scene of the chain, in place of its own \'scene\'.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" json' -l 'json' -d 'Print the figures as JSON; a file is written with -o alone.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plot" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun diff" -eq 1' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun diff" -eq 2' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun diff"' -l 'raw' -d 'The files have no header: read their samples as s16le,48000,2. For one of them expected=format or actual=format; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun diff" tolerance' -l 'tolerance' -d 'How far it may differ: exact (the default), a level of the difference (\'-90 dB\'), or peak=-90,rms=-100,spectral=0.5 in dB.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun diff" report' -l 'report' -d 'Draw both sounds and their difference on a page for any browser.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun diff" json' -l 'json' -d 'Print the comparison as JSON, with all figures.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun diff" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun info" -ge 1' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun info" raw' -l 'raw' -d 'The files have no header: read their samples as s16le,48000,2 (coding, rate, channels or layout; also offset=bytes).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun info" exact' -l 'exact' -d 'Read every packet, so that lengths and damage are counted.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun info" json' -l 'json' -d 'Print JSON: an array, an object a file.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun info" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun stats" -ge 1' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun stats" raw' -l 'raw' -d 'The files have no header: read their samples as s16le,48000,2 (coding, rate, channels or layout; also offset=bytes).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun stats" o' -s 'o' -d 'Draw into this file, SVG or PNG; - is SVG on standard output.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun stats" theme' -l 'theme' -d 'light, dark, or auto: as whoever shows the file prefers (SVG only).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun stats" json' -l 'json' -d 'Print JSON: an array, an object a file.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun stats" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun stats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun test" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" update' -l 'update' -d 'Replace the goldens that differ, after reporting what changes.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test"' -l 'filter' -d 'Only cases whose name contains the word, or matches a pattern with * and ?; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test"' -l 'skip' -d 'Skip cases whose name contains the word or matches the pattern; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" fail-fast' -l 'fail-fast' -d 'Stop at the first case that does not pass.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" list' -l 'list' -d 'Print the names of the cases and render nothing.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" cache-key' -l 'cache-key' -d 'With --list: print a key that changes with everything that the cases depend on.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" jobs' -l 'jobs' -d 'Cases at a time (default: as many as there are processors).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" timeout' -l 'timeout' -d 'Seconds that a case may take.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" cost' -l 'cost' -d 'Measure cases with a "cost" too, one after the other.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" no-cost' -l 'no-cost' -d 'Measure cases with a "cost" too, one after the other.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" block-size' -l 'block-size' -d 'Block size in frames, in place of the chains\' and cases\' own.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" threads' -l 'threads' -d 'Threads that render a case; 1 where it is left out.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" junit' -l 'junit' -d 'Write the results as JUnit XML.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" output' -l 'output' -d 'Write index.html into a folder and, for each case that differs, its sound and a page.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" json' -l 'json' -d 'Print JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun lint" -ge 1' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint"' -l 'input' -d 'Feed an input of the chains from a file; may be repeated. \'main\' is the main one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint"' -l 'define' -d 'Give one of the chains\' variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint"' -l 'set' -d 'Set a parameter before the start, as the chain would write it; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" scene' -l 'scene' -d 'Begin with this scene of the chain, in place of its own \'scene\'.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" duration' -l 'duration' -d 'Render this much: seconds or m:ss (default: 5 s of the signal, 30 s of files).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" sample-rate' -l 'sample-rate' -d 'Sample rate where the chain does not set one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" channels' -l 'channels' -d 'Channels of the chain\'s inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" block-size' -l 'block-size' -d 'Block size in frames, in place of the chain\'s own.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" live' -l 'live' -d 'Check the chains as if they were played live.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint"' -l 'ignore' -d 'Ignore findings of this code; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" timeout' -l 'timeout' -d 'Seconds that one render may take.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" jobs' -l 'jobs' -d 'Processes at a time (default: as many as there are processors).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" json' -l 'json' -d 'Print the findings as JSON, for editors and CI.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun lint" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun batch" -eq 1' -fa 'run' -d 'Render many files through a chain (the default: \'fxrun batch chain.json INPUTS\').'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun batch" -eq 1' -fa 'merge' -d 'Combine the records of a batch\'s shards, and fail if some are missing or duplicate.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun batch run" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun batch run" -ge 2' -F
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" list' -l 'list' -d 'Render the files that a list names, one a line; - reads standard input.' -rF
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" jobs' -l 'jobs' -d 'Render jobs: a JSON object a line with input, output, id, set, define, tags, raw; - reads standard input.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" o' -s 'o' -d 'Write to this name, with {path}, {name}, {ext}, {parent}, {index} or {id} of each input.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" j workers' -s 'j' -l 'workers' -d 'Worker processes (default: a quarter more than the processors that fxrun may use, at least two more).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" log' -l 'log' -d 'Keep the records here (default: fxrun-batch.jsonl in the folder of the outputs).' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" again' -l 'again' -d 'Render every file, also those that are done.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" shard' -l 'shard' -d 'Render one part of the files: 2/8 for the second of eight; slurm takes it from a job array or srun.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" timeout' -l 'timeout' -d 'Seconds that a file may take.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'input' -d 'Feed another input of the chain, for every file; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'raw' -d 'The main input has no header: read its samples as s16le,48000,2 (coding, rate, channels or layout; also offset=bytes). For another input name=format; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'set' -d 'Set a parameter before the start, as the chain would write it; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" scene' -l 'scene' -d 'Begin with this scene of the chain, in place of its own \'scene\'.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'bypass' -d 'Bypass a node: it passes its input on; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" sample-rate' -l 'sample-rate' -d 'Render at this rate, in place of the chain\'s own or the main input\'s (1000…768000 Hz).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" resampling' -l 'resampling' -d 'How sounds of another rate are converted; default veryHigh.' -rfka 'low medium high veryHigh'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" block-size' -l 'block-size' -d 'Block size in frames, as LV2 plugins see it (1…8192).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" memory' -l 'memory' -d 'Memory that the chain\'s sound may need: 512M, 4G … (default: half of what the process may use, at most 4G).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" format' -l 'format' -d 'The format, if the name does not choose one; default on standard output wav.' -rfka 'wav flac aiff caf w64 rf64 au ogg opus mp3 raw'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" bits' -l 'bits' -d 'Bits per sample: 8, 16, 24 (default), 32 (float), 64 (float), or int32.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" normalize' -l 'normalize' -d 'Level of the highest peak, by one gain: the whole sound is measured first, so not live (-100…0 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" no-dither' -l 'no-dither' -d 'Round to 8 or 16 bits without dither, in files and on devices.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" shape-noise' -l 'shape-noise' -d 'For 8 and 16 bits: noise shaping, which moves the noise to where it is heard less.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" bit-rate' -l 'bit-rate' -d 'Bit rate in kbit/s: .mp3 and .opus (6…512).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" quality' -l 'quality' -d 'From 0, small, to 1, good: .mp3 and .ogg; default 0.6 (0…1).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" compression' -l 'compression' -d 'From 0, fast, to 8, small: .flac; default 5 (0…8).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'tag' -d 'Give -o a tag, such as title=… or artist=…, beside those of the input; an empty one removes it. May be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" loudness-tags' -l 'loudness-tags' -d 'Writes the loudness into tags, for players: ReplayGain, or R128 in Opus.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" no-tags' -l 'no-tags' -d 'Copy no tags, cover or chapters from the input.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" cover' -l 'cover' -d 'Give -o this picture as its cover: JPEG, PNG, GIF or WebP.' -rfa '(set -l exts \'jpg\' \'jpeg\' \'png\' \'gif\' \'webp\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run"' -l 'chapter' -d 'Give -o a chapter, in place of the input\'s; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" start' -l 'start' -d 'Start at this place in the input: seconds or m:ss.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" duration' -l 'duration' -d 'Take this much of the input: seconds or m:ss.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" repeat' -l 'repeat' -d 'Play the part of the input that --start and --duration choose this many times.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" reverse' -l 'reverse' -d 'Play that part from its end to its beginning.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" channels' -l 'channels' -d 'Take these channels of the input, from 1, in this order: 2 or 2,1.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" cut-silence' -l 'cut-silence' -d 'Removes silence: at the start, the end or both ends, longer than --silence-time inside, or all of these. Times count in the sound that is left.' -rfka 'start end ends inside all'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" loudness' -l 'loudness' -d 'Bring the main output to this loudness, -16 for podcasts; the sound is measured first (-70…0 LUFS).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" fade-in' -l 'fade-in' -d 'Fades the beginning in (0…300 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" fade-out' -l 'fade-out' -d 'Fades the end out (0…300 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" pad' -l 'pad' -d 'Silence before and after the sound of -o: one time for both, or two.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" split' -l 'split' -d 'Writes several files, and names them by {n} and {title}: silence, chapters, every "10 min", at most "100 MB", or at times, "1:30, 4:05".' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" silence-level' -l 'silence-level' -d 'A sound is silent while no sample is above this level; default -50 dB (-120…0 dB).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" silence-time' -l 'silence-time' -d 'How long a pause between two sounds has to be to count as silence; default 0.5 s (0.01…30 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" silence-keep' -l 'silence-keep' -d 'How much of a silence is kept, half on either side; default: all of it (0…30 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" silence-fade' -l 'silence-fade' -d 'The length of the crossfade at each cut; default 5 ms (0…1 s).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" json' -l 'json' -d 'Print the record of each file as it is done, a line each, and a summary line.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" q quiet' -l 'quiet' -s 'q' -d 'Print errors only.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun batch merge" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch merge" expect' -l 'expect' -d 'Expect a record for each file that a list names, one a line; - reads standard input.' -rF
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch merge" o' -s 'o' -d 'Write the records to a file.' -rF
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch merge" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun batch merge" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun units" -eq 1' -fka 'align allPass amp autoPan autoWah bandPass binaural bitcrusher cabinet channelMap chorus clipper compressor convolver crossfade crossfeed crossover dcBlock deEsser delay denoise downmix dynamicEqualizer echoCancel envelope equalizer exciter expander expression flanger frequencyShifter gain gate haas highPass highShelf lfo limiter linearCrossover loudness lowPass lowShelf matrix meter metronome midSideDecode midSideEncode mixer multiband normalize notch pan peak phaser pitch random reverb ringModulator rotary saturator spatial spectrum speechDenoise steps switch tape transient tremolo tuner vibrato vinyl voiceActivity width downmix@1 limiter@1 gate@1 delay@1 reverb@1'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun units" json' -l 'json' -d 'Print JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun units" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun units" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun plugins" -eq 1' -fa 'list' -d 'List the installed plugins: channels, class, name and URI (the default).'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun plugins" -eq 1' -fa 'show' -d 'Show a plugin: its ports, ranges, choices and features, and whether it can be used.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun plugins" -eq 1' -fa 'probe' -d 'Test plugins in processes of their own, and keep the results.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" class' -l 'class' -d 'Only this LV2 class: Reverb, Compressor, …' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" name' -l 'name' -d 'Only names with these words.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" channels' -l 'channels' -d 'Only plugins with this many audio inputs and outputs, side-chains counted: 2-2.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" inputs' -l 'inputs' -d 'Only plugins with this many audio inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" outputs' -l 'outputs' -d 'Only plugins with this many audio outputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" feature' -l 'feature' -d 'Only plugins that require or support a feature: its URI or the end of it.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" effects' -l 'effects' -d 'Only effects: plugins with audio inputs and outputs.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" instruments' -l 'instruments' -d 'Only instruments: plugins that play notes.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" usable' -l 'usable' -d 'Only plugins that fxrun can use.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" json' -l 'json' -d 'Print JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins show" json' -l 'json' -d 'Print JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins show" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" all' -l 'all' -d 'Test every installed plugin.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" refresh' -l 'refresh' -d 'Test plugins again that have a verdict.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" timeout' -l 'timeout' -d 'Seconds that a plugin may take.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" jobs' -l 'jobs' -d 'Plugins at a time (default: as many as there are processors).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" json' -l 'json' -d 'Print JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun plugins probe" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun devices" json' -l 'json' -d 'Print JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun devices" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun devices" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_positional "fxrun save-state" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state"' -l 'define' -d 'Give one of the chain\'s variables a value; may be repeated.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" o' -s 'o' -d 'Write this folder.' -rfa '(__fxrun_complete_directories)'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" label' -l 'label' -d 'The preset\'s name (default: the folder\'s name).' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" force' -l 'force' -d 'Replace a folder that is there already.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" sample-rate' -l 'sample-rate' -d 'Sample rate where the chain does not set one.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" channels' -l 'channels' -d 'Channels of the chain\'s inputs.' -rfka ''
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" json' -l 'json' -d 'Print what was written, or the error, as JSON.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun save-state" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun schema" test' -l 'test' -d 'Print the schema of case files, NAME.test.json.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun schema" version' -l 'version' -d 'Show the version.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'fxrun' -n '__fxrun_should_offer_completions_for_flags_or_options "fxrun help" version' -l 'version' -d 'Show the version.'
