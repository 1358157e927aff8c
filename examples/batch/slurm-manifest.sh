#!/bin/sh
# Renders the recordings of a manifest as a Slurm job array, one shard a task, and combines the manifests of
# the parts in a job that waits for the array:
#
#     slurm-manifest.sh SHARDS CHAIN.json MANIFEST.jsonl OUTPUT-FOLDER
#
# The manifest has a line such as {"audio_filepath": "in/p225.wav", "speaker": "p225"} for each recording;
# OUTPUT-FOLDER/manifest.jsonl has such a line for each part between two silences.
#SBATCH --job-name=fxrun
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -u
if [ -z "${SLURM_JOB_ID-}" ]; then
  shards=$1 output=$4
  array=$(sbatch --parsable --array="1-$shards" "$0" "$@") || exit
  # 'afterany': a recording that failed must not keep the others from the manifest.
  exec sbatch --wait --dependency="afterany:$array" --job-name=fxrun-merge \
    --wrap="fxrun batch merge '$output'/fxrun-batch.*of$shards.jsonl --manifest '$output/manifest.jsonl'"
fi
# A minute before the time is up Slurm sends SIGTERM to the step: fxrun completes the recording that it is
# rendering and ends with 130.
srun fxrun batch "$2" --jobs "$3" --input-key audio_filepath --carry -o "$4/{path}-{n}.flac" \
  --split silence --silence-time 0.3 --silence-keep 0.1 --shard slurm --quiet
status=$?
case $status in
75 | 130) scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" ;;
esac
exit "$status"
