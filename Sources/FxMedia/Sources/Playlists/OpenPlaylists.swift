import FxAudio
import Glibc

/// A playlist and the playlists that contain it, outermost first.
struct OpenPlaylists {
  private enum Identity: Hashable {
    case file(FileIdentity)
    case target(PlaylistTarget)
  }

  private var identities: [Identity] = []

  /// The deepest nesting of playlists.
  private static let depthLimit = 4

  /// Adds a playlist that one of these contains.
  ///
  /// - Throws: `Failure` if it is already among them: it would be opened endlessly.
  func adding(_ target: PlaylistTarget) throws(Failure) -> OpenPlaylists {
    let identity = Self.identity(of: target)
    guard !identities.contains(identity) else {
      throw Failure(
        .unsupportedFormat, target.shown,
        "this playlist names itself, or a playlist in it names it again")
    }
    guard identities.count < Self.depthLimit else {
      throw Failure(
        .unsupportedFormat, target.shown,
        "playlists name each other more than \(Self.depthLimit) deep")
    }
    var lists = self
    lists.identities.append(identity)
    return lists
  }

  /// One file can have many paths.
  private static func identity(of target: PlaylistTarget) -> Identity {
    guard case .file(let path) = target, let file = FileIdentity(path: path) else {
      return .target(target)
    }
    return .file(file)
  }
}
