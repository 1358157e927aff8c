import Foundation
import FxAudio
@testable import FxChain
import Testing

@Suite struct `The text of an equalizer` {
  private func read(_ text: String) -> EqualizerText {
    EqualizerText(text, sampleRate: 48000)
  }

  @Test func `is read as AutoEq writes it`() {
    let text = read(
      """
      Preamp: -6.4 dB
      Filter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70
      Filter 2: ON PK Fc 202 Hz Gain -2.9 dB Q 0.46
      Filter 3: OFF PK Fc 1000 Hz Gain 9 dB Q 1
      Filter 4: ON HSC Fc 10000 Hz Gain -3.4 dB Q 0.70
      """)
    #expect(text.preamp == -6.4)
    #expect(text.bands.map(\.type) == ["lowShelf", "peak", "highShelf"])
    #expect(text.bands.map(\.frequency) == [105, 202, 10000])
    #expect(text.bands.map(\.gain) == [5.5, -2.9, -3.4])
    #expect(text.bands.map(\.q) == [0.7, 0.46, 0.7])
  }

  @Test func `is read as Room EQ Wizard exports it`() throws {
    let text = read(
      """
      Filter Settings file

      Room EQ V5.20.13
      Dated: Nov 1, 2026 10:12:13 AM

      Notes:Left speaker

      Equaliser: Generic
      Left speaker
      Filter  1: ON  PK       Fc   63,80 Hz  Gain  -5,3 dB  Q  5,00
      Filter  2: ON  None
      Filter  3: ON  LS 12dB  Fc   100,0 Hz  Gain   3,0 dB
      """)
    #expect(text.bands.count == 2)
    let first = text.bands[0]
    #expect(first.type == "peak" && first.frequency == 63.8 && first.gain == -5.3 && first.q == 5)
    // The corner lies where it says, the middle of the slope above it.
    let (frequency, q) = try (#require(text.bands[1].frequency), #require(text.bands[1].q))
    #expect(abs(frequency - 100 * pow(10, 3.0 / 80)) < 1e-9)
    #expect(abs(q - 0.5.squareRoot()) < 1e-9)
    #expect(text.mistakes.isEmpty && text.notes.isEmpty)
  }

  @Test func `has the default widths of Equalizer APO`() throws {
    let text = read(
      """
      Channel: L
      Filter: ON LP Fc 100 Hz
      Channel: R
      Filter: ON NO Fc 50 Hz
      Channel: C
      Filter: ON PK Fc 50 Hz Gain 3 dB Q 1
      Channel: all
      Filter: ON LS Fc 200 Hz Gain 6 dB
      Filter: ON PK Fc 1000 Hz Gain 3 dB BW Oct 1
      """)
    #expect(text.bands.map(\.channels.option) == ["FL?", "FR?", "FC?", "all", "all"])
    let q = try text.bands.map { try #require($0.q) }
    #expect(abs(q[0] - 0.5.squareRoot()) < 1e-9)
    #expect(q[1] == 30)
    let a = pow(10, 6.0 / 40)
    #expect(abs(q[3] - 1 / ((a + 1 / a) * (1 / 0.9 - 1) + 2).squareRoot()) < 1e-9)
    #expect(text.bands[3].frequency == 200)
    let turn = 2 * Double.pi * 1000 / 48000
    #expect(abs(q[4] - 1 / (2 * sinh(log(2) / 2 * turn / sin(turn)))) < 1e-9)
  }

  @Test func `is read as GraphicEQ writes it`() {
    let text = read("GraphicEQ: 20 -1,5; 25 0; 20000 3,5;")
    #expect(text.curve == "20.0 -1.5; 25.0 0.0; 20000.0 3.5")
  }

  @Test(arguments: [
    ("Filter: ON XX Fc 100 Hz", "there is no filter 'XX'"),
    ("Filter: ON PK Gain 3 dB Q 1", "'Fc' is missing"),
    ("Filter: ON PK Fc 100 Hz Q 1", "'Gain' is missing"),
    ("Filter: ON PK Fc 100 Hz Gain 3 dB Q much", "'much' behind Q is not a number"),
    ("Filter: ON PK Fc 100 Hz Gain 3 dB Q 1 Q 2", "Q is given twice"),
    ("Filter: ON PK Fc 100 Hz Gain 3 dB Q 0", "a Q must be above 0"),
    ("Filter: ON LP 24dB Fc 100 Hz", "a LP has no slope of 24 dB an octave"),
    ("Filter: ON PK Fc -100 Hz Gain 3 dB Q 1", "'Fc' must be above 0 Hz"),
    ("Filter: ON LS Q Fc 100 Hz Gain 3 dB", "a LSQ needs Q"),
    ("Filter: ON Fc 100 Hz Gain 3 dB Q 1", "the type of the filter is missing, such as PK"),
    (
      "Filter: ON IIR Order 2 Coefficients 1 2 1 1 0 0",
      "fxrun does not read filters by their coefficients"
    ),
    ("Filter: ON L-T Fc 50 Hz Q 1.2 Fp 30 Qp 0.5", "fxrun has no Linkwitz transform"),
    ("Filter: ON PK Fc `x` Hz Gain 3 dB Q 1", "fxrun does not evaluate expressions in '`'"),
    (
      "If: sampleRate == 48000",
      "fxrun does not evaluate 'If'; keep only the lines that shall apply"
    ),
    ("Channel: L X", "there is no channel 'X'"),
    ("Channel:", "'Channel' names no channel"),
    ("Stage: after-mix", "there is no stage 'after-mix'"),
    ("Filter 1 ON PK Fc 100 Hz Gain 3 dB Q 1", "a ':' is missing before 'ON' or 'OFF'"),
    ("Preamp -6 dB", "a ':' is missing behind 'Preamp'"),
    ("Delay: soon", "'soon' is not a time in ms or samples"),
    ("1 True Auto PK 100 x 1", "'x' in the column gain(db) is not a number"),
    ("1 True Auto LP_Q 100 0", "a LP_Q needs a number in the column Q"),
    ("Filter: ON PK Fc 100 Hz Gain 3 dB", "a PK needs Q or BW"),
    ("Filter: ON PK Fc", "a number is missing behind Fc"),
    ("Preamp: loud", "'loud' is not a level in decibels"),
    ("GraphicEQ: 20; 30", "'20' is not a frequency in hertz and a level in decibels"),
  ])
  func `is refused with its line`(_ line: String, _ message: String) {
    let mistakes = read("# a heading\n" + line).mistakes
    #expect(mistakes.map(\.line) == [2])
    #expect(mistakes.map(\.message) == [message])
  }

  @Test func `is refused with all lines that are wrong`() {
    let text = read(
      "Filter: ON YY Fc 9 Hz\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1\nFilter: ON XX Fc 9 Hz")
    #expect(text.mistakes.map(\.line) == [1, 3])
  }

  @Test(arguments: ["Filter 3: OFF PK Fc 1000 Hz Gain 12 dB Q 1", "Filter  1: ON  None"])
  func `may have filters that do nothing`(_ line: String) {
    let text = read(line)
    #expect(text.hasFilters && text.bands.isEmpty && text.mistakes.isEmpty)
  }

  @Test func `has no filters where no line is a filter`() {
    #expect(!read("# a heading\nNotes: none").hasFilters)
  }

  @Test(arguments: [
    ("Filter: ON LP Fc 10.000 Hz Q 0,400", [10000.0]),
    ("Filter: ON LP Fc 12,500 Hz Q 2.00", [12500]),
    ("Filter: ON LP Fc 1.234,5 Hz", [1234.5]),
    ("Filter: ON LP Fc 1,234.5 Hz", [1234.5]),
    ("Filter: ON LP Fc 62.500 Hz Q 1.0", [62.5]),
    ("Filter: ON LP Fc 10.000 Hz", [10000]),
    ("Filter: ON LP Fc 12,500 Hz", [12500]),
    ("Filter: ON LP Fc 12'500 Hz", [12500]),
    ("Filter: ON LP Fc 12\u{2019}500 Hz", [12500]),
    ("Filter: ON LP Fc 12\u{A0}500 Hz", [12500]),
    ("Filter: ON LP Fc 12\u{202F}500 Hz", [12500]),
    ("Filter: ON LP Fc 12 500 Hz", [12500]),
    ("Filter:\u{A0}ON\u{A0}LP\u{A0}Fc\u{A0}125\u{A0}Hz", [125]),
    ("Filter: ON LP Fc 1.25 kHz", [1250]),
    ("Filter: ON LP Fc 1e3 Hz", [1000]),
    ("Filter: ON LP Fc 10.000 Hz\nPreamp: -1,5 dB", [10000]),
    ("Filter: ON LP Fc 10.000 Hz\nPreamp: -1.5 dB", [10]),
  ])
  func `has one locale`(_ line: String, _ frequencies: [Double]) {
    let text = read(line)
    #expect(text.mistakes.isEmpty, "\(text.mistakes)")
    #expect(text.bands.map(\.frequency) == frequencies)
  }

  @Test func `refuses a number of another locale with its line`() {
    let text = read(
      """
      Filter 1: ON PK Fc 63,80 Hz Gain -5,3 dB Q 5,00
      Filter 2: ON PK Fc 100.0 Hz Gain 3,0 dB Q 1
      """)
    #expect(
      text.mistakes == [
        EqualizerRemark(
          line: 2,
          message: "'100.0' is not a number: the file has a decimal comma ('63,80' in line 1); "
            + "write all numbers in the same way")
      ])
  }

  @Test func `tells how it reads three digits behind a point`() {
    #expect(
      read("Filter: ON LP Fc 62.500 Hz Q 1.0").notes.map(\.message)
        == ["'Fc 62.500' is read as 62.5 Hz"])
    #expect(
      read("Filter: ON LP Fc 62.500 Hz").notes.map(\.message)
        == ["'Fc 62.500' is read as 62500 Hz"])
  }

  @Test func `refuses a second device`() {
    let text = read(
      """
      Preamp: -1 dB
      Device: Speakers
      Preamp: -2 dB
      Device: Headphones
      Channel: L
      Copy: L=R
      GraphicEQ: 20 0; 100 1
      Device: speakers
      Preamp: -3 dB
      """)
    #expect(text.mistakes.map(\.line) == [6, 7])
    #expect(
      text.mistakes.first?.message
        == "the line is for the device 'Headphones', line 3 for 'Speakers'; keep the lines of one "
        + "device")
    #expect(text.notes.map(\.line) == [2, 4, 8])
  }

  @Test func `keeps commands with their scope for other readers`() {
    let document = EqualizerDocument(
      """
      Channel: L 3
      Copy: L=L+0.5*R
      Stage: pre-mix
      Delay: 50.5 ms
      Device: Speakers
      Convolution: church.wav
      """)
    #expect(document.commands.map(\.line) == [2, 4, 6])
    #expect(
      document.commands.map(\.action) == [
        .copy("L=L+0.5*R"), .delay(50.5), .convolution("church.wav"),
      ])
    let channels = EqualizerChannels.some([.name(.frontLeft), .number(3)])
    #expect(document.commands.map(\.scope.channels) == [channels, channels, channels])
    #expect(document.commands.map(\.scope.stages).last == [.preMix])
    #expect(document.commands.map(\.scope.device) == [nil, nil, "Speakers"])
  }

  @Test(arguments: [("LS", 1.0), ("HS", -1.0)])
  func `a shelf with a Q is moved to the middle of its slope`(
    _ type: String, _ direction: Double
  ) throws {
    let band = try #require(read("Filter: ON \(type) Fc 200 Hz Gain 6 dB Q 0.5").bands.first)
    // The steepness is that whose Q is 0.5 in the cookbook of R. Bristow-Johnson.
    let moved = abs(log10(try #require(band.frequency) / 200))
    let (a, steepness) = (pow(10, 6.0 / 40), 6 / 80.0 / moved)
    #expect(abs(((a + 1 / a) * (1 / steepness - 1) + 2).squareRoot() - 1 / 0.5) < 1e-9)
    #expect(((band.frequency ?? 0) > 200) == (direction > 0))
  }

  @Test func `tells what it does not use of a filter`() {
    let text = read(
      """
      Filter: ON LP Fc 100 Hz Gain 3 dB Q 1 loud
      Filter: PK Fc 100 Hz Gain 3 dB Q 1
      Filter: ON LS 12dB Fc 100 Hz Gain 3 dB Q 1
      Preamp: -3 dB or so
      """)
    #expect(
      text.notes.map(\.message) == [
        "'loud' is not used", "the Gain is not used: a LP has none",
        "neither ON nor OFF stands before the filter; it is on",
        "the Q is not used: the slope counts", "'or so' is not used",
      ])
    #expect(text.bands.count == 3 && text.preamp == -3)
  }

  @Test(arguments: [
    [0xFF, 0xFE, 0x50], [0x00], [0x50, 0x00, 0x72], [0x46, 0x69, 0x00, 0x6C],
  ])
  func `is no text with these bytes`(_ bytes: [UInt8]) {
    #expect(EqualizerDocument(bytes) == nil)
  }

  @Test func `may be of UTF-16 without a mark`() {
    let bytes = "Preamp: -2 dB".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(EqualizerDocument(bytes)?.commands.map(\.action) == [.preamp(-2)])
  }
}
