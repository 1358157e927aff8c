import FxAudio
import Testing

/// The MIDI that a unit of one's own gets.
struct MIDIInputTests {
  /// The messages of consecutive blocks, with their frames on the timeline.
  private func messages(
    _ events: [MIDIEvent], from start: Int = 0, blocks: [Int], others: [(Int, [UInt8])] = []
  ) -> [MIDIEvent] {
    var preparation = Preparation(
      sampleRate: 48000, maximumFrameCount: 4096, inputWidths: [], outputWidths: [1])
    preparation.events = events
    var input = MIDIInput(preparation)
    var found: [MIDIEvent] = []
    var frame = start
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: EventBuffer.byteCount(capacity: 4096), alignment: 8)
    defer { memory.deallocate() }
    let buffer = EventBuffer(at: memory, capacity: 4096)
    for (index, count) in blocks.enumerated() {
      var block = silentBlock(count, at: frame)
      if index == 0 {
        for (place, bytes) in others {
          _ = buffer.append(
            EventHeader(frame: place, type: EventHeader.midi, port: 0, size: bytes.count), bytes)
        }
        block.events = buffer.list
      }
      input.begin(block)
      while var event = input.next() {
        #expect((0..<count).contains(event.frame))
        event.frame += frame
        found.append(event)
      }
      frame += count
    }
    return found
  }

  private func silentBlock(_ frameCount: Int, at frame: Int) -> RenderBlock {
    // Nothing reads the channels.
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { none in
      let inputs = none.bindMemory(to: UnsafePointer<Float>.self)
      let outputs = none.bindMemory(to: UnsafeMutablePointer<Float>.self)
      let parameters = none.bindMemory(to: ParameterSignal.self)
      guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress,
        let parameters = parameters.baseAddress
      else { fatalError("a temporary allocation has an address") }
      return RenderBlock(
        inputs: inputs, inputCount: 0, outputs: outputs, outputCount: 0, frameCount: frameCount,
        frame: frame, parameters: parameters)
    }
  }

  private func at(_ frame: Int, _ event: MIDIEvent) -> MIDIEvent {
    MIDIEvent(frame: frame, bytes: event.bytes, size: event.size)
  }

  @Test func `known messages arrive at their frames for every split into blocks`() {
    let events = [
      at(0, .noteOn(60)), at(63, .controller(1, 9)), at(64, .noteOn(64)), at(199, .noteOff(60)),
    ]
    for blocks in [[200], [64, 64, 64, 8], [1] + Array(repeating: 7, count: 29)] {
      #expect(messages(events, blocks: blocks) == events)
    }
  }

  @Test func `a start in the middle gets the settings that hold there, and no old notes`() {
    let events = [
      at(0, .noteOn(60)), at(10, .controller(7, 20)), at(20, .controller(7, 90)),
      at(30, MIDIEvent(frame: 0, bytes: (0xc0, 5, 0), size: 2)), at(150, .noteOff(60)),
    ]
    #expect(
      messages(events, from: 100, blocks: [100]) == [
        at(100, .controller(7, 90)),
        at(100, MIDIEvent(frame: 0, bytes: (0xc0, 5, 0), size: 2)), at(150, .noteOff(60)),
      ])
  }

  @Test func `messages of other nodes are sorted in`() {
    let found = messages(
      [at(10, .noteOn(60)), at(20, .noteOn(62))], blocks: [64],
      others: [
        (5, [0x90, 40, 1]), (10, [0xb0, 1, 2]), (10, [0xe0, 0, 64]), (99, [0x80, 40, 0]),
      ])
    #expect(found.map(\.frame) == [5, 10, 10, 10, 20, 63])
    #expect(found.map(\.bytes.0) == [0x90, 0xb0, 0x90, 0xe0, 0x90, 0x80])
  }

  @Test func `too many messages for a block follow in the next one`() {
    let events = (0..<1500).map { at(3, .controller(UInt8($0 & 127), UInt8($0 >> 7))) }
    let found = messages(events, blocks: [10, 10, 10])
    #expect(found.map(\.bytes.1) == events.map(\.bytes.1))
    #expect(Set(found.map(\.frame)) == [3, 10, 20])
  }

  @Test func `messages are read`() {
    func meaning(_ bytes: (UInt8, UInt8, UInt8)) -> String {
      "\(MIDIEvent(frame: 0, bytes: bytes, size: 3).meaning)"
    }
    #expect(meaning((0x93, 60, 100)) == "noteOn(note: 60, velocity: 100)")
    #expect(meaning((0x90, 60, 0)) == "noteOff(note: 60, velocity: 64)")
    #expect(meaning((0x80, 60, 1)) == "noteOff(note: 60, velocity: 1)")
    #expect(meaning((0xe0, 0, 0)) == "pitchBend(-1.0)")
    #expect(meaning((0xe0, 0, 64)) == "pitchBend(0.0)")
    #expect(meaning((0xe0, 127, 127)) == "pitchBend(1.0)")
    #expect(meaning((0xb0, 64, 127)) == "controller(number: 64, value: 127)")
    #expect(meaning((0xc0, 5, 0)) == "program(5)")
    #expect(meaning((0xd0, 5, 0)) == "pressure(5)")
    #expect(meaning((0xf8, 0, 0)) == "other")
    #expect(MIDIEvent(frame: 0, bytes: (0x93, 60, 100), size: 3).channel == 3)
  }
}
