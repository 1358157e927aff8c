import FxAudio
import FxChain
import FxMedia

/// The declarations of the options, one each.
extension RequestOption {
  /// All options, in the order of the help.
  package static let all: [RequestOption] = own + shared

  /// Those that only a request has.
  static let own: [RequestOption] = [
    number(
      "start", "Start at this place in the input: seconds or m:ss.", .seconds, 0...1e9, \.start),
    number(
      "duration", "Take this much of the input: seconds or m:ss.", .seconds, 0...1e9, \.duration),
    integer(
      "repeat", "Play the part of the input that --start and --duration choose this many times.",
      1...1_000_000, \.mainInput.playCount
    ).named(nil, "times"),
    flag("reverse", "Play that part from its end to its beginning.", \.mainInput.isReversed),
    RequestOption(
      OptionSpec(
        "channels", "Take these channels of the input, from 1, in this order: 2 or 2,1.", .text,
        default: nil),
      get: { request in
        let channels = request.mainInput.channels
        return channels.isEmpty ? nil : .text(channels.map(String.init).joined(separator: ","))
      },
      set: { request, value in
        guard case .text(let text) = value else { return }
        request.mainInput.channels = text.split(separator: ",").compactMap { Int($0) }
      }
    ).named(nil, "list").reading("numbers from 1 to 256, such as 2 or 2,1") { text in
      let channels = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      return channels.allSatisfy { EndpointSpec.channelCounts.contains($0 ?? 0) }
        ? ["channels": .text(text)] : nil
    },
    flag("mono", "Mix the channels of the input to one, their mean.", \.mainInput.isMono),
    number(
      "loudness",
      "Bring the main output to this loudness, -16 for podcasts; the sound is measured first.",
      .lufs, -70...0, \.loudness),
    number(
      "sampleRate", "Render at this rate, in place of the chain's own or the main input's.", .hertz,
      ChainFormat.sampleRates, \.sampleRate),
    RequestOption(
      OptionSpec(
        "resampling", "How sounds of another rate are converted; default veryHigh.",
        .choice(RenderRequest.resamplings), default: nil),
      get: { $0.resampling.map { .text($0) } },
      set: { if case .text(let text) = $1 { $0.resampling = text } }),
    integer(
      "blockSize", "Block size in frames, as LV2 plugins see it.", ChainFormat.blockSizes,
      \.blockSize
    ).named(nil, "frames"),
    integer(
      "threads",
      "Threads that render, beside those that decode and write (default: one a processor where that saves time).",
      1...64, \.threads),
    integer(
      "memory",
      "Memory that the chain's sound may need: 512M, 4G … (default: half of what the process may use, at most 4G).",
      1...Int(1e18), \.memoryLimit
    ).named(nil, "size").reading("an amount such as 512M or 4G") { text in
      MemorySize.bytes(text).map { ["memory": .number(Double($0))] }
    },
    number(
      "streamBuffer", "Live: seconds of a stream that are buffered before it plays (default 3).",
      .seconds, StreamSettings.bufferSeconds, \.streamBuffer),
    number(
      "streamTimeout",
      "Seconds to wait for a connection, a first byte and each further byte of a stream (default 10, 20 and 15).",
      .seconds, StreamLimits.timeouts, \.streamTimeout),
    integer(
      "streamAttempts",
      "Attempts in a row without a byte before a stream has failed (default 6).",
      StreamLimits.attemptCounts, \.streamAttempts),
    flag("tagsFromInput", "Copy no tags, cover or chapters from the input.", \.carriesTags)
      .named("no-tags"),
    RequestOption(
      OptionSpec(
        "cover", "Give -o this picture as its cover: JPEG, PNG, GIF or WebP.", .text, default: nil),
      get: { $0.cover.map { .text($0) } },
      set: { if case .text(let text) = $1 { $0.cover = text } }
    ).named(nil, "file"),
    RequestOption(
      OptionSpec(
        "chapters",
        "Give the input the chapters of this file: a CUE sheet, podcast chapters (JSON), Audacity labels, or a sound.",
        .text, default: nil),
      get: { $0.chapterFile.map { .text($0) } },
      set: { if case .text(let text) = $1 { $0.chapterFile = text } }
    ).named(nil, "file"),
    RequestOption(
      OptionSpec(
        "chaptersTo",
        "Write the chapters of -o into this file: .json (podcasts), .cue or .txt (Audacity).",
        .text, default: nil),
      get: { $0.chapterTarget.map { .text($0) } },
      set: { if case .text(let text) = $1 { $0.chapterTarget = text } }
    ).named(nil, "file"),
    integer(
      "captureChannels", "Channels to record where the chain does not say (default 2).", 1...1024,
      \.live.captureChannels
    ).named(nil, "count"),
    number(
      "hardwareLatency",
      "Latency of converters and cables that drivers do not report; it is removed from recordings: seconds, or as 1.5ms.",
      .seconds, 0...1, \.live.hardwareLatency),
    integer(
      "period",
      "Frames of a period of the device (default: the block size, or 256; 128 to play and record, 1024 to record only).",
      1...65536, \.live.period
    ).named(nil, "frames"),
    integer(
      "periods", "Periods of the device's buffer (default 3; 4 to record only).", 2...64,
      \.live.periods
    ).named(nil, "count"),
    number(
      "volume", "The playback level (default 0); files that are written keep their level.",
      .decibels, -120...20, \.live.volume),
    number(
      "rest",
      "Stop rendering after this much silence, until there is sound again: seconds or m:ss.",
      .seconds, 0...86400, \.live.rest),
  ]

  /// Those that sources and sinks of a chain have too.
  private static let shared: [RequestOption] =
    encodingSpecs.map { spec in
      let option = RequestOption(spec)
      return switch spec.key {
      case "bits":
        option.named(
          nil, "bits",
          sentence: "Bits per sample: 8, 16, 24 (default), 32 (float), 64 (float), or int32."
        ).reading(
          "8, 16, 24, 32 (float), 64 (float) or int32",
          words: ["8", "16", "24", "32", "64", "int32"]
        ) { text in
          let isInteger = text.hasPrefix("int")
          guard let bits = Int(isInteger ? String(text.dropFirst(3)) : text),
            FileEncoding.Depth(bits: bits, isInteger: isInteger) != nil
          else { return nil }
          return ["bits": .number(Double(bits)), "integer": .flag(isInteger)]
        }
      case "format": option.named(nil, "format")
      case "dither":
        option.named(
          "no-dither",
          sentence: "Round to 8 or 16 bits without dither, in files and on devices.")
      case "noiseShaping": option.named("shape-noise")
      case "tags": option.named("tag", "name=text")
      case "bitRate": option.named(nil, "kbit/s")
      case "quality": option.named(nil, "0…1")
      case "compression": option.named(nil, "0…8")
      case "split":
        option.named(nil, "rule").reading(SplitRule.forms, words: ["silence", "chapters"]) { text in
          SplitRule(text).map { ["split": .text($0.text)] }
        }
      default: option
      }
    }

  private static let encodingSpecs: [OptionSpec] = {
    var specs = FileEncoding.specs + SplitRule.specs + RecordingRule.specs
    for spec in SilenceCut.specs where !specs.contains(where: { $0.key == spec.key }) {
      specs.append(spec)
    }
    return specs
  }()

  private static func number(
    _ key: String, _ summary: String, _ measure: Measure, _ range: ClosedRange<Double>,
    _ path: any WritableKeyPath<RenderRequest, Double> & Sendable
  ) -> RequestOption {
    RequestOption(
      OptionSpec(key, summary, .number(measure, range), default: nil),
      get: { .number($0[keyPath: path]) },
      set: { if case .number(let number) = $1 { $0[keyPath: path] = number } })
  }

  private static func number(
    _ key: String, _ summary: String, _ measure: Measure, _ range: ClosedRange<Double>,
    _ path: any WritableKeyPath<RenderRequest, Double?> & Sendable
  ) -> RequestOption {
    RequestOption(
      OptionSpec(key, summary, .number(measure, range), default: nil),
      get: { $0[keyPath: path].map { .number($0) } },
      set: { if case .number(let number) = $1 { $0[keyPath: path] = number } })
  }

  private static func integer(
    _ key: String, _ summary: String, _ range: ClosedRange<Int>,
    _ path: any WritableKeyPath<RenderRequest, Int> & Sendable
  ) -> RequestOption {
    RequestOption(
      OptionSpec(key, summary, .integer(range), default: nil),
      get: { .number(Double($0[keyPath: path])) },
      set: { if case .number(let number) = $1 { $0[keyPath: path] = Int(number) } })
  }

  private static func integer(
    _ key: String, _ summary: String, _ range: ClosedRange<Int>,
    _ path: any WritableKeyPath<RenderRequest, Int?> & Sendable
  ) -> RequestOption {
    RequestOption(
      OptionSpec(key, summary, .integer(range), default: nil),
      get: { $0[keyPath: path].map { .number(Double($0)) } },
      set: { if case .number(let number) = $1 { $0[keyPath: path] = Int(number) } })
  }

  private static func flag(
    _ key: String, _ summary: String, _ path: any WritableKeyPath<RenderRequest, Bool> & Sendable
  ) -> RequestOption {
    RequestOption(
      OptionSpec(key, summary, .flag, default: nil), get: { .flag($0[keyPath: path]) },
      set: { if case .flag(let flag) = $1 { $0[keyPath: path] = flag } })
  }
}
