import FxAudio
package import FxChain
import FxChecks

/// The first line that a run writes to a journal.
package struct BatchHeader: Sendable, Equatable {
  /// The value of `batch` in a journal.
  static let version = 1

  /// The program that writes the journal, with its version.
  package var program: String
  package var chain: String
  /// `2/8`.
  var shard: String
  /// The number of files of the shard, and of the whole batch.
  package var files: Int
  var allFiles: Int

  package init(program: String, chain: String, shard: String, files: Int, allFiles: Int) {
    self.program = program
    self.chain = chain
    self.shard = shard
    self.files = files
    self.allFiles = allFiles
  }

  package var json: JSONOutput {
    .members([
      "batch": .integer(Self.version), "program": .string(program), "chain": .string(chain),
      "shard": .string(shard), "files": .integer(files), "allFiles": .integer(allFiles),
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    let version = try value["batch"].integer
    guard version == Self.version else {
      throw Failure(
        .badRecord, "is of version \(version); this fxrun reads version \(Self.version)")
    }
    self.init(
      program: try value["program"].text, chain: try value["chain"].text,
      shard: try value["shard"].text, files: try value["files"].integer,
      allFiles: try value["allFiles"].integer)
  }
}
