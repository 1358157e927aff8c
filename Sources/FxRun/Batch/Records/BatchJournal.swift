import FxAudio
import FxChain
import FxChecks
package import FxKit

/// The contents of a journal: a line for each run, and a line for each file that was done or
/// failed.
package struct BatchJournal: Sendable, Equatable {
  package enum Line: Sendable, Equatable {
    case header(BatchHeader)
    case record(BatchRecord)
  }

  package private(set) var headers: [BatchHeader] = []
  /// In the order of the lines; a file that was rendered several times has several records.
  package private(set) var records: [BatchRecord] = []
  /// Bytes up to the end of the last complete line. A killed process may have left a partial line.
  package private(set) var byteCount = 0
  /// A sentence for each damaged line. The lines themselves are skipped.
  package private(set) var damage: [String] = []
  /// True if the last line is incomplete.
  private(set) var isTorn = false

  /// Reads the lines of a journal. A line that is not a record costs only itself: its file is
  /// rendered again.
  package init(_ bytes: [UInt8], path: String) {
    var start = 0
    var number = 1
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let line = Array(bytes[start..<end])
      start = end + 1
      byteCount = start
      if !line.isEmpty {
        do throws(ChainFailure) {
          switch try Self.line(line, place: "\(path):\(number)") {
          case .header(let header): headers.append(header)
          case .record(let record): records.append(record)
          }
        } catch {
          damage.append("\(error.message); the line is skipped")
        }
      }
      number += 1
    }
    isTorn = start < bytes.count
  }

  /// Reads one line.
  package static func line(_ bytes: [UInt8], place: String) throws(ChainFailure) -> Line {
    var found = Diagnostics()
    let document = JSONDocument.read(SourceText(path: place, bytes: bytes), into: &found)
    guard let document, found.all.isEmpty else {
      throw mistake(place, found.all.first?.message ?? "not JSON")
    }
    do throws(Failure) {
      let value = ManifestValue(document.root, "the line")
      _ = try value.members
      guard value.optional("batch") == nil else { return .header(try BatchHeader(value)) }
      return .record(try BatchRecord(value))
    } catch {
      throw mistake(place, error.message)
    }
  }

  private static func mistake(_ place: String, _ message: String) -> ChainFailure {
    ChainFailure(
      .input, code: .badRecord, "\(place): this is no record of fxrun batch: \(message)")
  }

  /// Reads a journal.
  ///
  /// - Throws: `ChainFailure` of kind `input` if the file cannot be read.
  package init(contentsOfFile path: String) throws(ChainFailure) {
    var file = GuardedFile(path)
    file.byteLimit = .max
    file.takesPipes = true
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try file.bytes()
    } catch {
      throw ChainFailure(
        .input, code: .unreadable, "\(path): the records cannot be read: \(error.message)",
        path: path)
    }
    self.init(bytes, path: path)
  }

  /// The records of the last attempt at each job, by its output.
  package var latest: [PathKey: JobRecords] {
    var latest: [PathKey: JobRecords] = [:]
    for record in records {
      latest[PathKey(record.outputOfJob), default: JobRecords([])].add(record)
    }
    return latest
  }
}
