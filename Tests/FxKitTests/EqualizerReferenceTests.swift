import Foundation
import FxAudio
import FxChain
@testable import FxKit
import FxTestSupport
import FxUnits
import Synchronization
import Testing

/// The texts in Tests/Equalizers, rendered and compared with the levels that a separate program
/// computed from the documents of their formats.
@Suite struct `An equalizer text` {
  struct Reference: Decodable {
    struct Case: Decodable {
      let name: String
      let rate: Double
      /// The numbers of the lines that are not used.
      let unused: [Int]
      let bins: [Int]
      /// Decibels by channel and bin.
      let levels: [[Double]]
    }

    /// The frames of the transform.
    let length: Int
    let cases: [Case]
  }

  private static let folder = URL(filePath: Fixture.tests).appending(path: "Equalizers")

  private static let reference: Reference? = try? JSONDecoder().decode(
    Reference.self, from: Data(contentsOf: folder.appending(path: "reference.json")))

  private func chain(_ name: String) -> Chain {
    let path = Self.folder.appending(path: "texts/\(name).txt").path
    return list(#"{ "unit": "equalizer", "file": "\#(path)" }"#)
  }

  @Test func `has the levels of the reference in each channel`() throws {
    let reference = try #require(Self.reference)
    #expect(reference.cases.count >= 60)
    for text in reference.cases {
      let output = try impulseResponse(text, length: reference.length)
      for (channel, expected) in text.levels.enumerated() {
        let found = levels(output[channel], text.bins, length: reference.length)
        var worst = (error: 0.0, hertz: 0.0)
        // Below -60 dB the transform is too coarse.
        for (index, level) in expected.enumerated() where level > -60 {
          let error = abs(found[index] - level)
          if error > worst.error {
            worst = (error, Double(text.bins[index]) * text.rate / Double(reference.length))
          }
        }
        #expect(
          worst.error < 0.05, "\(text.name), channel \(channel + 1): \(worst)")
      }
    }
  }

  @Test func `names each line that is not used`() throws {
    let reference = try #require(Self.reference)
    for text in reference.cases {
      let diagnostics = chain(text.name).checked(
        sampleRate: text.rate, channels: text.levels.count)
      let unexpected = diagnostics.all.filter { $0.code != .unusedLine || $0.severity != .note }
      #expect(unexpected.isEmpty, "\(text.name): \(unexpected.map(\.message))")
      let lines = diagnostics.all.compactMap { $0.message.firstMatch(of: /line (\d+):/)?.1 }
      #expect(
        Set(lines.compactMap { Int($0) }).sorted() == text.unused,
        "\(text.name): \(diagnostics.all.map(\.message))")
    }
  }

  @Test func `gives way to the chain's own gain and curve, with a note`() throws {
    let folder = TemporaryFolder()
    let file = folder.write(
      "eq.txt", Array("Preamp: -3 dB\nGraphicEQ: 20 1\nFilter: ON PK Fc 100 Hz Gain 1 dB Q 1".utf8))
    let own = list(
      #"{ "unit": "equalizer", "file": "\#(file)", "curve": "20 2", "parameters": { "gain": 0 } }"#)
    #expect(
      own.checked().all.map(\.message) == [
        "'\(file)', line 2: the line is not used: the chain has its own 'curve'",
        "'\(file)', line 1: the line is not used: the chain has its own 'gain'",
      ])
  }

  @Test func `is refused with the line of a value that is too high`() throws {
    let folder = TemporaryFolder()
    let file = folder.write(
      "eq.txt",
      Array("# loud\nFilter: ON PK Fc 100 Hz Gain 60 dB Q 1\nFilter: ON HP Fc 23900 Hz".utf8))
    let chain = list(#"{ "unit": "equalizer", "file": "\#(file)" }"#)
    #expect(
      chain.checked().all.map(\.message) == [
        "'\(file)', line 2: gain 60 is outside -48…48 dB",
        "'\(file)', line 3: frequency 23900 is outside 10…23520 Hz",
      ])
  }

  @Test func `that is no text is refused`() throws {
    let folder = TemporaryFolder()
    let file = folder.write("eq.txt", Array("a\0b".utf8))
    let chain = list(#"{ "unit": "equalizer", "file": "\#(file)" }"#)
    #expect(chain.checked().all.map(\.message) == ["'\(file)' is not a text"])
  }

  private func impulseResponse(_ text: Reference.Case, length: Int) throws -> [[Float]] {
    let channels = text.levels.count
    let position = Mutex(0)
    let output = SampleCollector()
    var request = RenderRequest()
    request.sampleInputs["main"] = .pull(
      SampleFormat(sampleRate: text.rate, channels: channels)
    ) { frames in
      let start = position.withLock { place in
        defer { place += frames }
        return place
      }
      let count = max(0, min(length, start + frames) - start)
      let block = (0..<count).map { Float(start + $0 == 0 ? 1 : 0) }
      return [[Float]](repeating: block, count: channels)
    }
    request.sampleOutputs["main"] = .push { channels, _ in output.add(channels) }
    _ = try chain(text.name).render(request)
    return output.samples
  }

  private func levels(_ response: [Float], _ bins: [Int], length: Int) -> [Double] {
    let transform = RealTransform(length: length)
    let samples = SampleBuffer(count: length)
    for (frame, sample) in response.prefix(length).enumerated() { samples.samples[frame] = sample }
    let real = SampleBuffer(count: transform.binCount)
    let imaginary = SampleBuffer(count: transform.binCount)
    transform.forward(samples.samples, real: real.samples, imaginary: imaginary.samples)
    return bins.map { bin in
      let (re, im) = (Double(real.samples[bin]), Double(imaginary.samples[bin]))
      return 10 * log10(max(re * re + im * im, 1e-30))
    }
  }
}
