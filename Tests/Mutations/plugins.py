"""The plugins of the chains: bundles that are built from effect.c in different versions."""
import dataclasses
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).with_name("effect.c")
MODELS = ("TRIM", "DRIVE", "LATENT", "BLOCKY")


@dataclasses.dataclass(frozen=True)
class Plugin:
    """One build of a plugin."""
    model: str
    version: tuple = (2, 0)
    amount: float = 0.75
    """The default value of the port `amount`."""
    preset_amount: float = 0.4
    """The value in the preset `soft`."""
    coefficient: float = 1.0
    late: int = 0
    unsteady: bool = False
    flipped: bool = False

    @property
    def uri(self):
        return uri(self.model)

    def changed(self, **changes):
        return dataclasses.replace(self, **changes)


def uri(model):
    return f"urn:fxrun:mutations:{model.lower()}"


def build(plugin, folder):
    """Builds the plugin's bundle in a folder of bundles."""
    name = plugin.model.lower()
    bundle = pathlib.Path(folder) / f"{name}.lv2"
    bundle.mkdir(parents=True, exist_ok=True)
    switches = [
        f"-DMODEL={plugin.model}", f'-DPLUGIN_URI="{plugin.uri}"', f"-DCOEFFICIENT={plugin.coefficient!r}f",
        f"-DLATE={plugin.late}"]
    switches += ["-DUNSTEADY"] * plugin.unsteady + ["-DFLIPPED"] * plugin.flipped
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", *switches, SOURCE, "-o",
         bundle / f"{name}.so", "-lm"], check=True)
    minor, micro = plugin.version
    latency = LATENCY if plugin.model == "LATENT" else ""
    (bundle / "manifest.ttl").write_text(MANIFEST.format(uri=plugin.uri, name=name))
    (bundle / f"{name}.ttl").write_text(DESCRIPTION.format(
        uri=plugin.uri, name=name, minor=minor, micro=micro, amount=plugin.amount, latency=latency))
    (bundle / "presets.ttl").write_text(PRESET.format(uri=plugin.uri, amount=plugin.preset_amount))


PREFIXES = """\
@prefix doap: <http://usefulinc.com/ns/doap#> .
@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix pset: <http://lv2plug.in/ns/ext/presets#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""

MANIFEST = PREFIXES + """
<{uri}> a lv2:Plugin ; lv2:binary <{name}.so> ; rdfs:seeAlso <{name}.ttl> .
<{uri}:soft> a pset:Preset ; lv2:appliesTo <{uri}> ; rdfs:label "soft" ; rdfs:seeAlso <presets.ttl> .
"""

PRESET = PREFIXES + """
<{uri}:soft> a pset:Preset ; lv2:appliesTo <{uri}> ; rdfs:label "soft" ;
  lv2:port [ lv2:symbol "amount" ; pset:value {amount} ] .
"""

LATENCY = """ , [
    a lv2:OutputPort, lv2:ControlPort ; lv2:index 6 ; lv2:symbol "latency" ; lv2:name "Latency" ;
    lv2:portProperty lv2:reportsLatency ; lv2:designation lv2:latency ]"""

DESCRIPTION = PREFIXES + """
<{uri}> a lv2:Plugin ;
  doap:name "{name}" ; doap:license <http://www.apache.org/licenses/LICENSE-2.0> ;
  lv2:minorVersion {minor} ; lv2:microVersion {micro} ;
  lv2:port [
    a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "inL" ; lv2:name "Left in" ] , [
    a lv2:InputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "inR" ; lv2:name "Right in" ] , [
    a lv2:OutputPort, lv2:AudioPort ; lv2:index 2 ; lv2:symbol "outL" ; lv2:name "Left out" ] , [
    a lv2:OutputPort, lv2:AudioPort ; lv2:index 3 ; lv2:symbol "outR" ; lv2:name "Right out" ] , [
    a lv2:InputPort, lv2:ControlPort ; lv2:index 4 ; lv2:symbol "amount" ; lv2:name "Amount" ;
    lv2:default {amount} ; lv2:minimum 0.0 ; lv2:maximum 2.0 ] , [
    a lv2:InputPort, lv2:ControlPort ; lv2:index 5 ; lv2:symbol "colour" ; lv2:name "Colour" ;
    lv2:default 0.3 ; lv2:minimum 0.0 ; lv2:maximum 1.0 ]{latency} .
"""
