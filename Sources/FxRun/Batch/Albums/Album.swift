import FxAudio
import FxKit
import FxMedia

/// The jobs that are measured as one, over all shards.
struct Album: Sendable, Equatable {
  /// The name in messages and records.
  let name: String
  /// Places in the list of all jobs, in its order.
  let jobs: [Int]
}

/// What makes an album of files.
enum AlbumGrouping: String, CaseIterable, Sendable {
  /// The files of one folder.
  case folder
  /// The files with the same album and album artist in their tags. Files without an album are
  /// grouped by folder.
  case tag
  /// Each file is measured alone.
  case track

  /// The albums of some jobs, in the order of their first tracks.
  ///
  /// - Parameter tags: tags that the request gives to every output.
  func albums(_ jobs: [BatchJob], tags: [String: String]) -> [Album] {
    var folders: [PathKey: String] = [:]
    var members: [Key: [Int]] = [:]
    var order: [(key: Key, name: String)] = []
    for (place, job) in jobs.enumerated() {
      let (key, name) = identity(job, place, tags, &folders)
      if members[key] == nil { order.append((key, name)) }
      members[key, default: []].append(place)
    }
    return order.map { Album(name: $0.name, jobs: members[$0.key] ?? []) }
  }

  private enum Key: Hashable {
    case folder(PathKey)
    case tag(String, String)
    case track(Int)
  }

  private func identity(
    _ job: BatchJob, _ place: Int, _ tags: [String: String], _ folders: inout [PathKey: String]
  ) -> (Key, String) {
    if self == .track { return (.track(place), job.file.path) }
    if self == .tag, let found = tagged(job, tags) { return found }
    let slash = job.file.path.lastIndex(of: "/")
    let folder = slash.map { String(job.file.path[..<$0]) } ?? "."
    let given = PathKey(folder.isEmpty ? "/" : folder)
    let real = folders[given] ?? BatchSearch.real(given.path)
    folders[given] = real
    return (.folder(PathKey(real)), given.path)
  }

  private func tagged(_ job: BatchJob, _ requested: [String: String]) -> (Key, String)? {
    var tags = job.raw == nil ? SoundInspector.tags(of: job.file.path) : SoundTags()
    for (key, text) in requested.merging(job.tags, uniquingKeysWith: { $1 }) {
      tags.set(key, to: text)
    }
    guard let album = tags["album"], !album.isEmpty else { return nil }
    let artist = tags["albumartist"] ?? ""
    return (.tag(album, artist), artist.isEmpty ? album : "\(artist) – \(album)")
  }
}
