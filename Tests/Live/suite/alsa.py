"""The part of alsa-lib that the tests of the card itself need."""
import ctypes
import ctypes.util

PLAYBACK, CAPTURE = 0, 1
EPIPE = -32
FORMATS = {"S16_LE": 2, "S32_LE": 10, "FLOAT_LE": 14, "S24_LE": 6, "S24_3LE": 32}
RW_INTERLEAVED = 3
STATES = ("OPEN", "SETUP", "PREPARED", "RUNNING", "XRUN", "DRAINING", "PAUSED", "SUSPENDED",
          "DISCONNECTED")

_library = ctypes.CDLL(ctypes.util.find_library("asound"))
for _name in ("writei", "readi", "avail_update"):
    getattr(_library, f"snd_pcm_{_name}").restype = ctypes.c_long


class Failure(Exception):
    """A call that returned less than 0."""

    def __init__(self, call, code):
        super().__init__(f"{call}: {code}")
        self.code = code


def _checked(call, code):
    if code < 0:
        raise Failure(call, code)
    return code


class PCM:
    """One opened direction of a device; every call raises Failure when it fails."""

    def __init__(self, name, direction, **wanted):
        self._pcm = ctypes.c_void_p()
        _checked("open", _library.snd_pcm_open(
            ctypes.byref(self._pcm), name.encode(), direction, 0))
        try:
            self._agree(**wanted)
        except Failure:
            self.close()
            raise

    def _agree(self, sample_format="FLOAT_LE", rate=48000, channels=2, period=512, periods=4):
        parameters = ctypes.c_void_p()
        _library.snd_pcm_hw_params_malloc(ctypes.byref(parameters))
        try:
            def install(name, *arguments):
                function = getattr(_library, "snd_pcm_hw_params" + name)
                _checked("hw_params" + name, function(self._pcm, parameters, *arguments))

            install("_any")
            install("_set_access", RW_INTERLEAVED)
            install("_set_format", FORMATS[sample_format])
            install("_set_channels", channels)
            install("_set_rate", rate, 0)
            install("_set_period_size", ctypes.c_ulong(period), 0)
            install("_set_buffer_size", ctypes.c_ulong(period * periods))
            install("")
        finally:
            _library.snd_pcm_hw_params_free(parameters)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        _library.snd_pcm_close(self._pcm)

    @property
    def state(self):
        return STATES[_library.snd_pcm_state(self._pcm)]

    @property
    def delay(self):
        frames = ctypes.c_long()
        _checked("delay", _library.snd_pcm_delay(self._pcm, ctypes.byref(frames)))
        return frames.value

    @property
    def available(self):
        return _checked("avail_update", _library.snd_pcm_avail_update(self._pcm))

    def write(self, data, frames):
        return _checked("writei", _library.snd_pcm_writei(self._pcm, data, ctypes.c_ulong(frames)))

    def read(self, frames, width):
        buffer = ctypes.create_string_buffer(frames * width)
        got = _checked("readi", _library.snd_pcm_readi(self._pcm, buffer, ctypes.c_ulong(frames)))
        return buffer.raw[:got * width]

    def wait(self, milliseconds):
        return _checked("wait", _library.snd_pcm_wait(self._pcm, milliseconds))

    def start(self):
        _checked("start", _library.snd_pcm_start(self._pcm))

    def prepare(self):
        _checked("prepare", _library.snd_pcm_prepare(self._pcm))

    def resume(self):
        return _library.snd_pcm_resume(self._pcm)

    def drain(self):
        _checked("drain", _library.snd_pcm_drain(self._pcm))


def use_configuration(path):
    """Makes alsa-lib read the definitions of devices again, from this file."""
    import os
    os.environ["ALSA_CONFIG_PATH"] = str(path)
    # alsa-lib reads the C library's environment, which os.environ sets too.
    _library.snd_config_update_free_global()
