/// The equalizer texts of other programs: every number is finite, and every remark names a line that exists.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let content = TextEncoding.text(bytes) else { return 0 }
  let lines = content.split(omittingEmptySubsequences: false) {
    $0 == "\n" || $0 == "\r\n" || $0 == "\r"
  }
  let text = EqualizerText(content, sampleRate: 48000)
  for remark in text.notes + text.mistakes {
    precondition((1...lines.count).contains(remark.line) && !remark.message.isEmpty)
  }
  for band in text.bands {
    precondition(band.gain.isFinite && band.frequency?.isFinite != false)
    precondition(band.q.map { $0 >= 0 } != false, "\(band)")
  }
  precondition(text.preamp?.isFinite != false)
  for command in EqualizerDocument(content).commands {
    precondition((1...lines.count).contains(command.line))
  }
  return 0
}
