import Glibc
import Testing

/// Requests to a chain that plays in another process, on ALSA's null device.
@Suite struct ControlTests {
  private let folder = Folder()

  private static let chain = #"""
    { "version": 1, "sampleRate": 48000, "chain": [
      { "source": "null" }, { "id": "comp", "unit": "compressor" }, { "unit": "gain" },
      { "sink": { "alsa": "null" } } ] }
    """#

  private var socket: String { folder.file("control.sock") }

  /// Plays while `body` sends requests.
  private func playing(_ body: () throws -> Void) throws -> Program.Outcome {
    try folder.write("chain.json", Self.chain)
    let program = try Program(
      ["chain.json", "--control", socket, "--quiet"], in: folder.path)
    for _ in 0..<1000 where !folder.names.contains("control.sock") { usleep(10_000) }
    do {
      try body()
    } catch {
      program.signal(SIGTERM)
      throw error
    }
    program.signal(SIGTERM)
    return try program.finish(limit: 30)
  }

  private func ask(_ words: String..., input: String? = nil) throws -> Program.Outcome {
    try Program.run(
      ["control", socket] + words, in: folder.path,
      input: input.map { .bytes(Array($0.utf8)) } ?? .nothing, limit: 30)
  }

  @Test func `requests in words are carried out or refused`() throws {
    let outcome = try playing {
      #expect(try ask("get", "comp.ratio").text == "4\n")
      let set = try ask("set", "comp.threshold", "-20dB", "0.1")
      #expect(set.exitCode == 0 && set.text.isEmpty && set.errorText.isEmpty)
      #expect(try ask("get", "comp.threshold").text == "-20\n")
      #expect(try ask("bypass", "comp").text == "on\n")
      #expect(try ask("status").text.contains("bypassed       comp\n"))
      #expect(try ask("mute", "gain", "on").text == "on\n")
      #expect(try ask("get", "gain.gain").text == "-inf\n")
      #expect(try ask("list").text.contains("comp.threshold"))
      let unknown = try ask("get", "comp.treshold")
      #expect(unknown.exitCode == 64)
      #expect(unknown.errorText.contains("did you mean 'threshold'?"))
      #expect(try ask("load", "nothing.json").exitCode == 2)
      #expect(try ask("sing").exitCode == 64)
      #expect(try ask("set", "comp.threshold").exitCode == 64)
      let second = try folder.run("chain.json", "--control", socket, "--json")
      #expect(second.exitCode == 64)
      #expect(try JSONValue(second.output)["error"]["code"].text == "address-in-use")
    }
    #expect(outcome.exitCode == 0)
    #expect(!folder.names.contains("control.sock"))
    #expect(try ask("status").exitCode == 6)
  }

  /// Sends bytes as a client. Returns the answer, or an empty text if the client leaves at once.
  private func send(_ text: String, leaving: Bool) throws -> String {
    let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
    }
    try #require(code == 0)
    try #require(Glibc.send(client, text, text.utf8.count, 0) == text.utf8.count)
    guard !leaving else { return "" }
    shutdown(client, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while recv(client, &byte, 1, 0) == 1 { answer.append(byte) }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test func `an unfinished line is a request if its client waits for the answer`() throws {
    let request = #"{"set":"comp.ratio","to":8}"#
    _ = try playing {
      let unanswered = try send(request, leaving: true)
      #expect(unanswered.isEmpty)
      #expect(try ask("get", "comp.ratio").text == "4\n")
      let answer = try send(request, leaving: false)
      #expect(answer == "{\"ok\":true}\n")
      #expect(try ask("get", "comp.ratio").text == "8\n")
      _ = try send(#"{"set":"comp.ratio","to":2}"# + "\n", leaving: true)
      #expect(try ask("get", "comp.ratio").text == "2\n")
    }
  }

  @Test func `each line is answered by an object, in order`() throws {
    _ = try playing {
      let lines = try ask(
        input: """
          {"id":1,"get":"comp.ratio"}
          nonsense
          {"id":"two","set":"comp.ratio","to":"3:1"}
          {"id":3,"get":"comp.ratio"}
          {
          {"get":"comp.ratio","seconds":1}
          """)
      let answers = try lines.text.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
      try #require(answers.count == 5)
      #expect(answers[0] == .object(["id": .number(1), "value": .number(4)]))
      #expect(answers[1]["ok"] == .bool(true) && answers[1]["id"].text == "two")
      #expect(answers[2]["value"].number == 3)
      #expect(answers[3]["error"]["code"].text == "invalid-json")
      #expect(answers[4]["error"]["code"].text == "bad-request")
      #expect(lines.errorText.contains("there is no 'nonsense'"))
      #expect(lines.exitCode == 64)
    }
  }

  @Test func `a file render takes no control or log, and a live chain takes no replay`() throws {
    try folder.write("in.wav", Sound([[Float](repeating: 0.25, count: 100)]))
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "unit": "gain" }] }"#)
    for arguments in [
      ["--control", "here"], ["--log", "changes.jsonl"], ["--replay", "nothing.jsonl"],
    ] {
      let outcome = try Program.run(
        ["chain.json", "in.wav", "-o", "out.wav"] + arguments, in: folder.path)
      #expect(outcome.exitCode == (arguments[0] == "--replay" ? 4 : 64), "\(outcome.errorText)")
      #expect(!folder.names.contains("out.wav"))
    }
    try folder.write(
      "changes.jsonl",
      #"{"log":1,"program":"","chain":"","hash":"","sampleRate":44100,"blockSize":64,"startFrame":0}"#
    )
    try folder.write("live.json", Self.chain)
    let live = try folder.run("live.json", "--replay", "changes.jsonl")
    #expect(live.exitCode == 64)
    #expect(live.errorText.contains("give one with -o"))
  }
}
