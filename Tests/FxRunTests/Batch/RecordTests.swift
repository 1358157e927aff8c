import FxAudio
import FxChain
import FxKit
@testable import FxRun
import FxTestSupport
import Glibc
import Testing

@Suite struct RecordTests {
  private let folder = TemporaryFolder()

  private func record(
    _ name: String, _ status: BatchRecord.Status = .done, attempt: Int = 1
  ) -> BatchRecord {
    let job = BatchJob(index: 1, file: BatchFile(named: "\(name).wav"), output: "out/\(name).flac")
    var record = BatchRecord(job, status, plan: "p", digest: "d-\(name)", stamp: "1-2.3-4")
    if status == .done {
      record.result.frames = 480
      record.result.sampleRate = 48000
      record.result.peak = -1.5
      record.result.warnings = ["a \"warning\""]
      record.result.byteCount = 99
    } else {
      record.failure = ChainFailure(.plugin, code: .crashed, "'fx' crashed")
      record.exitStatus = 3
    }
    record.attempt = attempt
    return record
  }

  private func text(_ records: [BatchRecord], _ shard: String = "1/1", files: Int = 2) -> String {
    let header = BatchHeader(
      program: "fxrun", chain: "c.json", shard: shard, files: files, allFiles: 4)
    return ([header.json] + records.map(\.json)).map { "\($0.text(indented: false))\n" }.joined()
  }

  private func journal(_ text: String) -> BatchJournal {
    BatchJournal(Array(text.utf8), path: "j")
  }

  @Test func `written records are read back unchanged`() throws {
    var silent = record("s")
    silent.result.peak = -.infinity
    silent.id = "7"
    let records = [record("a"), record("b", .failed), silent]
    #expect(journal(text(records)).records == records)
  }

  @Test func `only the last line may be incomplete`() throws {
    let whole = text([record("a"), record("b")])
    for count in 1..<60 {
      let torn = journal(String(whole.dropLast(count)))
      #expect(torn.isTorn)
      #expect(torn.records.map(\.output) == ["out/a.flac"])
    }
  }

  @Test func `a damaged line costs only itself, and is named`() {
    let lines = text([record("a"), record("b"), record("c")]).split(separator: "\n")
    let zeros = String(repeating: "\0", count: 40)
    for damaged in ["{\"input\":\"x", "no JSON", "[]", "{}", "\u{fffd}", zeros, "{\"batch\":7}"] {
      var lines = lines
      lines[2] = Substring(damaged)
      let found = journal(lines.joined(separator: "\n") + "\n")
      #expect(found.records == [record("a"), record("c")])
      #expect(found.headers.count == 1 && !found.isTorn)
      #expect(found.damage.count == 1 && found.damage[0].hasPrefix("j:3: "), "\(found.damage)")
    }
    let merge = BatchMerge(
      [("j", journal("{\n" + text([record("a")], files: 1)))], expected: nil,
      sizeOfFile: { _ in 99 })
    #expect(merge.warnings.count == 1 && merge.mistakes.isEmpty)
  }

  @Test
  func `an incomplete line is removed before the next is added, and a journal has one writer`()
    throws
  {
    let path = folder.file("deep/er/j.jsonl")
    do {
      let writer = try BatchJournalWriter(path)
      #expect(writer.append(record("a").json))
      #expect {
        _ = try BatchJournalWriter(path)
      } throws: { ($0 as? ChainFailure)?.code == "journal-busy" }
    }
    folder.write("deep/er/j.jsonl", Array("\(record("a").json.text(indented: false))\n{\"inp".utf8))
    #expect(try BatchJournalWriter(path).append(record("b").json))
    let read = try BatchJournal(contentsOfFile: path)
    #expect(read.records == [record("a"), record("b")])
  }

  @Test func `damaged journals are read without a crash`() {
    let seed = Array(text([record("a"), record("b", .failed)]).utf8)
    var damaged = 0
    for bytes in Damage.variants(of: seed, count: 20_000) {
      let journal = BatchJournal(bytes, path: "j")
      #expect(journal.records.count <= 2 || journal.records.count <= bytes.count / 100)
      if !journal.damage.isEmpty { damaged += 1 }
    }
    #expect(damaged > 5000)
  }

  @Test func `a merge takes the last record of each file, in order`() throws {
    let merge = BatchMerge(
      [
        ("1", journal(text([record("b", .failed), record("b", attempt: 2)], "1/2", files: 1))),
        ("2", journal(text([record("a"), record("c", .failed)], "2/2"))),
      ], expected: nil, sizeOfFile: { _ in 99 })
    #expect(merge.mistakes.isEmpty)
    #expect(merge.records == [record("a"), record("b", attempt: 2), record("c", .failed)])
    #expect(merge.failed == [record("c", .failed)])
  }

  @Test func `a merge reports missing and duplicate records`() throws {
    let first = ("1", journal(text([record("a")], "1/3")))
    let again = ("x", journal(text([record("a"), record("b")], "3/3")))
    #expect(
      BatchMerge([first, again], expected: nil, sizeOfFile: { _ in 99 }).mistakes == [
        "out/a.flac: twice, in 1 and in x", "shard 2/3: no journal",
        "1: 1 of 2 records are missing; --expect LIST names them",
      ])
    let expected = ["a.wav", "z.wav"].map(BatchFile.init(listed:))
    #expect(
      BatchMerge([again], expected: expected, sizeOfFile: { _ in 99 }).mistakes == [
        "z.wav: no record", "b.wav: a record that is not expected",
      ])
  }

  @Test func `a merge reports outputs that do not exist or have another size`() {
    let records = [record("a"), record("b"), record("c"), record("d", .failed)]
    let sizes = ["out/a.flac": 99, "out/b.flac": 98]
    let merge = BatchMerge(
      [("j", journal(text(records, files: 4)))], expected: nil, sizeOfFile: { sizes[$0] })
    #expect(
      merge.mistakes == [
        "out/b.flac: has 98 bytes, and its record says 99",
        "out/c.flac: does not exist, and its record says that it is done",
      ])
  }

  @Test func `a digest equals that of xxhsum`() {
    #expect(
      BatchDigest.digest(ofFile: folder.write("empty", []))
        == "99aa06d3014798d86001c324468d497f")
    #expect(
      BatchDigest.digest(ofFile: folder.write("abc", Array("abc".utf8)))
        == "06b05ab6733a618578af5f94892f3950")
    #expect(BatchDigest.digest(ofFile: folder.file("none")) == nil)
    // Reading one would not end.
    mkfifo(folder.file("pipe"), 0o600)
    #expect(BatchDigest.digest(ofFile: folder.file("pipe")) == nil)
    #expect(BatchDigest.digest(ofFile: "/dev/zero") == nil)
  }
}
