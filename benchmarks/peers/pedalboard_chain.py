"""The mastering chain with pedalboard: pedalboard_chain.py INPUT OUTPUT"""

import sys

from pedalboard import Compressor, Gain, HighpassFilter, Limiter, PeakFilter, Pedalboard, Reverb
from pedalboard.io import AudioFile

BANDS = [(31, 2), (62, -2), (125, 1), (250, -1), (500, 2), (1000, -2), (2000, 1), (4000, -1), (8000, 2), (16000, -2)]

board = Pedalboard([
    HighpassFilter(80), *(PeakFilter(hertz, gain, 1.41) for hertz, gain in BANDS),
    Compressor(-20, 4, 5, 100), Reverb(0.5, 0.5, 0.33, 0.8), Gain(0), Limiter(-1, 100)])
source, target = sys.argv[1:3]
with AudioFile(source) as sound:
    with AudioFile(target, "w", sound.samplerate, sound.num_channels, bit_depth=16) as output:
        while sound.tell() < sound.frames:
            output.write(board(sound.read(1 << 16), sound.samplerate, reset=False))
