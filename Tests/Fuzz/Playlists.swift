/// Playlists of every kind, and what their entries name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  let kinds: [Playlist.Kind] = [.m3u, .pls, .xspf]
  let name = ["list.m3u", "list.pls", "list.xspf", "list"][Int(first >> 2) % 4]
  let kind = Playlist.kind(of: Array(rest.prefix(512)), name: name) ?? kinds[Int(first) % 3]
  guard let playlist = try? Playlist(rest, kind) else { return 0 }
  guard let base = HTTPAddress("http://host/folder/list?x=1") else { return 0 }
  for entry in playlist.entries {
    precondition(!entry.reference.isEmpty)
    if case .file? = PlaylistPlace.address(base).resolved(entry) {
      fatalError("a server names a file: \(entry.reference)")
    }
    if case .file(let path)? = PlaylistPlace.folder("music/").resolved(entry) {
      precondition(!path.utf8.contains(0) && !path.isEmpty && path != "-")
    }
  }
  precondition(playlist.entries.count <= Playlist.entryLimit)
  return 0
}
