/// The headers of answers, and the addresses that they are asked for.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var facts = HTTPFacts()
  for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) { facts.add(line) }
  precondition((facts.contentLength ?? 0) >= 0 && (facts.total ?? 0) >= 0)
  precondition((facts.rangeStart ?? 0) >= 0 && (facts.retryAfter ?? 0) >= 0)
  let text = String(decoding: bytes, as: UTF8.self)
  if let address = HTTPAddress(text) {
    _ = (address.shown, address.path)
    _ = address.resolving("a/b?c")
  }
  _ = HTTPAddress("https://name:word@host:1/a/b?c#d")?.resolving(text)
  return 0
}
