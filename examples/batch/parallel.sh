#!/bin/sh
# Renders a folder with GNU parallel, one shard a job. For one computer 'fxrun batch' alone does the
# same; with --sshlogin the shards go to several that see the same folders.
#
#     parallel.sh CHAIN.json INPUT-FOLDER OUTPUT-FOLDER [SHARDS [OPTIONS OF parallel...]]
set -eu
chain=$1 input=$2 output=$3 shards=${4:-4}
[ $# -gt 4 ] && shift 4 || shift $#
# Exit code 75 says that the same command may complete it: that job is tried three times.
seq "$shards" | parallel -q --retries 3 "$@" \
  fxrun batch "$chain" "$input" -o "$output/{path}.flac" -j 1 --shard "{}/$shards"
fxrun batch merge "$output"/fxrun-batch.*of"$shards".jsonl -o "$output/records.jsonl"
