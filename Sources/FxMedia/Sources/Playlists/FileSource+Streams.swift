package import FxAudio

/// Addresses and playlists.
extension FileSource {
  /// Opens a file, standard input (`-`), an HTTP address, or a playlist of these.
  package static func open(
    _ path: String, _ monitor: OpeningMonitor?, isReadTwice: Bool = false, _ streams: StreamSettings
  ) throws(Failure) -> any AudioSource {
    if let address = HTTPAddress(path) {
      return try open(address, streams, monitor, isReadTwice: isReadTwice)
    }
    guard path != "-", !path.utf8.contains(0) else {
      return try open(path, monitor, isReadTwice: isReadTwice)
    }
    return try open(
      try openStream(path: path, monitor), at: path, isReadTwice: isReadTwice, streams, monitor)
  }

  /// Opens an HTTP address.
  static func open(
    _ address: HTTPAddress, _ settings: StreamSettings, _ monitor: OpeningMonitor?,
    isReadTwice: Bool = false, within lists: OpenPlaylists = OpenPlaylists()
  ) throws(Failure) -> any AudioSource {
    let stream = try HTTPStream(address, settings, monitor)
    let reader = ByteReader(stream)
    if let list = try list(reader, name: address.path, stream.contentType) {
      return try open(list, at: .address(address), within: lists, settings, monitor)
    }
    // A sound that is read twice is only downloaded once.
    if isReadTwice { return try open(reader, isReadTwice: true) }
    return StreamedSource(try open(reader), stream, settings.news)
  }

  /// Opens a file or a playlist.
  static func open(
    _ stream: any ByteStream, at path: String, isReadTwice: Bool = false,
    within lists: OpenPlaylists = OpenPlaylists(), _ settings: StreamSettings,
    _ monitor: OpeningMonitor?
  ) throws(Failure) -> any AudioSource {
    let reader = ByteReader(stream)
    if Playlist.kind(of: try reader.peek(Playlist.probeLength), name: path) == .cue {
      return try CueFiles(try reader.peek(CueSheet.byteLimit + 1), path: path).open(monitor)
    }
    guard let list = try list(reader, name: path) else {
      return try open(reader, isReadTwice: isReadTwice)
    }
    return try open(list, at: .file(path), within: lists, settings, monitor)
  }

  /// The bytes of a list and its kind.
  private typealias List = (bytes: [UInt8], kind: Playlist.Kind)

  private static func open(
    _ list: List, at target: PlaylistTarget, within lists: OpenPlaylists,
    _ settings: StreamSettings, _ monitor: OpeningMonitor?
  ) throws(Failure) -> any AudioSource {
    if let playlist = hls(list) {
      guard let variant = playlist.variant else {
        return try HLSSource(playlist, at: target, settings)
      }
      guard let best = target.place.resolved(Playlist.Entry(reference: variant)) else {
        throw Failure(
          .unsupportedFormat, target.shown, "its variant '\(variant)' is no file or http address")
      }
      guard let segments = try hls(at: best, settings, monitor), segments.variant == nil else {
        throw Failure(.damaged, best.shown, "this variant of an HLS stream has no list of segments")
      }
      return try HLSSource(segments, at: best, settings)
    }
    return try PlaylistSource(
      try playlist(list, name: target.shown), at: target.place, name: target.shown,
      within: try lists.adding(target), settings, monitor)
  }

  /// The HLS playlist at a file or an address; nil if it is none.
  static func hls(
    at target: PlaylistTarget, _ settings: StreamSettings, _ monitor: OpeningMonitor?
  ) throws(Failure) -> HLSPlaylist? {
    switch target {
    case .file(let path):
      return try list(ByteReader(try openStream(path: path, monitor)), name: path).flatMap(hls)
    case .address(let address):
      let stream = try HTTPStream(address, settings, monitor)
      return try list(ByteReader(stream), name: address.path, stream.contentType).flatMap(hls)
    }
  }

  private static func hls(_ list: List) -> HLSPlaylist? {
    list.kind == .m3u && list.bytes.count <= Playlist.byteLimit
      ? HLSPlaylist(Playlist.lines(list.bytes[...])) : nil
  }

  /// The files of this machine that a playlist, a CUE sheet or an HLS list names; empty for any other
  /// file.
  package static func paths(in path: String, depth: Int = 0) -> [String] {
    guard depth < 4, path != "-", HTTPAddress(path) == nil, isRegularFile(path),
      let stream = try? openStream(path: path, nil)
    else { return [] }
    if let sheet = try? CueFiles.read(path) { return sheet.paths }
    guard let list = try? list(ByteReader(stream), name: path),
      let playlist = try? playlist(list, name: path)
    else { return [] }
    let place = PlaylistPlace.folder(PartialName.split(path).folder)
    return playlist.entries.flatMap { entry -> [String] in
      guard case .file(let file)? = place.resolved(entry) else { return [] }
      return [file] + paths(in: file, depth: depth + 1)
    }
  }

  /// The list in a stream; nil if it is not a list.
  private static func list(
    _ reader: ByteReader, name: some StringProtocol, _ contentType: String = ""
  ) throws(Failure) -> List? {
    let start = try reader.peek(Playlist.probeLength)
    guard let kind = Playlist.kind(of: start, name: name, contentType: contentType) else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Playlist.byteLimit + 1)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { reader.readFully($0, buffer.count) } ?? 0
    }
    guard count >= 0, !reader.hasFailed else { throw reader.error }
    bytes.removeLast(bytes.count - count)
    return (bytes, kind)
  }

  private static func playlist(_ list: List, name: String) throws(Failure) -> Playlist {
    do throws(Failure) {
      return try Playlist(list.bytes, list.kind)
    } catch {
      throw Failure(error.code, name, error.message)
    }
  }
}
