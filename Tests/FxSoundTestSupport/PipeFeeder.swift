import FxAudio
import Glibc

/// A pipe that a thread writes bytes into, a few at a time.
package final class PipeFeeder {
  package let readEnd: Int32
  private let thread: WorkerThread?

  package init(_ bytes: [UInt8], chunk: Int = 1000, keepsOpen: Bool = false) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    readEnd = ends[0]
    let writeEnd = ends[1]
    var failure: Int32 = 0
    thread = WorkerThread(failure: &failure) {
      var done = 0
      while done < bytes.count {
        let part = Array(bytes[done..<min(done + chunk, bytes.count)])
        let count = part.withUnsafeBytes { write(writeEnd, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        done += count
      }
      if !keepsOpen { close(writeEnd) }
    }
  }

  deinit {
    close(readEnd)
    thread?.join()
  }
}
