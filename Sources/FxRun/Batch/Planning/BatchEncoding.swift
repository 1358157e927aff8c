import FxChain
import FxChecks
package import FxKit

/// The sample rate for the files of a batch, and the encoding of their outputs.
package struct BatchEncoding: Sendable, Equatable {
  private var sampleRate: Double?
  private var resampling: String?
  private var bits: Int?
  private var writesIntegers = false
  private var isDithered = true
  private var shapesNoise = false
  private var normalizedPeak: Double?
  private var kilobits: Int?
  private var quality: Double?
  private var compression: Int?
  private var format: String?
  private var tagsLoudness = false
  private var tags: [String: String] = [:]
  private var carriesTags = true
  private(set) var cover: String?

  package init() {}

  /// The settings of a render request.
  package init(_ request: RenderRequest) {
    sampleRate = request.sampleRate
    resampling = request.resampling
    bits = request.bits
    writesIntegers = request.writesIntegers
    isDithered = request.isDithered
    shapesNoise = request.shapesNoise
    normalizedPeak = request.normalizedPeak
    kilobits = request.kilobits
    quality = request.quality
    compression = request.compression
    format = request.format
    tagsLoudness = request.tagsLoudness
    tags = request.tags
    carriesTags = request.carriesTags
    cover = request.cover
  }

  func apply(to request: inout RenderRequest) {
    request.sampleRate = sampleRate
    request.resampling = resampling
    request.bits = bits
    request.writesIntegers = writesIntegers
    request.isDithered = isDithered
    request.shapesNoise = shapesNoise
    request.normalizedPeak = normalizedPeak
    request.kilobits = kilobits
    request.quality = quality
    request.compression = compression
    request.format = format
    request.tagsLoudness = tagsLoudness
    request.tags = tags
    request.carriesTags = carriesTags
    request.cover = cover
  }

  /// All settings, for a worker and for keys.
  var json: JSONOutput {
    .members([
      "sampleRate": sampleRate.map { .number($0) },
      "resampling": resampling.map { .string($0) },
      "bits": bits.map { .integer($0) }, "integers": .bool(writesIntegers),
      "dither": .bool(isDithered), "shapeNoise": .bool(shapesNoise),
      "normalize": normalizedPeak.map { .number($0) }, "bitRate": kilobits.map { .integer($0) },
      "quality": quality.map { .number($0) }, "compression": compression.map { .integer($0) },
      "format": format.map { .string($0) }, "loudnessTags": .bool(tagsLoudness),
      "tags": tags.json, "carriesTags": .bool(carriesTags), "cover": cover.map { .string($0) },
    ])
  }

  init(_ value: ManifestValue) throws(ManifestMistake) {
    sampleRate = try value.optional("sampleRate")?.number
    resampling = try value.optional("resampling")?.text
    bits = try value.optional("bits")?.integer
    writesIntegers = try value["integers"].flag
    isDithered = try value["dither"].flag
    shapesNoise = try value["shapeNoise"].flag
    normalizedPeak = try value.optional("normalize")?.number
    kilobits = try value.optional("bitRate")?.integer
    quality = try value.optional("quality")?.number
    compression = try value.optional("compression")?.integer
    format = try value.optional("format")?.text
    tagsLoudness = try value["loudnessTags"].flag
    tags = try value["tags"].texts
    carriesTags = try value["carriesTags"].flag
    cover = try value.optional("cover")?.text
  }
}
