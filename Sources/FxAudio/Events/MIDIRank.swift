/// The order of MIDI messages from several inputs at the same frame: channel settings first, then
/// note ends, note starts, pressures and pitch bends.
package enum MIDIRank {
  // MARK: - Realtime

  /// Controllers 0, program changes 1, note ends 2, note starts 3, pressures 4, pitch bends 5, all
  /// else 6.
  @_noLocks
  package static func rank(_ status: UInt8, _ velocity: UInt8) -> Int {
    switch status & 0xf0 {
    case 0xb0: 0
    case 0xc0: 1
    case 0x80: 2
    case 0x90: velocity == 0 ? 2 : 3
    case 0xa0, 0xd0: 4
    case 0xe0: 5
    default: 6
    }
  }
}
