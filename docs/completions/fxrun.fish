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
