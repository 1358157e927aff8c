import FxDiagnostics
import FxGoldens
package import FxKit
import Glibc

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
  /// True if the last line is incomplete.
  package private(set) var isTorn = false

  /// Reads the lines of a journal.
  ///
  /// - Throws: `ChainFailure` of kind `input` for a line that is not a record. An incomplete last
  ///   line is allowed.
  package init(_ bytes: [UInt8], path: String) throws(ChainFailure) {
    var start = 0
    var number = 1
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let line = Array(bytes[start..<end])
      start = end + 1
      byteCount = start
      if !line.isEmpty {
        switch try Self.line(line, place: "\(path):\(number)") {
        case .header(let header): headers.append(header)
        case .record(let record): records.append(record)
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
    do throws(ManifestMistake) {
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
      .input, code: "bad-record", "\(place): this is no record of fxrun batch: \(message)")
  }

  /// Reads a journal; returns an empty one if the file is missing and may be.
  package init(contentsOfFile path: String, mayBeMissing: Bool) throws(ChainFailure) {
    guard let file = fopen(path, "re") else {
      guard mayBeMissing, errno == ENOENT else { throw Self.unreadable(path, errno) }
      self = try BatchJournal([], path: path)
      return
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      bytes += buffer[0..<count]
      guard count == buffer.count else { break }
    }
    if ferror(file) != 0 { throw Self.unreadable(path, errno) }
    self = try BatchJournal(bytes, path: path)
  }

  private static func unreadable(_ path: String, _ code: Int32) -> ChainFailure {
    ChainFailure(
      .input, code: "unreadable",
      "\(path): the records cannot be read: \(String(cString: strerror(code)))", path: path)
  }

  /// The last record of each output.
  package var latest: [PathKey: BatchRecord] {
    Dictionary(records.map { (PathKey($0.output), $0) }, uniquingKeysWith: { $1 })
  }
}
