"""The fixture `fxrun_golden`, in runs of pytest of its own."""

from __future__ import annotations

import json

import pytest

CHAIN = {"version": 2, "chain": [{"id": "fader", "unit": "gain", "parameters": {"gain": "-6 dB"}}]}


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.path.joinpath("voice.json").write_text(json.dumps(CHAIN))
    pytester.makepyfile('def test_voice(fxrun_golden): fxrun_golden("voice.json", duration=0.2)')
    return pytester


def run(suite: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return suite.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def test_a_missing_golden_fails_and_is_recorded_on_request(suite: pytest.Pytester) -> None:
    missing = run(suite)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*voice: has no golden yet", "*--fxrun-record=missing"])
    assert not suite.path.joinpath("golden").exists()
    recorded = run(suite, "--fxrun-record=missing")
    recorded.assert_outcomes(passed=1)
    recorded.stdout.fnmatch_lines(["*goldens written by fxrun*", "*golden/voice.wav", "*golden/voice.golden.json"])
    run(suite).assert_outcomes(passed=1)


def test_a_difference_names_the_node_and_is_replaced_only_on_request(suite: pytest.Pytester) -> None:
    run(suite, "--fxrun-record=all").assert_outcomes(passed=1)
    before = suite.path.joinpath("golden/voice.wav").read_bytes()
    suite.path.joinpath("voice.json").write_text(json.dumps(CHAIN).replace("-6 dB", "-7 dB"))
    differs = run(suite, "--fxrun-report=report", "--fxrun-record=missing")
    differs.assert_outcomes(failed=1)
    differs.stdout.fnmatch_lines(["*fader.gain is -7, was -6", "*begins at node 'fader'*", "*see */report/voice.html"])
    assert suite.path.joinpath("golden/voice.wav").read_bytes() == before
    assert suite.path.joinpath("report/voice.actual.wav").exists()
    run(suite, "--fxrun-record=all").assert_outcomes(passed=1)
    assert suite.path.joinpath("golden/voice.wav").read_bytes() != before
    run(suite).assert_outcomes(passed=1)


def test_goldens_are_those_of_the_command(suite: pytest.Pytester) -> None:
    suite.path.joinpath("voice.test.json").write_text('{ "version": 1, "duration": 0.1 }')
    suite.makepyfile('def test_voice(fxrun_golden): fxrun_golden("voice.json")')
    run(suite, "--fxrun-record=missing").assert_outcomes(passed=1)
    import fxrun

    assert suite.run(fxrun.program(), "test", str(suite.path)).ret == 0


def test_cases_of_one_chain_have_names(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("gain", [0, -3])
        def test_gain(fxrun_golden, gain):
            fxrun_golden("voice.json", name=f"voice{gain}", set={"fader.gain": gain}, duration=0.1)

        def test_signal(fxrun_golden):
            fxrun_golden("voice.json", golden="kept/noise.wav", input={"signal": "noise"}, channels=1, duration=0.1)

        def test_same_name(fxrun_golden):
            fxrun_golden("voice.json", name="voice0", duration=0.1)

        def test_unknown(fxrun_golden):
            fxrun_golden("voice.json", name="unknown", set={"fader.gian": 1})

        def test_whole_case_file(fxrun_golden):
            fxrun_golden("voice.test.json", channels=1)
        """
    )
    found = run(suite, "--fxrun-record=missing")
    found.assert_outcomes(passed=3, failed=3)
    found.stdout.fnmatch_lines(["*fader.gian*"])
    found.stdout.fnmatch_lines(["*give it a name of its own*"])
    found.stdout.fnmatch_lines(["*a case file says everything about its cases*"])
    golden = suite.path.joinpath("golden")
    assert sorted(path.name for path in golden.iterdir()) == [
        "voice-3.golden.json", "voice-3.wav", "voice0.golden.json", "voice0.wav",
    ]
    assert suite.path.joinpath("kept/noise.wav").exists()
