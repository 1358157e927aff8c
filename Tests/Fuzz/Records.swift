/// The lines that batches read: job files, and journals, whose records are written again as they were.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let jobs = try? BatchJobLine.all(bytes, path: "jobs") {
    for job in jobs { precondition(!job.input.isEmpty && !job.input.utf8.contains(0)) }
  }
  let journal = BatchJournal(bytes, path: "journal")
  precondition(journal.byteCount <= bytes.count)
  for record in journal.records {
    let line = Array(record.json.text(indented: false).utf8)
    guard case .record(let again)? = try? BatchJournal.line(line, place: "again") else {
      fatalError("a record is not read again: \(String(decoding: line, as: UTF8.self))")
    }
    precondition(again.json == record.json)
  }
  return 0
}
