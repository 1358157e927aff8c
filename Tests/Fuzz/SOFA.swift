import CRealtime
import Foundation

/// SOFA files: a real file with some bytes changed, or cut. Another process reads it, so that only the
/// answer matters here: a sound without impossible samples, or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first, !original.isEmpty else { return 0 }
  var file = original
  var rest = bytes.dropFirst()
  func place() -> Int {
    let number = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(3)
    // Half of the changes are in the part with the structure.
    return number % (first & 1 == 0 ? file.count : min(file.count, 8192))
  }
  if first & 2 != 0 { file.removeLast(file.count - place()) }
  while rest.count >= 4, !file.isEmpty {
    let index = place()
    file[index] = rest.removeFirst()
  }
  guard SOFAFile.isOne(file) else { return 0 }
  do {
    let sound = try SOFAFile.read(file, "fuzz", sampleRate: 48000, OpeningMonitor())
    precondition(sound.channelCount == HeadGrid.channelCount)
    precondition(sound.samples.count == sound.channelCount * sound.frameCount)
    precondition(sound.samples.allSatisfy(\.isFinite))
  } catch {
    // Without its program the target would test nothing.
    precondition(error.code != .unreadable, "\(error)")
  }
  return 0
}

private let original: [UInt8] = {
  let path = ProcessInfo.processInfo.environment["FXRUN_FUZZ_SOFA"] ?? ""
  return (try? Data(contentsOf: URL(filePath: path))).map(Array.init) ?? []
}()
