"""What `render`, `render_all`, `check` and `stats` return, and what they refuse."""

from __future__ import annotations

import json
import subprocess
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, GAIN, Samples

import fxrun

FACTOR = np.float32(10 ** (-6 / 20))


def write_wave(path: Path, samples: Samples, rate: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(samples))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.round(samples.T * 32768).astype("<i2").tobytes())


def test_a_gain_of_minus_6_db_halves_samples(noise: Samples) -> None:
    rendered = fxrun.render(GAIN, noise, 48000)
    assert rendered.shape == noise.shape and rendered.dtype == np.float32
    np.testing.assert_allclose(rendered, noise * FACTOR, rtol=1e-6)


def test_one_dimension_stays_one_dimension(noise: Samples) -> None:
    rendered = fxrun.render(GAIN, noise[0], 48000)
    assert rendered.shape == noise[0].shape
    assert fxrun.render(GAIN, list(map(float, noise[0])), 48000).shape == noise[0].shape


def test_64_bit_and_transposed_arrays_give_the_same_samples(noise: Samples) -> None:
    expected = fxrun.render(GAIN, noise, 48000)
    assert (fxrun.render(GAIN, noise.astype(np.float64), 48000) == expected).all()
    assert (fxrun.render(GAIN, np.asfortranarray(noise), 48000) == expected).all()
    assert (fxrun.render(GAIN, noise.astype(">f4"), 48000) == expected).all()


def test_no_frames_give_no_frames() -> None:
    assert fxrun.render(GAIN, np.zeros((2, 0), np.float32), 48000).shape == (2, 0)


def test_samples_and_a_file_give_the_bits_of_the_command(noise: Samples, tmp_path: Path) -> None:
    chain = tmp_path / "chain.json"
    nodes = [{"unit": "compressor"}, {"unit": "reverb"}, {"unit": "limiter"}]
    chain.write_text(json.dumps({"version": 2, "chain": nodes}))
    write_wave(tmp_path / "in.wav", noise, 44100)
    output = tmp_path / "out.wav"
    command = [fxrun.program(), "run", str(chain), str(tmp_path / "in.wav"), "-o", str(output), "--bits", "32"]
    subprocess.run([*command, "--quiet"], check=True)
    expected = fxrun.render({"version": 2, "chain": []}, output)
    held = np.round(noise * 32768).astype(np.float32) / 32768
    assert expected.shape[1] > noise.shape[1]
    assert (fxrun.render(chain, held, 44100) == expected).all()
    assert (fxrun.render(chain, tmp_path / "in.wav") == expected).all()


def test_the_latency_is_removed(noise: Samples) -> None:
    chain = {"version": 2, "tail": "none", "chain": [{"unit": "limiter"}]}
    rendering = fxrun.render_all(chain, noise, 48000)
    assert rendering.latency > 0
    np.testing.assert_allclose(rendering.main.samples, noise, atol=1e-6)


def test_a_chain_of_two_inputs_gets_them_by_name(noise: Samples) -> None:
    chain: dict[str, Any] = {
        "version": 2,
        "nodes": {
            "in": {"source": "main"},
            "key": {"source": "other"},
            "sum": {"unit": "gain"},
            "out": {"sink": "main"},
        },
        "connections": ["in -> sum -> out", "key -> sum"],
    }
    rendered = fxrun.render(chain, {"main": noise, "other": -noise}, 48000)
    assert not rendered.any()
    with pytest.raises(fxrun.RequestError, match="nothing is bound to the input 'other'"):
        fxrun.render(chain, noise, 48000)
    with pytest.raises(fxrun.RequestError, match="no input 'third'"):
        fxrun.render(chain, {"main": noise, "other": noise, "third": noise}, 48000)


def test_settings_variables_and_bypass_are_those_of_the_command(noise: Samples) -> None:
    louder = fxrun.render(GAIN, noise, 48000, set={"fader.gain": 0})
    assert (louder == noise).all()
    louder = fxrun.render(GAIN, noise, 48000, set={"fader.gain": "0 dB"})
    assert (louder == noise).all()
    assert (fxrun.render(GAIN, noise, 48000, bypass="fader") == noise).all()
    chain = {"version": 2, "variables": {"level": "-6 dB"}, "chain": [{"unit": "gain", "parameters": {"gain": "${level}"}}]}
    assert (fxrun.render(chain, noise, 48000, define={"level": "0 dB"}) == noise).all()


def test_a_loudness_is_reached(noise: Samples) -> None:
    rendered = fxrun.render({"version": 2, "chain": []}, np.tile(noise, (1, 20)), 48000, loudness=-20)
    assert fxrun.stats(rendered, 48000)["loudness"]["integrated"] == pytest.approx(-20, abs=0.1)


def test_readings_and_outputs_have_names(noise: Samples) -> None:
    chain = {"version": 2, "chain": [{"id": "level", "unit": "meter"}]}
    rendering = fxrun.render_all(chain, noise, 48000)
    assert list(rendering.outputs) == ["main"]
    assert len(rendering.readings["level.peak"]) == 2  # type: ignore[arg-type]


def test_a_chain_of_another_rate_is_not_mistaken_for_the_rate_of_the_samples(noise: Samples) -> None:
    chain = {**GAIN, "sampleRate": 96000}
    with pytest.raises(ValueError, match="96000 Hz, not at 48000 Hz"):
        fxrun.render(chain, noise, 48000)
    assert fxrun.render_all(chain, noise, 48000).main.rate == 96000
    assert fxrun.render(chain, noise, 48000, sample_rate=48000).shape == noise.shape
    assert fxrun.render(chain, noise, 48000, sample_rate=96000).shape[1] == 2 * noise.shape[1]


def test_samples_that_are_no_sound_are_refused(noise: Samples) -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        fxrun.render(GAIN, (noise * 32767).astype(np.int16), 48000)
    with pytest.raises(ValueError, match=r"\.T"):
        fxrun.render(GAIN, noise.T, 48000)
    with pytest.raises(ValueError, match="3 dimensions"):
        fxrun.render(GAIN, noise[np.newaxis], 48000)
    with pytest.raises(TypeError, match="give its rate"):
        fxrun.render(GAIN, noise)
    with pytest.raises(TypeError, match="a chain is a path or an object"):
        fxrun.render(5, noise, 48000)  # type: ignore[arg-type]


def test_samples_that_are_not_finite_are_a_warning(noise: Samples) -> None:
    noise[0, 7] = np.nan
    with pytest.warns(fxrun.FxrunWarning, match="frame 7") as found:
        rendered = fxrun.render(GAIN, noise, 48000)
    assert np.isfinite(rendered).all()
    assert found[0].filename == __file__


def test_values_that_are_out_of_range_are_refused_and_the_worker_stays(worker: fxrun.Worker, noise: Samples) -> None:
    worker.render(GAIN, noise, 48000)
    pid = worker.pid
    with pytest.raises(fxrun.RequestError, match="0.5 Hz"):
        worker.render(GAIN, noise, 0.5)
    with pytest.raises(fxrun.RequestError, match="fader.gian"):
        worker.render(GAIN, noise, 48000, set={"fader.gian": 1})
    with pytest.raises(fxrun.RequestError):
        worker.render(GAIN, noise, 48000, block_size=99999)
    assert worker.render(GAIN, noise, 48000).shape == noise.shape
    assert worker.pid == pid


def test_mistakes_of_a_chain_have_their_places(tmp_path: Path) -> None:
    chain = tmp_path / "chain.json"
    chain.write_text('{ "version": 2,\n  "chain": [ { "unit": "gian" } ] }\n')
    (found,) = fxrun.check(chain)
    assert (found.severity, found.code, found.line, found.column) == ("error", "unknown-unit", 2, 24)
    assert found.hints == ("did you mean 'gain'?",)
    assert str(found) == f"{chain}:2:24: error: there is no unit 'gian'"
    with pytest.raises(fxrun.ChainError, match="did you mean 'gain'") as error:
        fxrun.render(chain, np.zeros(10), 48000)
    assert error.value.diagnostics == (found,)
    assert fxrun.check(GAIN) == []
    with pytest.raises(fxrun.ChainError, match="no such file"):
        fxrun.check(tmp_path / "missing.json")


def test_paths_are_relative_to_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noise: Samples) -> None:
    fxrun.check(GAIN)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chain.json").write_text(json.dumps(GAIN))
    write_wave(tmp_path / "in.wav", noise, 48000)
    assert fxrun.render("chain.json", "in.wav").shape == noise.shape
    nodes = {"a": {"source": "in.wav"}, "b": {"sink": "main"}}
    source = {"version": 2, "nodes": nodes, "connections": ["a -> b"]}
    assert fxrun.render(source).shape == noise.shape


def test_statistics_of_samples_and_files() -> None:
    sine = 0.5 * np.sin(2 * np.pi * 1000 * np.arange(48000 * 4) / 48000)
    found = fxrun.stats(sine, 48000)
    assert found["channels"][0]["peak"] == pytest.approx(-6.02, abs=0.01)
    assert found["channels"][0]["rms"] == pytest.approx(-9.03, abs=0.01)
    assert found["loudness"]["integrated"] == pytest.approx(-9.03, abs=0.1)
    assert fxrun.stats(np.zeros(4800), 48000)["channels"][0]["peak"] is None
    voice = FIXTURES / "audio" / "voice.mp3"
    command = [fxrun.program(), "stats", "--json", str(voice)]
    shown = subprocess.run(command, check=True, capture_output=True).stdout
    assert fxrun.stats(voice) == json.loads(shown)[0]
    with pytest.raises(fxrun.RequestError, match="missing.wav"):
        fxrun.stats("missing.wav")
