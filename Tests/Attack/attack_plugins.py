"""LV2 bundles: damaged descriptions, presets and saved states, beside a good bundle."""
import os
import shutil

from damage import damaged
from sandbox import defects

GOOD = "urn:fxrun:test:gain"
PHRASES = (
    b"lv2:index -1 ;", b"lv2:index 4294967295 ;", b"lv2:index 99999999 ;", b"lv2:index 0.5 ;", b"lv2:index 0 ;",
    b"lv2:default 1e999 ;", b'lv2:minimum "x" ;', b"lv2:symbol 3 ;", b'lv2:symbol "\\u001B[31m" ;',
    b'lv2:name "a\\nerror: b" ;', b"rdfs:seeAlso <manifest.ttl> ;", b"rdfs:seeAlso </dev/zero> ;",
    b"rdfs:seeAlso <.> ;", b"lv2:binary <..> ;", b"lv2:binary <http://example.org/x> ;", b"a lv2:Plugin ;",
    b"[" * 200_000, b"(" * 200_000, b"( [ " * 20_000, b'"' + b"x" * 1_000_000 + b'"', b'"""', b"@prefix : <",
    b"<" + b"u" * 100_000 + b">", b"\xff\xfe\x00", b"\xc0\x80", b"1" * 5000)


def good(seeds):
    """Runs that must succeed before anything is damaged, each as files and arguments."""
    for name in ("gain", "midi", "state", "zoo", "cv", "groups"):
        yield {}, ["plugins", "show", f"urn:fxrun:test:{name}"]


def attack_description(random, box, seeds):
    """A broken bundle beside a good one: fxrun must still find the good one."""
    name = random.choice(("gain", "midi", "state", "zoo", "cv", "groups"))
    shutil.copytree(seeds.bundles / "gain.lv2", box.folder / "lv2" / "good.lv2")
    bundle = box.folder / "lv2" / "bad.lv2"
    shutil.copytree(seeds.bundles / f"{name}.lv2", bundle)
    # Another URI, so that the good plugin exists only once.
    for path in bundle.glob("*.ttl"):
        path.write_bytes(path.read_bytes().replace(b"urn:fxrun:test:", b"urn:fxrun:bad:"))
    path = random.choice(sorted(bundle.glob("*.ttl")))
    _break(random, path)
    box.write("chain.json", b'{ "version": 1, "chain": [ { "lv2": "urn:fxrun:test:gain" } ] }')
    box.write("in.wav", seeds.wav)
    arguments = random.choice((
        ["plugins"], ["plugins", "--json"], ["plugins", "show", f"urn:fxrun:bad:{name}"],
        ["plugins", "probe", f"urn:fxrun:bad:{name}"], ["check", "chain.json"],
        ["chain.json", "in.wav", "-o", "out.wav"]))
    before = box.files()
    outcome = box.run(*arguments)
    found = defects(outcome, box.files() - before, {"out.wav"}, "--json" not in arguments)
    is_about_good = "urn:fxrun:bad" not in " ".join(arguments)
    if is_about_good and outcome.status != 0:
        found.append(f"a broken bundle stops what does not need it: exit status {outcome.status}")
    if arguments[0] == "plugins" and is_about_good and GOOD.encode() not in outcome.output:
        found.append("empty success: the good plugin is not listed")
    return found


def attack_state(random, box, seeds):
    """A damaged saved state."""
    box.environment["LV2_PATH"] = str(seeds.bundles)
    box.write("plain.json", b'{ "version": 1, "chain": [ { "id": "p", "lv2": "urn:fxrun:test:state" } ] }')
    made = box.run("save-state", "plain.json", "p", "-o", "saved.lv2")
    if made.status != 0:
        return defects(made) or ["the state cannot be saved"]
    path = random.choice(sorted(path for path in (box.folder / "saved.lv2").rglob("*") if path.is_file()))
    _break(random, path)
    box.write("chain.json",
              b'{ "version": 1, "chain": [ { "lv2": "urn:fxrun:test:state", "state": "saved.lv2" } ] }')
    box.write("in.wav", seeds.wav)
    before = box.files()
    outcome = box.run(*random.choice((["check", "chain.json"], ["chain.json", "in.wav", "-o", "out.wav"])))
    return defects(outcome, box.files() - before, {"out.wav"})


def _break(random, path):
    kind = random.randrange(10)
    if kind == 0:
        path.unlink()
        random.choice((os.mkfifo, os.mkdir, lambda name: os.symlink(name, name),
                       lambda name: os.symlink("/dev/zero", name)))(path)
        return
    content = bytearray(path.read_bytes())
    if kind < 5:
        for _ in range(random.choice((1, 1, 3))):
            # Between two words, where the parser can understand it.
            spaces = [at for at, byte in enumerate(content) if byte in b" \n\t"]
            at = random.choice(spaces) if spaces else 0
            content[at:at] = b" " + random.choice(PHRASES) + b" "
        path.write_bytes(content)
    else:
        path.write_bytes(damaged(random, bytes(content)))
