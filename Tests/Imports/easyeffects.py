"""The responses of linear presets of EasyEffects, from the plugins that it uses: the equalizer of LSP Plugins and the
stereo tools of Calf, which fxrun hosts. Presets with other plugins, and with types of filters that LSP Plugins 1.2.5
does not have, have no reference."""
import json
import os
import re
import tempfile
import rendering

RATE = 48000
# LSP Plugins calculate in 32 bits: a high-pass of the eighth order at 60 Hz is off by 0.2 dB at -50 dB.
FLOOR = 1e-2
LSP = "http://lsp-plug.in/plugins/lv2/"
CALF = "http://calf.sourceforge.net/plugins/"
TYPES = {"Off", "Bell", "Hi-pass", "Hi-shelf", "Lo-pass", "Lo-shelf", "Notch", "Resonance", "Allpass"}
MODES = {"RLC (BT)", "RLC (MT)", "BWC (BT)", "BWC (MT)", "LRX (BT)", "LRX (MT)", "APO (DR)"}
SIDES = {"equalizer": ("left", "right"), "midside_equalizer": ("mid", "side")}


def equalizer(kind, settings):
    """A node of the parametric equalizer; None where it does not have what the preset asks for."""
    if settings.get("mode", "IIR") != "IIR" or settings.get("decramp", "Off") != "Off":
        return None
    parameters = {"mode": "IIR", "bal": settings.get("balance", 0) / 100}
    for index, side in enumerate(SIDES[kind]):
        source = settings[side] if settings.get("split-channels") else settings[SIDES[kind][0]]
        letter = side[0]
        pitch = settings.get(f"pitch-{side}", 0)
        for number in range(settings.get("num-bands", 32)):
            band = source.get(f"band{number}")
            if band is None:
                continue
            # With a q, the all-pass of a Butterworth filter is refused.
            if band["type"] not in TYPES or "MT" in band["mode"] or band["type"] == "Allpass" and band["q"] > 0:
                return None
            parameters.update({
                f"ft{letter}_{number}": band["type"], f"fm{letter}_{number}": band["mode"],
                f"s{letter}_{number}": band.get("slope", "x1"),
                f"xs{letter}_{number}": band.get("solo", False), f"xm{letter}_{number}": band.get("mute", False),
                f"f{letter}_{number}": band["frequency"] * 2 ** (pitch / 12),
                f"g{letter}_{number}": f"{band['gain']} dB", f"q{letter}_{number}": band["q"],
            })
    name = "lr" if kind == "equalizer" else "ms"
    return {"lv2": f"{LSP}para_equalizer_x32_{name}", "parameters": parameters}


def stereo_tools(settings):
    """A node of the stereo tools."""
    if settings.get("softclip") or settings.get("dry", -100) > -80:
        return None
    factor = lambda key: 10 ** (settings.get(key, 0) / 20)
    return {"lv2": f"{CALF}StereoTools", "parameters": {
        "balance_in": settings.get("balance-in", 0), "balance_out": settings.get("balance-out", 0),
        "mutel": settings.get("mutel", False), "muter": settings.get("muter", False),
        "phasel": settings.get("phasel", False), "phaser": settings.get("phaser", False),
        "mode": settings["mode"], "slev": factor("side-level"), "sbal": settings.get("side-balance", 0),
        "mlev": factor("middle-level"), "mpan": settings.get("middle-panorama", 0),
        "stereo_base": settings.get("stereo-base", 0), "delay": settings.get("delay", 0) / 1000,
        "stereo_phase": settings.get("stereo-phase", 0)}}


def chain(preset):
    """The nodes of a preset; None if there is no reference for one of them."""
    section = preset.get("output") or preset["input"]
    nodes = []
    for name in section["plugins_order"]:
        settings, kind = section[name], re.sub(r"#.*", "", name)
        if kind in SIDES:
            node = equalizer(kind, settings)
        elif kind == "stereo_tools":
            node = stereo_tools(settings)
        else:
            node = None
        if node is None:
            return None
        if not settings.get("bypass"):
            for level in (settings.get("input-gain", 0), settings.get("output-gain", 0) + settings.get("wet", 0)):
                nodes.append({"unit": "gain", "parameters": {"gain": f"{level} dB"}})
            nodes.insert(-1, node)
    return nodes


def responses(path, program):
    preset = json.loads(path.read_text()) if path.suffix == ".json" else {}
    nodes = chain(preset) if preset else None
    if not nodes:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "original.json")
        with open(file, "w") as output:
            json.dump({"version": 2, "sampleRate": RATE, "channels": 2, "chain": nodes}, output)
        return RATE, rendering.responses(program, file, 2, 2, RATE)
