import FxAudio
import FxChain
import FxChecks
import FxKit

/// One of the files that an input was split into.
package struct BatchPart: Sendable, Equatable {
  /// From 1.
  package var number: Int
  /// The number of files of the input.
  package var count: Int
  /// The title of its chapter.
  package var title: String?
  /// The template of the names: `done/take-{n}.flac`.
  package var template: String
  /// Its first frame in the rendered sound.
  package var frame: Int
  /// Where it begins and ends in the input, in seconds and frames; nil if it has no such place.
  package var source: Span?

  package struct Span: Sendable, Equatable {
    package var start: Double
    package var end: Double
    package var startFrame: Int?
    package var endFrame: Int?
  }

  init(_ part: RenderSummary.Part, of count: Int, template: String) {
    number = part.number
    self.count = count
    title = part.title
    self.template = template
    frame = part.startFrame
    source = part.source.map {
      Span(start: $0.start, end: $0.end, startFrame: $0.startFrame, endFrame: $0.endFrame)
    }
  }

  var json: JSONOutput {
    .members([
      "number": .integer(number), "of": .integer(count), "title": title.map { .string($0) },
      "template": .string(template), "frame": .integer(frame),
      "start": source.map { .number($0.start) }, "end": source.map { .number($0.end) },
      "startFrame": source?.startFrame.map { .integer($0) },
      "endFrame": source?.endFrame.map { .integer($0) },
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    number = try value["number"].integer
    count = try value["of"].integer
    title = try value.optional("title")?.text
    template = try value["template"].text
    frame = try value["frame"].integer
    if let start = value.optional("start") {
      source = Span(
        start: try start.number, end: try value["end"].number,
        startFrame: try value.optional("startFrame")?.integer,
        endFrame: try value.optional("endFrame")?.integer)
    }
  }
}
