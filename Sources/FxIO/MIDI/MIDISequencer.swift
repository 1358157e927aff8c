import CALSA
import CRealtime
package import FxAudio
import Glibc
import Synchronization

/// MIDI inputs of this process on the ALSA sequencer, and the thread that listens to them.
///
/// Each message goes with the time of its arrival into the inbox of its port, or to its listener.
package final class MIDISequencer: @unchecked Sendable {
  // Sendable: what is not atomic is set up before the thread starts and freed after it has ended.

  /// Told of a channel message: its status, its data (0 where it has none) and the time of its
  /// arrival, in seconds of the monotonic clock. Called on the sequencer's thread.
  package typealias Listener = @Sendable (UInt8, UInt8, UInt8, Double) -> Void

  /// An input and who is told what comes in.
  package struct Input: Sendable {
    package enum Destination: Sendable {
      case inbox(MIDIInbox)
      case listener(Listener)
    }

    package var name: String
    /// `client:port`, by names or numbers; nil for no connection.
    package var sender: String?
    package var destination: Destination

    package init(name: String, sender: String?, inbox: MIDIInbox) {
      self.name = name
      self.sender = sender
      destination = .inbox(inbox)
    }

    /// An input for what is to be heard off the render thread: controls, learning.
    package init(name: String, sender: String?, listener: @escaping Listener) {
      self.name = name
      self.sender = sender
      destination = .listener(listener)
    }
  }

  private let sequencer: OpaquePointer
  private let decoder: OpaquePointer
  private var destinations: [Int32: Input.Destination] = [:]
  private let isStopping = Atomic<Bool>(false)
  private var thread: WorkerThread?

  /// Opens the inputs, connects them to their senders and starts to listen.
  package init(_ inputs: [Input]) throws(IOError) {
    let name = inputs.first?.name ?? "MIDI"
    _ = fx_alsa_silence()
    var opened: OpaquePointer?
    let code = snd_seq_open(&opened, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK)
    guard code == 0, let opened else {
      let hint = code == -ENOENT ? "; load the kernel's module snd-seq" : ""
      throw MIDISequencer.failure(name, "cannot be opened: \(MIDISequencer.message(code))\(hint)")
    }
    sequencer = opened
    snd_seq_set_client_name(sequencer, "fxrun")
    var made: OpaquePointer?
    guard snd_midi_event_new(16, &made) == 0, let made else {
      snd_seq_close(sequencer)
      throw MIDISequencer.failure(name, "cannot be opened: out of memory")
    }
    decoder = made
    snd_midi_event_no_status(decoder, 1)
    do throws(IOError) {
      for input in inputs { try open(input) }
      try start(name)
    } catch {
      close()
      throw error
    }
  }

  deinit {
    stop()
    close()
  }

  /// Stops listening.
  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
  }

  private func close() {
    snd_midi_event_free(decoder)
    snd_seq_close(sequencer)
  }

  private func open(_ input: Input) throws(IOError) {
    let port = snd_seq_create_simple_port(
      sequencer, input.name,
      UInt32(SND_SEQ_PORT_CAP_WRITE) | UInt32(SND_SEQ_PORT_CAP_SUBS_WRITE),
      UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC) | UInt32(SND_SEQ_PORT_TYPE_APPLICATION))
    guard port >= 0 else {
      throw MIDISequencer.failure(
        input.name, "cannot be opened: \(MIDISequencer.message(port))")
    }
    destinations[port] = input.destination
    guard let sender = input.sender else { return }
    var address = snd_seq_addr_t()
    guard snd_seq_parse_address(sequencer, &address, sender) == 0 else {
      throw MIDISequencer.failure(
        input.name, "finds no sender '\(sender)'; 'aconnect -i' lists them")
    }
    let code = snd_seq_connect_from(sequencer, port, Int32(address.client), Int32(address.port))
    guard code == 0 else {
      throw MIDISequencer.failure(
        input.name, "cannot be connected to '\(sender)': \(MIDISequencer.message(code))")
    }
  }

  private func start(_ name: String) throws(IOError) {
    let descriptor = fx_alsa_sequencer_descriptor(sequencer)
    var code: Int32 = 0
    // Above the render thread in nothing: it mostly sleeps, and what it hears is stamped.
    for priority in [LiveDriver.priority - 10, 0] {
      let thread = WorkerThread(priority: priority, failure: &code) { [unowned self] in
        while !isStopping.load(ordering: .relaxed) {
          if fx_wait_readable(descriptor, 50) != 0 { takeAll() }
        }
      }
      if let thread {
        self.thread = thread
        return
      }
    }
    throw MIDISequencer.failure(name, "has no thread: \(IOError.systemMessage(code))")
  }

  /// Hands over everything that has come in.
  private func takeAll() {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while true {
      let code = snd_seq_event_input(sequencer, &event)
      // After an overrun there is more; anything else is the end for now.
      if code == -ENOSPC { continue }
      guard code >= 0 else {
        if code != -EAGAIN { usleep(1000) }
        return
      }
      guard let event, let destination = destinations[Int32(event.pointee.dest.port)] else {
        continue
      }
      let time = fx_monotonic_seconds()
      if let bytes = MIDISequencer.bytes(of: event, decoder) {
        destination.send(bytes, at: time)
      }
    }
  }

  /// The channel message of an event, nil for any other.
  static func bytes(
    of event: UnsafePointer<snd_seq_event_t>, _ decoder: OpaquePointer
  ) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = snd_midi_event_decode(decoder, &bytes, bytes.count, event)
    guard (1...3).contains(count), (0x80...0xef).contains(bytes[0]) else { return nil }
    return Array(bytes.prefix(count))
  }

  private static func message(_ code: Int32) -> String {
    snd_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  private static func failure(_ name: String, _ message: String) -> IOError {
    IOError(.deviceUnavailable, name, "the MIDI input '\(name)' \(message)")
  }
}

extension MIDISequencer.Input.Destination {
  /// Hands over a message of one to three bytes.
  func send(_ bytes: [UInt8], at seconds: Double) {
    switch self {
    case .inbox(let inbox): inbox.send(bytes, at: seconds)
    case .listener(let listener):
      guard let status = bytes.first else { return }
      let data = bytes.dropFirst() + [0, 0]
      listener(status, data[1], data[2], seconds)
    }
  }
}
