"""Other hosts with the same file, called as a user would."""

import shutil

from audio import Sound
from hosts import run


def ffmpeg_filter(uri):
    return "lv2=p='" + uri.replace("\\", "\\\\").replace(":", "\\:") + "'"


COMMANDS = {
    "lv2file": lambda uri, source, target: ["lv2file", "-i", source, "-o", target, uri],
    "lv2apply": lambda uri, source, target: ["lv2apply", "-i", source, "-o", target, uri],
    "ffmpeg": lambda uri, source, target: [
        "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source, "-af", ffmpeg_filter(uri),
        "-c:a", "pcm_f32le", target],
}


def installed():
    return [name for name in COMMANDS if shutil.which(name)]


def outcome(room, name, uri, source, frames, limit):
    """`ok`, `crashed`, `too long`, `refused`, or the error of the file."""
    target = room.path(name + ".wav")
    result = run(COMMANDS[name](uri, source, target), room.env(), limit, room.folder)
    if result.code is None:
        return "too long"
    if result.crashed:
        return "crashed"
    if result.code != 0:
        return "refused"
    try:
        sound = Sound(target)
    except (OSError, ValueError):
        return "refused"
    if not sound.is_finite:
        return "not finite"
    if sound.frames != frames:
        return "wrong length"
    if sound.peak == 0:
        return "silent"
    return "ok"
