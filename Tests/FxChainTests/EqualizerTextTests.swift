import FxChain
import Foundation
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

  @Test func `is read as Room EQ Wizard exports it`() {
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
      Filter  3: ON  LS 12dB  Fc   100.0 Hz  Gain   3.0 dB
      """)
    #expect(text.bands.count == 2)
    let first = text.bands[0]
    #expect(first.type == "peak" && first.frequency == 63.8 && first.gain == -5.3 && first.q == 5)
    // The corner lies where it says, the middle of the slope above it.
    #expect(abs(text.bands[1].frequency - 100 * pow(10, 3.0 / 80)) < 1e-9)
    #expect(abs(text.bands[1].q - 0.5.squareRoot()) < 1e-9)
  }

  @Test func `has the default widths of Equalizer APO`() {
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
    #expect(text.bands.map(\.channels) == ["left", "right", "all", "all"])
    #expect(abs(text.bands[0].q - 0.5.squareRoot()) < 1e-9)
    #expect(text.bands[1].q == 30)
    let a = pow(10, 6.0 / 40)
    #expect(abs(text.bands[2].q - 1 / ((a + 1 / a) * (1 / 0.9 - 1) + 2).squareRoot()) < 1e-9)
    #expect(text.bands[2].frequency == 200)
    let turn = 2 * Double.pi * 1000 / 48000
    #expect(abs(text.bands[3].q - 1 / (2 * sinh(log(2) / 2 * turn / sin(turn)))) < 1e-9)
  }

  @Test func `is read as GraphicEQ writes it`() {
    let text = read("GraphicEQ: 20 -1.5; 25 0; 20000 3,5;")
    #expect(text.curve == "20.0 -1.5; 25.0 0.0; 20000.0 3.5")
  }

  @Test(arguments: [
    ("Filter: ON XX Fc 100 Hz", "there is no filter 'XX'"),
    ("Filter: ON PK Gain 3 dB Q 1", "'Fc' is missing"),
    ("Filter: ON PK Fc 100 Hz Gain 3 dB", "a PK needs Q or BW"),
    ("Filter: ON PK Fc", "a number is missing behind Fc"),
    ("Convolution: room.wav", "'Convolution' is not for an equalizer"),
    ("Preamp: loud", "'loud' is not a level in decibels"),
    ("GraphicEQ: 20; 30", "'20' is not a frequency in hertz and a level in decibels"),
  ])
  func `is refused with its line`(_ line: String, _ message: String) {
    let mistakes = read("# a heading\n" + line).mistakes
    #expect(mistakes.map(\.line) == [2])
    #expect(mistakes.map(\.message) == [message])
  }

  @Test func `is refused with all lines that are wrong`() {
    let text = read("Include: a.txt\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1\nFilter: ON XX Fc 9 Hz")
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
}
