import FxAudio
import FxChain
import FxChecks
import FxKit

/// An answer: an object with a result or an error, and the samples that follow it.
struct ServeAnswer {
  private let members: [JSONOutput.Member]
  /// Channels, one after another.
  var samples: [[Float]] = []

  init(_ result: JSONOutput, samples: [[Float]] = []) {
    members = [JSONOutput.Member("result", result)]
    self.samples = samples
  }

  /// - Parameter ends: true if the process ends after this answer.
  init(_ failure: ChainFailure, ends: Bool = false) {
    var error = failure.json
    if !failure.details.isEmpty {
      error = error.with([
        JSONOutput.Member("diagnostics", .array(failure.details.all.map(\.json)))
      ])
    }
    members =
      [JSONOutput.Member("error", error)] + (ends ? [JSONOutput.Member("ends", .bool(true))] : [])
  }

  var line: String { JSONOutput.object(members).text(indented: false) }
}
