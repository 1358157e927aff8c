#!/bin/sh
# Renders a folder as a Slurm job array, one shard a task:
#
#     sbatch --array=1-8 slurm.sh CHAIN.json INPUT-FOLDER OUTPUT-FOLDER
#
# A task that does not complete its shard is queued again and goes on where it was. When all tasks have
# ended: fxrun batch merge OUTPUT-FOLDER/fxrun-batch.*of8.jsonl
#
#SBATCH --job-name=fxrun
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --signal=TERM@60
# A minute before the time is up Slurm sends SIGTERM to the step: fxrun completes the file that it is
# rendering and ends with 130.
srun fxrun batch "$1" "$2" -o "$3/{path}.flac" --shard slurm --quiet
status=$?
case $status in
75 | 130) scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" ;;
esac
exit "$status"
