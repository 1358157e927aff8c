#!/usr/bin/env python3
"""Checks which tags of a file a render keeps: input formats × output formats × fields, read with mutagen,
an independent library.

    benchmarks/tags.py FXRUN

Needs ffmpeg (for inputs) and mutagen (Debian: python3-mutagen).
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import mutagen
import mutagen.aiff
import mutagen.flac
import mutagen.id3
import mutagen.mp3
import mutagen.mp4
import mutagen.oggopus
import mutagen.oggvorbis
import mutagen.wave

FIELDS = {
    "title": "Ünï – ☃",
    "artist": "Ada",
    "album": "First",
    "date": "2024",
    "tracknumber": "3",
    "genre": "Speech",
    "composer": "Bea",
    "albumartist": "Cy",
}
ID3 = {
    "title": "TIT2", "artist": "TPE1", "album": "TALB", "date": "TDRC", "tracknumber": "TRCK",
    "genre": "TCON", "composer": "TCOM", "albumartist": "TPE2",
}
MP4 = {
    "title": "\xa9nam", "artist": "\xa9ART", "album": "\xa9alb", "date": "\xa9day", "genre": "\xa9gen",
    "composer": "\xa9wrt", "albumartist": "aART",
}
PICTURE = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
    b"\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
)
INPUTS = ["mp3", "flac", "ogg", "opus", "wav", "aiff", "m4a"]
OUTPUTS = ["mp3", "flac", "ogg", "opus", "wav", "aiff"]


def write(path):
    """Writes every field and a picture to a file with mutagen."""
    kind = path.suffix[1:]
    if kind in ("mp3", "wav", "aiff"):
        file = {"mp3": mutagen.mp3.MP3, "wav": mutagen.wave.WAVE, "aiff": mutagen.aiff.AIFF}[kind](path)
        if file.tags is None:
            file.add_tags()
        for field, frame in ID3.items():
            file.tags.add(getattr(mutagen.id3, frame)(encoding=3, text=FIELDS[field]))
        file.tags.add(mutagen.id3.APIC(encoding=3, mime="image/png", type=3, desc="", data=PICTURE))
        if kind == "mp3":
            file.tags.add(mutagen.id3.CHAP(
                element_id="a", start_time=0, end_time=500,
                sub_frames=[mutagen.id3.TIT2(encoding=3, text="One")]))
        file.save()
    elif kind == "m4a":
        # mutagen cannot write chapters here.
        chapters = path.with_suffix(".txt")
        chapters.write_text(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n")
        plain = path.rename(path.with_stem("plain"))
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-i", plain, "-i", chapters, "-map_chapters", "1",
             "-c", "copy", path], check=True)
        file = mutagen.mp4.MP4(path)
        for field, atom in MP4.items():
            file[atom] = FIELDS[field]
        file["trkn"] = [(3, 0)]
        file["covr"] = [mutagen.mp4.MP4Cover(PICTURE, mutagen.mp4.MP4Cover.FORMAT_PNG)]
        file.save()
    else:
        file = mutagen.File(path)
        for field, text in FIELDS.items():
            file[field] = text
        picture = mutagen.flac.Picture()
        picture.type, picture.mime, picture.data = 3, "image/png", PICTURE
        if kind == "flac":
            file.add_picture(picture)
        else:
            import base64
            file["metadata_block_picture"] = [base64.b64encode(picture.write()).decode()]
        file["CHAPTER001"] = "00:00:00.000"
        file["CHAPTER001NAME"] = "One"
        file.save()


def read(path):
    """Reads the fields of a file, its picture and its chapter titles with mutagen."""
    kind = path.suffix[1:]
    found = {}
    if kind in ("mp3", "wav", "aiff"):
        file = {"mp3": mutagen.mp3.MP3, "wav": mutagen.wave.WAVE, "aiff": mutagen.aiff.AIFF}[kind](path)
        for field, frame in ID3.items():
            if frame in file.tags:
                found[field] = str(file.tags[frame].text[0])
        pictures = file.tags.getall("APIC")
        found["cover"] = pictures[0].data == PICTURE if pictures else False
        found["chapter"] = [c.sub_frames["TIT2"].text[0] for c in file.tags.getall("CHAP")] == ["One"]
        return found
    file = mutagen.File(path)
    for field in FIELDS:
        if field in file:
            found[field] = file[field][0]
    if kind == "flac":
        found["cover"] = bool(file.pictures) and file.pictures[0].data == PICTURE
    else:
        import base64
        block = file.get("metadata_block_picture", [None])[0]
        found["cover"] = (
            block is not None and mutagen.flac.Picture(base64.b64decode(block)).data == PICTURE)
    found["chapter"] = file.get("chapter001name", [None])[0] == "One"
    return found


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chain = folder / "chain.json"
        chain.write_text(json.dumps(
            {"version": 1, "sampleRate": 48000, "chain": [{"unit": "gain"}]}))
        columns = list(FIELDS) + ["cover", "chapter"]
        print("| from | to | kept | lost |")
        print("|---|---|---|---|")
        for source in INPUTS:
            path = folder / f"in.{source}"
            subprocess.run(
                ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                 "sine=duration=1:sample_rate=48000", path], check=True)
            write(path)
            for target in OUTPUTS:
                output = folder / f"out.{target}"
                subprocess.run([program, chain, path, "-o", output, "-q"], check=True)
                found = read(output)
                lost = [
                    field for field in columns
                    if found.get(field) != FIELDS.get(field, True)
                    and not (field == "chapter" and source in ("wav", "aiff"))]
                kept = len(columns) - len(lost)
                print(f"| {source} | {target} | {kept} of {len(columns)} | {', '.join(lost) or '-'} |")


if __name__ == "__main__":
    main()
