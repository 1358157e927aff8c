/// The directions that head-related responses are kept for: every five degrees around, every ten up
/// and down.
///
/// As a `SoundAsset` they have a channel for each ear of each direction, the left one first.
package enum HeadGrid {
  package static var azimuthCount: Int { @_noLocks get { 72 } }
  package static var elevationCount: Int { @_noLocks get { 19 } }
  package static let directionCount = azimuthCount * elevationCount
  package static let channelCount = 2 * directionCount

  /// In degrees: to the right from the front, and up.
  package static func direction(_ index: Int) -> (azimuth: Double, elevation: Double) {
    (Double(index % azimuthCount * 5), Double(index / azimuthCount * 10 - 90))
  }
}
