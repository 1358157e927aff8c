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
