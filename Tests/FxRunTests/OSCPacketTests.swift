import Glibc
import Testing

@testable import FxRun

@Suite struct OSCPacketTests {
  @Test func `a message is the bytes of the specification`() throws {
    let message = OSCMessage("/oscillator/4/frequency", [.float(440)])
    let bytes: [UInt8] = Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xdc, 0, 0]
    #expect(message.bytes == bytes)
    #expect(try OSCPacket(bytes) == .message(message))
  }

  @Test func `each kind of argument is read as it was written`() throws {
    let message = OSCMessage(
      "/a",
      [
        .integer(-3), .float(0.5), .double(1e300), .text("schön"), .text(""), .flag(true),
        .flag(false), .bytes([1, 2, 3]), .bytes([]), .nothing,
      ])
    #expect(try OSCPacket(message.bytes) == .message(message))
  }

  @Test func `a bundle has a time and packets`() throws {
    let inner = OSCMessage("/b", [.integer(1)]).bytes
    let time = OSCTime(seconds: 1_700_000_000.25)
    var bytes = Array("#bundle\0".utf8) + OSCMessage.bytes(of: time.bits)
    for _ in 0..<2 { bytes += OSCMessage.bytes(of: UInt32(inner.count)) + inner }
    let message = OSCPacket.message(OSCMessage("/b", [.integer(1)]))
    #expect(try OSCPacket(bytes) == .bundle(time, [message, message]))
    #expect(abs(time.seconds - 1_700_000_000.25) < 1e-6)
  }

  @Test func `damaged packets are refused and none ends the program`() {
    var random = SystemRandomNumberGenerator()
    let whole = OSCMessage("/comp/threshold", [.float(1), .text("x"), .bytes([1, 2])]).bytes
    let bundle =
      Array("#bundle\0".utf8) + OSCMessage.bytes(of: UInt64(1))
      + OSCMessage.bytes(of: UInt32(whole.count)) + whole
    for length in 0..<bundle.count where length != 16 {
      #expect(throws: OSCMistake.self) { try OSCPacket(bundle.prefix(length)) }
    }
    for _ in 0..<2000 {
      var bytes = Bool.random() ? whole : bundle
      for _ in 0..<Int.random(in: 1...4) {
        bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? OSCPacket(bytes)
    }
  }

  @Test func `bundles within bundles have a limit`() {
    var bytes = OSCMessage("/a").bytes
    for _ in 0..<12 {
      bytes =
        Array("#bundle\0".utf8) + OSCMessage.bytes(of: UInt64(1))
        + OSCMessage.bytes(of: UInt32(bytes.count)) + bytes
    }
    #expect(throws: OSCMistake.self) { try OSCPacket(bytes) }
  }

  @Test(arguments: [
    ("/mix/*/gain", "/mix/voice/gain", true), ("/mix/*", "/mix/voice/gain", false),
    ("/mix/voic?/gain", "/mix/voice/gain", true), ("/ch[1-3]/gain", "/ch2/gain", true),
    ("/ch[!1-3]/gain", "/ch2/gain", false), ("/{comp,gate}/threshold", "/gate/threshold", true),
    ("/{comp,gate}/{ratio,knee}", "/gate/threshold", false), ("/comp/ratio", "/comp/ratio", true),
    ("/comp/rat", "/comp/ratio", false),
  ])
  func `a pattern stands for addresses`(_ pattern: String, _ address: String, _ fits: Bool) {
    #expect(OSCPattern(pattern).matches(address) == fits)
  }

  @Test(arguments: ["", "x", "0", "70000", ":9", "host:9000", "1.2.3.4:", "[::1]"])
  func `an address that is none is refused`(_ text: String) {
    #expect(throws: (any Error).self) { try OSCAddress(text).bound(SOCK_DGRAM) }
  }
}
