"""Equalizer texts, each with its meaning: the filters of each channel, and the lines that are not used."""
from math import log10, sin

from cookbook import (
    ap, bp, corner_hs, corner_ls, curve, gain, hp, hp1, hs, lp, lp1, ls, no, pk)

CASES = []


def case(name, text, *channels, rate=48000, unused=(), encoding="utf-8", width=2):
    """One list of filters is for all channels; several are for one channel each."""
    lists = list(channels) if len(channels) > 1 else [channels[0]] * width
    CASES.append({
        "name": name, "text": text, "channels": lists, "rate": rate, "unused": list(unused),
        "encoding": encoding})


def rew(filters, equaliser="Generic", version="V5.20.13", title="Left speaker"):
    return (f"Filter Settings file\n\nRoom EQ {version}\nDated: Nov 1, 2026 10:12:13 AM\n\nNotes:my notes\n\n"
            f"Equaliser: {equaliser}\n{title}\n{filters}")


# Room EQ Wizard: the locale of the computer.
case("rew-us", rew(
    "Filter  1: ON  PK       Fc    12,500 Hz  Gain  -9.0 dB  Q  2.00\n"
    "Filter  2: ON  PK       Fc    50.4 Hz  Gain  -6.0 dB  Q  2.58\n", version="V5.18"),
    [pk(12500, -9, 2), pk(50.4, -6, 2.58)])
case("rew-us-three-digits", rew(
    "Filter  1: ON  PK       Fc   53.90 Hz  Gain   4.50 dB  Q 10.000\n"
    "Filter  2: ON  PK       Fc   1,325 Hz  Gain  -3.20 dB  Q  4.318\n"
    "Filter  3: ON  PK       Fc   15,000 Hz  Gain  -2.00 dB  Q  1.000\n"),
    [pk(53.9, 4.5, 10), pk(1325, -3.2, 4.318), pk(15000, -2, 1)])
case("rew-german-thousands", "Equaliser: Generic\nFilter  2: ON  LPQ      Fc  10.000 Hz  Q  0,400\n",
     [lp(10000, 0.4)])
case("rew-german", rew(
    "Filter  1: ON  PK       Fc   63,80 Hz  Gain  -5,3 dB  Q  5,00\n"
    "Filter  2: ON  PK       Fc   1.250 Hz  Gain   2,5 dB  Q 10,000\n"
    "Filter  3: ON  HS       Fc   9.000 Hz  Gain  -1,5 dB\n"),
    [pk(63.8, -5.3, 5), pk(1250, 2.5, 10), hs(9000, -1.5)])
case("rew-swiss", rew(
    "Filter  1: ON  PK       Fc   63.80 Hz  Gain  -5.3 dB  Q  5.00\n"
    "Filter  2: ON  PK       Fc   12’500 Hz  Gain  -4.0 dB  Q  1.50\n"),
    [pk(63.8, -5.3, 5), pk(12500, -4, 1.5)])
case("rew-swiss-apostrophe", rew(
    "Filter  1: ON  PK       Fc   1'250 Hz  Gain   6.0 dB  Q  3.00\n"), [pk(1250, 6, 3)])
case("rew-swiss-windows", rew(
    "Filter  1: ON  PK       Fc   12’500 Hz  Gain  -4.0 dB  Q  1.50\n", title="Küche"),
    [pk(12500, -4, 1.5)], encoding="cp1252")
case("rew-french", rew(
    "Filter  1: ON  PK       Fc   63,80 Hz  Gain  -5,3 dB  Q  5,000\n"
    "Filter  2: ON  PK       Fc   12\u202f500 Hz  Gain  -4,0 dB  Q  1,500\n"),
    [pk(63.8, -5.3, 5), pk(12500, -4, 1.5)])
case("rew-french-windows", rew(
    "Filter  1: ON  PK       Fc   1\u00a0250 Hz  Gain   3,0 dB  Q  2,000\n", title="Gauche été"),
    [pk(1250, 3, 2)], encoding="cp1252")
case("rew-french-spaces", rew("Filter  1: ON  LP Q     Fc   12 500 Hz  Q   0,71\n"), [lp(12500, 0.71)])

# Room EQ Wizard: its filters.
case("rew-all-types", rew(
    "Filter  1: ON  PK       Fc   53.90 Hz  Gain   1.00 dB  Q 10.000\n"
    "Filter  2: ON  Modal    Fc   89.40 Hz  Gain   2.00 dB  Q 12.197  T60 target   300 ms\n"
    "Filter  3: ON  LP       Fc   14500 Hz \n"
    "Filter  4: ON  HP       Fc   16.0 Hz \n"
    "Filter  5: ON  LP1      Fc   15000 Hz \n"
    "Filter  6: ON  HP1      Fc   17.0 Hz \n"
    "Filter  7: ON  LP Q     Fc   16000 Hz  Q 0.700\n"
    "Filter  8: ON  HP Q     Fc   18.0 Hz  Q 0.700\n"
    "Filter  9: ON  LS       Fc   100.0 Hz  Gain 1.0 dB\n"
    "Filter 10: ON  HS       Fc   9000 Hz  Gain 1.0 dB\n"
    "Filter 11: ON  LS Q     Fc   100.0 Hz  Gain 1.0 dB Q 0.7\n"
    "Filter 12: ON  LS 6dB   Fc   100.0 Hz  Gain 1.0 dB\n"
    "Filter 13: ON  HS 12dB  Fc   9000 Hz  Gain 1.0 dB\n"
    "Filter 14: ON  Notch    Fc   50.0 Hz\n"
    "Filter 15: ON  All Pass Fc   500.0 Hz  Q 1.0\n"
    "Filter 16: ON  None\n", version="V5.31.1"),
    [pk(53.9, 1, 10), pk(89.4, 2, 12.197), lp(14500), hp(16), lp1(15000), hp1(17), lp(16000, 0.7),
     hp(18, 0.7), ls(100, 1), hs(9000, 1), ls(100, 1, q=0.7), corner_ls(100, 1, 0.5),
     corner_hs(9000, 1, 1), no(50), ap(500, 1)])
case("rew-540", rew(
    "Filter  1: ON  PK       Fc   40.00 Hz  Gain   -7.0 dB  Q  7.585\n"
    "Filter  2: ON  Modal    Fc   65.00 Hz  Gain  -9.00 dB  Q  6.139  T60 target   300 ms\n"
    "Filter  3: ON  LS 6dB   Fc  200.00 Hz  Gain    4.0 dB\n"
    "Filter  4: ON  HS 6dB   Fc  250.00 Hz  Gain   -3.0 dB\n"
    "Filter  5: ON  LS 12dB  Fc  315.00 Hz  Gain   -5.0 dB\n"
    "Filter  6: ON  HS 12dB  Fc 4000.00 Hz  Gain    6.0 dB\n"
    "Filter  7: ON  HS Q     Fc 6300.00 Hz  Gain   -4.0 dB Q   0.71\n"
    "Filter  8: ON  None   \n"
    "Filter  9: ON  Notch Q  Fc 1250.00 Hz  Q   2.50\n"
    "Filter 10: ON  All pass  Fc 1600.00 Hz  Q   0.71\n"
    "Filter  1: OFF None      \n"
    "Filter  2: ON  None              \n", version="V5.40 Beta 125"),
    [pk(40, -7, 7.585), pk(65, -9, 6.139), corner_ls(200, 4, 0.5), corner_hs(250, -3, 0.5),
     corner_ls(315, -5, 1), corner_hs(4000, 6, 1), hs(6300, -4, q=0.71), no(1250, 2.5), ap(1600, 0.71)])
case("rew-modal", rew(
    "Filter  1: ON  Modal    Fc   35.20 Hz  Gain -11.40 dB  Q  9.870  T60 target   300 ms\n"
    "Filter  2: ON  Modal    Fc   47.05 Hz  Gain  -8.10 dB  Q  7.104  T60 target   250 ms\n"),
    [pk(35.2, -11.4, 9.87), pk(47.05, -8.1, 7.104)])
case("rew-shelves", rew(
    "Filter  1: ON  LS       Fc   120.0 Hz  Gain   6.0 dB\n"
    "Filter  2: ON  HS       Fc   6000 Hz  Gain  -8.0 dB\n"
    "Filter  3: ON  LS 12dB  Fc   60.0 Hz  Gain  -6.0 dB\n"
    "Filter  4: ON  HS 6dB   Fc   2000 Hz  Gain   7.2 dB\n"),
    [ls(120, 6), hs(6000, -8), corner_ls(60, -6, 1), corner_hs(2000, 7.2, 0.5)])
case("rew-shelves-q", rew(
    "Filter  1: ON  LS Q     Fc   105.0 Hz  Gain   5.5 dB Q   0.70\n"
    "Filter  2: ON  HS Q     Fc  10000 Hz  Gain  -3.4 dB Q   0.50\n"),
    [ls(105, 5.5, q=0.7), hs(10000, -3.4, q=0.5)])
case("rew-first-order", rew(
    "Filter  1: ON  LP1      Fc   3000 Hz \n"
    "Filter  2: ON  HP1      Fc   80.0 Hz \n"), [lp1(3000), hp1(80)])
case("rew-fbq2496", rew(
    "Filter  1: ON  PEQ      Fc     100 Hz  Gain   1.0 dB  BW Oct 0.167\n"
    "Filter  2: ON  PEQ      Fc    2500 Hz  Gain  -6.5 dB  BW Oct 1.000\n", equaliser="FBQ2496"),
    [pk(100, 1, octaves=0.167), pk(2500, -6.5, octaves=1)])
case("rew-dcx2496", rew(
    "Filter  1: ON  BP       Fc    100 Hz  Gain  -5.0 dB  Q  2.0\n"
    "Filter  2: ON  LS 6dB   Fc    50.0 Hz  Gain   7.2 dB\n"
    "Filter  3: ON  HS 12dB  Fc    500 Hz  Gain   5.0 dB\n", equaliser="DCX2496"),
    [pk(100, -5, 2), corner_ls(50, 7.2, 0.5), corner_hs(500, 5, 1)])
case("rew-minidsp", rew(
    "Filter  1: ON  PK       Fc    63.0 Hz  Gain  -5.0 dB  Q  4.36\n"
    "Filter  2: ON  PK       Fc   118.0 Hz  Gain   3.5 dB  Q  1.00\n", equaliser="miniDSP"),
    [pk(63, -5, 4.36), pk(118, 3.5, 1)])
case("rew-off", rew(
    "Filter  1: ON  PK       Fc    63.0 Hz  Gain  -5.0 dB  Q  4.36\n"
    "Filter  2: OFF PK       Fc   400.0 Hz  Gain  12.0 dB  Q  1.00\n"
    "Filter  3: ON  None\n"), [pk(63, -5, 4.36)])
case("rew-tabs", rew(
    "Filter\t1:\tON\tPK\tFc\t63.0\tHz\tGain\t-5.0\tdB\tQ\t4.36\n"
    "Filter\t2:\tON\tHP Q\tFc\t30.0\tHz\tQ\t0.50\n"), [pk(63, -5, 4.36), hp(30, 0.5)])
case("rew-table-tabs",
     "Filter Settings file\n\nRoom EQ V5.31.3\nDated: 01.11.2026 10:12:13\n\nNotes:two lines\nof notes\n\n"
     "Generic\nNumber\tEnabled\tControl\tType\tFrequency(Hz)\tGain(dB)\tQ\tBandwidth(Hz)\n"
     "1\tTrue\tAuto\tPK\t70.00\t-14.7\t5.398\t12.97\n"
     "2\tFalse\tAuto\tPK\t71.90\t9.0\t6.993\t10.28\n"
     "3\tTrue\tManual\tLS\t78.30\t5.7\t\t\n"
     "4\tTrue\tManual\tHS_Q\t6000\t-4.0\t0.710\t\n"
     "5\tTrue\tManual\tLP1\t15000\t\t\t\n"
     "6\tTrue\tAuto\tNone\t\t\t\t\n\nCompound_filters\nNumber\tEnabled\tControl\tType\n1\tTrue\tAuto\tNone\n",
     [pk(70, -14.7, 5.398), ls(78.3, 5.7), hs(6000, -4, q=0.71), lp1(15000)])
case("rew-table-spaces",
     "Number Enabled Control Type Frequency(Hz) Gain(dB) Q Bandwidth(Hz)\n"
     "1 True Manual HP_Q 140.0 0.00 0.710 \n"
     "2 True Auto PK 1306 1.70 1.000 1306 \n"
     "3 True Auto PK 2480 -12.20 1.114 2226 \n"
     "4 True Manual LP_Q 9000 0.00 1.00 \n",
     [hp(140, 0.71), pk(1306, 1.7, 1), pk(2480, -12.2, 1.114), lp(9000, 1)])
case("rew-table-german",
     "Number\tEnabled\tControl\tType\tFrequency(Hz)\tGain(dB)\tQ\tBandwidth(Hz)\n"
     "1\tTrue\tAuto\tPK\t46,30\t-4,80\t3,387\t13,67\n"
     "2\tTrue\tAuto\tPK\t12.500\t2,00\t1,000\t12.500\n", [pk(46.3, -4.8, 3.387), pk(12500, 2, 1)])
case("rew-utf16", rew("Filter  1: ON  PK       Fc   100.0 Hz  Gain   2.0 dB  Q  1.00\n").replace("\n", "\r\n"),
     [pk(100, 2, 1)], encoding="utf-16")
case("rew-mark", "\ufeff" + rew("Filter  1: ON  PK       Fc   100.0 Hz  Gain   2.0 dB  Q  1.00\n"),
     [pk(100, 2, 1)])

# Equalizer APO: levels, channels and other scopes.
case("apo-reference",
     "Device: High Definition Audio Device Speakers; Benchmark\n"
     "#All lines below will only be applied to the specified device and the benchmark application\n"
     "Preamp: -6 db\nInclude: example.txt\n"
     "Filter  1: ON  PK       Fc     50 Hz   Gain  -3.0 dB  Q 10.00\n"
     "Filter  2: ON  PEQ      Fc     100 Hz  Gain   1.0 dB  BW Oct 0.167\n\n"
     "Channel: L\n#Additional preamp for left channel\nPreamp: -5 dB\n#Filters only for left channel\n"
     "Include: demo.txt\nFilter  1: ON  LS       Fc     300 Hz  Gain   5.0 dB\n\n"
     "Channel: 2 C\n#Filters for second(right) and center channel\n"
     "Filter  1: ON  HP       Fc     30 Hz\nFilter  2: ON  LPQ      Fc     10000 Hz  Q  0.400\n",
     [gain(-6), pk(50, -3, 10), pk(100, 1, octaves=0.167), gain(-5), ls(300, 5)],
     [gain(-6), pk(50, -3, 10), pk(100, 1, octaves=0.167), hp(30), lp(10000, 0.4)],
     unused=["Device: High Definition Audio Device Speakers; Benchmark", "Include: example.txt",
             "Include: demo.txt", "Filter  1: ON  HP       Fc     30 Hz",
             "Filter  2: ON  LPQ      Fc     10000 Hz  Q  0.400"])
case("apo-preamps", "Preamp: -6.5 dB\nFilter: ON PK Fc 1000 Hz Gain 3 dB Q 1\nPreamp: -1.5 dB\nPreamp: +2dB\n",
     [gain(-6), pk(1000, 3, 1)])
case("apo-preamp-channels",
     "Channel: L\nPreamp: -6 dB\nFilter: ON PK Fc 1000 Hz Gain 1 dB Q 1\nChannel: R\nPreamp: 0 dB\n"
     "Filter: ON PK Fc 1000 Hz Gain 1 dB Q 1\nChannel: L\nPreamp: -1 dB\n",
     [gain(-7), pk(1000, 1, 1)], [pk(1000, 1, 1)])
case("apo-preamp-only", "Channel: R\nPreamp: -3.25 dB\n", [], [gain(-3.25)])
case("apo-channel-r-l",
     "Channel: R L\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\nChannel: all\nFilter: ON PK Fc 100 Hz Gain 1 dB Q 1\n",
     [pk(1000, 6, 1), pk(100, 1, 1)])
case("apo-channel-commas",
     "Channel: L, R\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\nChannel: L,R\nFilter: ON PK Fc 300 Hz Gain -6 dB Q 1\n"
     "Channel: r\nFilter: ON HP Fc 60 Hz\n",
     [pk(1000, 6, 1), pk(300, -6, 1)], [pk(1000, 6, 1), pk(300, -6, 1), hp(60)])
case("apo-channel-numbers",
     "Channel: 2\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\nChannel: 1 2\nFilter: ON PK Fc 300 Hz Gain -6 dB Q 1\n"
     "Channel: 1\nPreamp: 2 dB\n", [pk(300, -6, 1), gain(2)], [pk(1000, 6, 1), pk(300, -6, 1)])
case("apo-surround",
     "Channel: L R\nFilter: ON HP Fc 80 Hz\nChannel: C\nPreamp: 2 dB\nChannel: SUB\nFilter: ON LP Fc 120 Hz\n"
     "Channel: RL RR\nGraphicEQ: 100 0; 1000 -3\nChannel: LFE\nPreamp: -4 dB\nChannel: 6\nPreamp: 1 dB\n",
     [hp(80)], [hp(80)], [gain(2)], [lp(120), gain(-4)], [curve((100, 0), (1000, -3))],
     [curve((100, 0), (1000, -3)), gain(1)])
case("apo-surround-sides", "Channel: SL SR\nFilter: ON PK Fc 500 Hz Gain 4 dB Q 1.5\nChannel: RC\nPreamp: -20 dB\n",
     [], [], [], [], [pk(500, 4, 1.5)], [pk(500, 4, 1.5)], unused=["Preamp: -20 dB"])
case("apo-seven", "Channel: RL\nPreamp: -3 dB\nChannel: SR\nFilter: ON PK Fc 700 Hz Gain 3 dB Q 1\n",
     [], [], [], [], [gain(-3)], [], [], [pk(700, 3, 1)])
case("apo-mono",
     "Channel: L R\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\nChannel: C\nPreamp: -2 dB\nChannel: L\nPreamp: -20 dB\n",
     [pk(1000, 6, 1), gain(-2)], width=1, unused=["Preamp: -20 dB"])
case("apo-stages",
     "Stage: pre-mix\nPreamp: -2 dB\nStage: capture\nChannel: L\nFilter: ON HP Fc 100 Hz\nPreamp: -9 dB\n"
     "Stage: post-mix capture\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\n", [gain(-2), pk(1000, 6, 1)],
     unused=["Channel: L", "Filter: ON HP Fc 100 Hz", "Preamp: -9 dB"])
case("apo-device",
     "Preamp: -1 dB\nDevice: Speakers Realtek\nChannel: L\nFilter: ON PK Fc 1000 Hz Gain 6 dB Q 1\n"
     "Device: all\nFilter: ON PK Fc 200 Hz Gain 2 dB Q 1\n", [gain(-1), pk(1000, 6, 1), pk(200, 2, 1)], [gain(-1)],
     unused=["Device: Speakers Realtek"])

# Equalizer APO: filters.
case("apo-center-shelves",
     "Filter: ON LSC 10.8 dB Fc 300 Hz Gain 5.0 dB\nFilter: ON HSC 6 dB Fc 1000 Hz Gain -6.0 dB\n"
     "Filter: ON LSC Fc 100 Hz Gain 4.0 dB Q 0.6473\nFilter: ON HSC Fc 5000 Hz Gain -6.0 dB Q 0.4272\n"
     "Filter: ON LSC Fc 60 Hz Gain -3 dB\n",
     [ls(300, 5, 0.9), hs(1000, -6, 0.5), ls(100, 4, q=0.6473), hs(5000, -6, q=0.4272), ls(60, -3)])
case("apo-corner-shelves",
     "Filter: ON LS 6dB Fc 50.0 Hz Gain 7.2 dB\nFilter: ON HS 12dB Fc 500 Hz Gain 5.0 dB\n"
     "Filter: ON LS Fc 105 Hz Gain 5.5 dB Q 0.70\nFilter: ON HS Fc 8000 Hz Gain -4 dB Q 0.6\n",
     [corner_ls(50, 7.2, 0.5), corner_hs(500, 5, 1), corner_ls(105, 5.5, q=0.7), corner_hs(8000, -4, q=0.6)])
case("apo-passes",
     "Filter: ON LP Fc 8000 Hz\nFilter: ON LPQ Fc 10000 Hz Q 0.400\nFilter: ON HP Fc 30.0 Hz\n"
     "Filter: ON HPQ Fc 20.0 Hz Q 0.500\n", [lp(8000), lp(10000, 0.4), hp(30), hp(20, 0.5)])
case("apo-band-pass", "Filter: ON BP Fc 1000 Hz Q 0.100\nFilter: ON NO Fc 800 Hz Q 3\nFilter: ON AP Fc 900 Hz Q 0.707\n",
     [bp(1000, 0.1), no(800, 3), ap(900, 0.707)])
case("apo-defaults", "Filter: ON NO Fc 440 Hz\nFilter: ON BP Fc 1000 Hz\nFilter: ON LS Fc 200 Hz Gain 6 dB\n",
     [no(440), bp(1000), ls(200, 6)])
case("apo-bandwidths",
     "Filter: ON PK Fc 15000 Hz Gain 6 dB BW Oct 1.5\nFilter: ON LP Fc 12000 Hz BW Oct 2\n"
     "Filter: ON NO Fc 3000 Hz BW Oct 0.3\nFilter: ON PK Fc 500 Hz Gain -4 dB Q 9 BW Oct 1\n",
     [pk(15000, 6, octaves=1.5), lp(12000, octaves=2), no(3000, octaves=0.3), pk(500, -4, octaves=1)], rate=44100,
     unused=["Filter: ON PK Fc 500 Hz Gain -4 dB Q 9 BW Oct 1"])
case("apo-close-words",
     "  Filter1:ON PK Fc1000Hz Gain-3dB Q1.4\nfilter 12: on pk fc: 200 hz gain: 4 db q: 2 # a resonance\n"
     "Filter: ON PK Fc 3 kHz Gain 2.5 dB Q 1\n", [pk(1000, -3, 1.4), pk(200, 4, 2), pk(3000, 2.5, 1)])
case("apo-high-rate",
     "Preamp: -3 dB\nFilter: ON HSC Fc 12000 Hz Gain 6 dB Q 0.7\nFilter: ON PK Fc 30 Hz Gain -5 dB Q 3\n",
     [gain(-3), hs(12000, 6, q=0.7), pk(30, -5, 3)], rate=96000)
case("apo-no-filters",
     "# speakers\nPreamp: -3 dB\nCopy: L=L+0.5*R\nConvolution: church.wav\nDelay: 50.5 ms\nDelay: 480 samples\n"
     "Eval: a=1\nVSTPlugin: Library x.dll\nLoudnessCorrection: State 1 ReferenceLevel 75 ReferenceOffset 0\n"
     "Reverb: hall\nthis is no command\nFilter: ON PK Fc 1000 Hz Gain 3 dB Q 1\n", [gain(-3), pk(1000, 3, 1)],
     unused=["Copy: L=L+0.5*R", "Convolution: church.wav", "Delay: 50.5 ms", "Delay: 480 samples", "Eval: a=1",
             "VSTPlugin: Library x.dll", "LoudnessCorrection: State 1 ReferenceLevel 75 ReferenceOffset 0",
             "Reverb: hall", "this is no command"])

# Graphic equalizers.
ISO = [(25, 6), (40, 4.5), (63, 3), (100, 1.5), (160, 0), (250, 0), (400, 0), (630, 0), (1000, 0), (1600, 0),
       (2500, 0), (4000, 0), (6300, 1.5), (10000, 3), (16000, 3)]
case("graphic-iso", "GraphicEQ: " + "; ".join(f"{f:g} {g:g}" for f, g in ISO) + "\n", [curve(*ISO)])
case("graphic-custom",
     "GraphicEQ: 20.00 0.00; 25.00 -1.75; 30.00 -3.20; 35.00 -4.15; 40.00 -4.90; 45.00 -5.55; 50.00 -6.10; "
     "60.00 -6.90; 70.00 -7.40; 80.00 -7.80; 90.00 -8.10; 100.00 -8.30\n",
     [curve((20, 0), (25, -1.75), (30, -3.2), (35, -4.15), (40, -4.9), (45, -5.55), (50, -6.1), (60, -6.9),
            (70, -7.4), (80, -7.8), (90, -8.1), (100, -8.3))])
case("graphic-channels", "Channel: L\nGraphicEQ: 20 -6; 20000 -6\nChannel: R\nGraphicEQ: 20 -1; 20000 -1\n",
     [gain(-6)], [gain(-1)])
case("graphic-two", "Preamp: -3 dB\nGraphicEQ: 25 -2; 40 4; 63 5.8\nGraphicEQ: 100 2; 1000 0\n",
     [gain(-3), curve((25, -2), (40, 4), (63, 5.8)), curve((100, 2), (1000, 0))])
case("graphic-and-filters",
     "Preamp: -4 dB\nGraphicEQ: 100 2; 1000 0; 8000 -3\nChannel: L\nGraphicEQ: 50 -1; 500 1\n"
     "Filter 1: ON PK Fc 3000 Hz Gain -4 dB Q 2\nChannel: R\nPreamp: -1 dB\nFilter 2: ON HSC Fc 6000 Hz Gain 2 dB Q 0.7\n",
     [gain(-4), curve((100, 2), (1000, 0), (8000, -3)), curve((50, -1), (500, 1)), pk(3000, -4, 2)],
     [gain(-4), curve((100, 2), (1000, 0), (8000, -3)), gain(-1), hs(6000, 2, q=0.7)])
case("graphic-commas", "GraphicEQ: 100 -1,5; 1000 2,25; 12.500 3,5;\n", [curve((100, -1.5), (1000, 2.25), (12500, 3.5))])
case("graphic-unsorted", "GraphicEQ: 8000 3; 100 -2; 1000 1\n", [curve((100, -2), (1000, 1), (8000, 3))])

# AutoEq.
case("autoeq-parametric",
     "Preamp: -6.4 dB\nFilter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70\nFilter 2: ON PK Fc 202 Hz Gain -2.9 dB Q 0.46\n"
     "Filter 3: ON PK Fc 1254 Hz Gain 1.8 dB Q 1.63\nFilter 4: ON PK Fc 5837 Hz Gain -5.6 dB Q 5.98\n"
     "Filter 5: ON HSC Fc 10000 Hz Gain -3.4 dB Q 0.70\n",
     [gain(-6.4), ls(105, 5.5, q=0.7), pk(202, -2.9, 0.46), pk(1254, 1.8, 1.63), pk(5837, -5.6, 5.98),
      hs(10000, -3.4, q=0.7)], rate=44100)
FIXED = [2.6, -0.8, -2.1, 0.4, 1.1, -1.9, 2.2, -3.3, 4.7, -6.2]
case("autoeq-fixed-band",
     "Preamp: -5.1 dB\n" + "".join(
         f"Filter {i + 1}: ON PK Fc {[31, 62, 125, 250, 500, 1000, 2000, 4000, 8000, 16000][i]} Hz Gain {g} dB Q 1.41\n"
         for i, g in enumerate(FIXED)),
     [gain(-5.1)] + [pk([31, 62, 125, 250, 500, 1000, 2000, 4000, 8000, 16000][i], g, 1.41) for i, g in enumerate(FIXED)])
# Points as close as AutoEq's, 5.6 % apart.
AUTOEQ = [(int(f), round(-5 + 3 * sin(4.4 * log10(f)) + 2 * sin(7 * log10(f)), 1))
          for f in (20 * 1.0563 ** step for step in range(127))]
case("autoeq-graphic", "GraphicEQ: " + "; ".join(f"{f} {g}" for f, g in AUTOEQ), [curve(*AUTOEQ)])

# Peace.
case("peace",
     "Channel: all\nPreamp: -4.5 dB\nFilter: ON PK Fc 62.5 Hz Gain 3 dB Q 1.41\nFilter: ON PK Fc 125 Hz Gain -2 dB Q 1.41\n"
     "Filter: ON LSC 12 dB Fc 80 Hz Gain 2.5 dB\nFilter: ON HSC 12 dB Fc 9000 Hz Gain -2.5 dB\n",
     [gain(-4.5), pk(62.5, 3, 1.41), pk(125, -2, 1.41), ls(80, 2.5, 1), hs(9000, -2.5, 1)])
case("peace-speakers",
     "Channel: L\r\nPreamp: -2 dB\r\nFilter: ON PK Fc 250 Hz Gain 3 dB Q 2\r\nChannel: R\r\nPreamp: -2.5 dB\r\n"
     "Filter: ON PK Fc 4000 Hz Gain -3 dB Q 2\r\nChannel: all\r\nFilter: ON HP Fc 25 Hz Q 0.9\r\n",
     [gain(-2), pk(250, 3, 2), hp(25, 0.9)], [gain(-2.5), pk(4000, -3, 2), hp(25, 0.9)])
case("peace-utf16",
     "Preamp: -2 dB\r\nFilter 1: ON PK Fc 100 Hz Gain 2 dB Q 1\r\nFilter 2: OFF PK Fc 200 Hz Gain 9 dB Q 1\r\n",
     [gain(-2), pk(100, 2, 1)], encoding="utf-16")
