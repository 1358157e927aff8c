import FxAudio
package import FxChain
import FxEngine
package import FxKit
import FxMedia

/// The figures of a sound file, as in `fxrun stats`.
package struct FileStatistics {
  package let path: String
  package let statistics: SoundStatistics
  package let warnings: [String]

  /// Reads a file to its end, with constant memory for any length.
  ///
  /// - Parameters:
  ///   - raw: the format of a file without a header: `s16le,48000,2`.
  ///   - progress: called from time to time with the frames read, and the total if it is known; false
  ///     stops reading.
  /// - Throws: `ChainFailure` of kind `input`.
  package init(
    path: String, raw: String? = nil, progress: (_ frames: Int, _ total: Int?) -> Bool
  ) throws(ChainFailure) {
    let raw = try raw.map { text throws(ChainFailure) in try RawFormat(asked: text) }
    do throws(Failure) {
      try self.init(try FileSource.open(path, raw: raw, within: OpeningLimits()), path, progress)
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  /// Measures samples in memory.
  ///
  /// - Parameter name: stands for the file in the report.
  /// - Throws: `ChainFailure` of kind `input` if there is not one frame.
  package init(
    _ format: SampleFormat, _ channels: [[Float]], name: String
  ) throws(ChainFailure) {
    do throws(Failure) {
      try self.init(SampleInput.samples(format, channels).source(name), name) { _, _ in true }
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  private init(
    _ source: any AudioSource, _ name: String, _ progress: (_ frames: Int, _ total: Int?) -> Bool
  ) throws(Failure) {
    path = name
    let meter = SoundMeter(source.format)
    let block = PlanarBuffer(channelCount: source.format.channelCount, atMost: 8192)
    var frames = 0
    while case let count = try source.read(into: block.channels, frameCount: block.frameCount),
      count > 0
    {
      meter.add(block.channels, frameCount: count)
      frames += count
      guard progress(frames, source.frameCount) else {
        throw Failure(.interrupted, name, "reading was stopped")
      }
    }
    guard frames > 0 else {
      throw Failure(.empty, name, "there is no sound in it: not one frame could be decoded")
    }
    statistics = meter.statistics()
    warnings = source.warnings
  }

  // MARK: Text

  package var text: String {
    let sound = statistics
    var lines = [path]
    func row(_ name: String, _ value: String) { lines.append("  \(name.padded(to: 16))\(value)") }
    row(
      "length",
      "\(Text.exactTime(sound.seconds)), \(sound.frameCount) frames at \(Text.decimal(sound.sampleRate, 0)) Hz"
    )
    if let loudness = sound.loudness {
      row(
        "loudness",
        "\(level(loudness.integrated)) LUFS, range \(Text.decimal(loudness.range, 1)) LU, highest "
          + "\(level(loudness.highestMomentary)) momentary, "
          + (sound.seconds < 3
            ? "short-term: too short, under 3 s" : "\(level(loudness.highestShortTerm)) short-term")
      )
      row("true peak", "\(level(loudness.truePeak, 2)) dBTP")
    }
    let names =
      sound.channels.count == 1 ? [""] : sound.channels.indices.map { "channel \($0 + 1)" }
    row("", names.map { $0.padded(to: 12, left: true) }.joined())
    func columns(_ name: String, _ value: (SoundStatistics.Channel) -> String) {
      row(name, sound.channels.map { value($0).padded(to: 12, left: true) }.joined())
    }
    columns("peak dB") { level($0.peak, 2) }
    columns("RMS dB") { level($0.rms, 2) }
    columns("crest dB") { Text.decimal($0.crest, 2) }
    columns("DC") { Text.decimal($0.dc, 6) }
    columns("clipped") { "\($0.clippedCount)" }
    if sound.channels.contains(where: { $0.nonFiniteCount > 0 }) {
      columns("no numbers") { "\($0.nonFiniteCount)" }
    }
    row("noise floor", "\(level(sound.noiseFloor)) dB")
    row(
      "silence",
      "\(Text.exactTime(sound.silence.start)) in front, \(Text.exactTime(sound.silence.end)) behind, "
        + "\(Text.exactTime(sound.silence.total)) in all (below \(Text.decimal(SoundStatistics.silence, 0)) dB)"
    )
    row("bandwidth", "\(Text.decimal(sound.bandwidth / 1000, 1)) kHz")
    return Text.lines(lines.map { $0.trimmedEnd })
  }

  private func level(_ decibels: Double, _ digits: Int = 1) -> String {
    Text.decimal(decibels, digits)
  }

  // MARK: JSON

  package var json: JSONOutput {
    let sound = statistics
    return .members([
      "file": .string(path), "seconds": .number(sound.seconds),
      "frames": .integer(sound.frameCount),
      "sampleRate": .number(sound.sampleRate),
      "loudness": sound.loudness.map {
        .members([
          "integrated": .number($0.integrated), "range": .number($0.range),
          "highestMomentary": .number($0.highestMomentary),
          "highestShortTerm": .number($0.highestShortTerm), "truePeak": .number($0.truePeak),
        ])
      },
      "channels": .array(
        sound.channels.map {
          .members([
            "peak": .number($0.peak), "rms": .number($0.rms), "crest": .number($0.crest),
            "dc": .number($0.dc), "clippedSamples": .integer($0.clippedCount),
            "nonFiniteSamples": .integer($0.nonFiniteCount),
          ])
        }),
      "noiseFloor": .number(sound.noiseFloor),
      "silence": .members([
        "start": .number(sound.silence.start), "end": .number(sound.silence.end),
        "total": .number(sound.silence.total), "longest": .number(sound.silence.longest),
      ]),
      "bandwidth": .number(sound.bandwidth),
      "warnings": .array(warnings.map { .string($0) }),
    ])
  }
}

extension String {
  fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
