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
    if let playlist = try playlist(reader, name: address.path, stream.contentType) {
      return try PlaylistSource(
        playlist, at: .address(address), name: address.shown,
        within: try lists.adding(.address(address)), settings, monitor)
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
    guard let playlist = try playlist(reader, name: path) else {
      return try open(reader, isReadTwice: isReadTwice)
    }
    return try PlaylistSource(
      playlist, at: .folder(PartialName.split(path).folder), name: path,
      within: try lists.adding(.file(path)), settings, monitor)
  }

  /// The files of this machine that a playlist or a CUE sheet names; empty for any other file.
  package static func paths(in path: String, depth: Int = 0) -> [String] {
    guard depth < 4, path != "-", HTTPAddress(path) == nil, isRegularFile(path),
      let stream = try? openStream(path: path, nil)
    else { return [] }
    if let sheet = try? CueFiles.read(path) { return sheet.paths }
    guard let playlist = try? playlist(ByteReader(stream), name: path) else { return [] }
    let place = PlaylistPlace.folder(PartialName.split(path).folder)
    return playlist.entries.flatMap { entry -> [String] in
      guard case .file(let file)? = place.resolved(entry) else { return [] }
      return [file] + paths(in: file, depth: depth + 1)
    }
  }

  /// The playlist in a stream; nil if it is not a playlist.
  private static func playlist(
    _ reader: ByteReader, name: some StringProtocol, _ contentType: String = ""
  ) throws(Failure) -> Playlist? {
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
    do throws(Failure) {
      return try Playlist(bytes, kind)
    } catch {
      throw Failure(error.code, reader.name, error.message)
    }
  }
}
