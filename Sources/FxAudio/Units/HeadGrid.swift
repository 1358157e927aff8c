/// The directions of the stored head-related responses: every 5 degrees of azimuth, every 10 of
/// elevation.
///
/// As a `SoundAsset` they have one channel for each ear of each direction, the left ear first.
package enum HeadGrid {
  package static var azimuthCount: Int { @_noLocks get { 72 } }
  package static var elevationCount: Int { @_noLocks get { 19 } }
  package static let directionCount = azimuthCount * elevationCount
  package static let channelCount = 2 * directionCount

  /// In degrees: azimuth to the right from the front, and elevation upwards.
  package static func direction(_ index: Int) -> (azimuth: Double, elevation: Double) {
    (Double(index % azimuthCount * 5), Double(index / azimuthCount * 10 - 90))
  }
}
