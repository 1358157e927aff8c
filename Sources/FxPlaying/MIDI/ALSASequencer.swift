import CALSA
import CRealtime
import FxAudio
import Glibc

/// The ALSA sequencer of the kernel.
final class ALSASequencer: SequencerConnection, @unchecked Sendable {
  // Sendable: alsa-lib's calls for ports and connections store nothing in the handle, and only one
  // thread reads events.
  private let sequencer: OpaquePointer
  private let decoder: OpaquePointer
  private let descriptor: Int32

  /// - Parameter input: the name of the MIDI input, for the error message.
  init(for input: String) throws(Failure) {
    _ = fx_alsa_silence()
    var opened: OpaquePointer?
    let code = snd_seq_open(&opened, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK)
    guard code == 0, let opened else {
      throw .midiInput(input, "cannot be opened: \(Self.openingReason(code))")
    }
    var decoder: OpaquePointer?
    guard snd_midi_event_new(16, &decoder) == 0, let decoder else {
      snd_seq_close(opened)
      throw .midiInput(input, "cannot be opened: out of memory")
    }
    // From now on `deinit` closes both.
    sequencer = opened
    self.decoder = decoder
    descriptor = fx_alsa_sequencer_descriptor(opened)
    snd_seq_set_client_name(sequencer, "fxrun")
    // The largest queue that the kernel keeps for a slow client.
    snd_seq_set_client_pool_input(sequencer, 2000)
    snd_midi_event_no_status(decoder, 1)
  }

  deinit {
    snd_midi_event_free(decoder)
    snd_seq_close(sequencer)
  }

  private static func openingReason(_ code: Int32) -> String {
    switch code {
    case -ENOENT, -ENODEV, -ENXIO:
      "the system has no MIDI sequencer; 'modprobe snd-seq' loads it"
    case -EACCES, -EPERM: "no permission; the user must be in the group 'audio'"
    default: ALSALibrary.message(code)
    }
  }

  func openPort(_ name: String) -> Int32 {
    snd_seq_create_simple_port(
      sequencer, name,
      UInt32(SND_SEQ_PORT_CAP_WRITE) | UInt32(SND_SEQ_PORT_CAP_SUBS_WRITE),
      UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC) | UInt32(SND_SEQ_PORT_TYPE_APPLICATION))
  }

  func subscribeToAnnouncements() {
    let port = snd_seq_create_simple_port(
      sequencer, "announcements",
      UInt32(SND_SEQ_PORT_CAP_WRITE) | UInt32(SND_SEQ_PORT_CAP_NO_EXPORT),
      UInt32(SND_SEQ_PORT_TYPE_APPLICATION))
    guard port >= 0 else { return }
    snd_seq_connect_from(
      sequencer, port, SND_SEQ_CLIENT_SYSTEM, SND_SEQ_PORT_SYSTEM_ANNOUNCE)
  }

  func address(of sender: String) -> (address: SequencerAddress, code: Int32) {
    var address = snd_seq_addr_t()
    let code = snd_seq_parse_address(sequencer, &address, sender)
    return (SequencerAddress(client: address.client, port: address.port), code)
  }

  func connect(_ port: Int32, from address: SequencerAddress) -> Int32 {
    let code = snd_seq_connect_from(
      sequencer, port, Int32(address.client), Int32(address.port))
    return code == -EBUSY ? 0 : code
  }

  func disconnect(_ port: Int32, from address: SequencerAddress) {
    snd_seq_disconnect_from(sequencer, port, Int32(address.client), Int32(address.port))
  }

  func wait(milliseconds: Int32) -> Bool {
    fx_wait_readable(descriptor, milliseconds) != 0
  }

  func next() -> SequencerEvent? {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    let code = snd_seq_event_input(sequencer, &event)
    if code == -ENOSPC { return .overrun }
    guard code >= 0, let event else {
      // Avoids a busy loop when the call fails at once.
      if code != -EAGAIN { usleep(1000) }
      return nil
    }
    let address = event.pointee.data.addr
    switch snd_seq_event_type(UInt32(event.pointee.type)) {
    case SND_SEQ_EVENT_CLIENT_START, SND_SEQ_EVENT_CLIENT_CHANGE, SND_SEQ_EVENT_PORT_START,
      SND_SEQ_EVENT_PORT_CHANGE:
      return .appeared
    case SND_SEQ_EVENT_CLIENT_EXIT: return .disappeared(client: address.client, port: nil)
    case SND_SEQ_EVENT_PORT_EXIT:
      return .disappeared(client: address.client, port: address.port)
    default:
      guard let bytes = bytes(of: event) else { return .other }
      return .message(port: Int32(event.pointee.dest.port), bytes)
    }
  }

  /// The bytes of a channel message or a MIDI clock message; nil for any other event.
  private func bytes(of event: UnsafePointer<snd_seq_event_t>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = snd_midi_event_decode(decoder, &bytes, bytes.count, event)
    guard (1...3).contains(count),
      (0x80...0xef).contains(bytes[0]) || [0xf2, 0xf8, 0xfa, 0xfb, 0xfc].contains(bytes[0])
    else { return nil }
    return Array(bytes.prefix(count))
  }
}

extension Failure {
  static func midiInput(_ name: String, _ message: String) -> Failure {
    Failure(.deviceUnavailable, name, "the MIDI input '\(name)' \(message)")
  }
}
