package import FxAudio

/// The sound files of a CUE sheet in a folder.
package struct CueFiles {
  package let sheet: CueSheet
  /// The path of the sheet.
  package let path: String
  /// The paths of its files, in order.
  package private(set) var paths: [String] = []
  /// Files that have another name than the sheet says.
  package private(set) var warnings: [String] = []

  /// Formats in the order in which a file with the sheet's base name is taken: without loss first.
  private static let extensions = [
    "wav", "flac", "aiff", "aif", "w64", "caf", "wv", "ape", "m4a", "bin", "opus", "ogg", "mp3",
    "aac", "wma", "mka",
  ]

  /// - Throws: `Failure` for a sheet that is damaged, or has no file, or whose files are missing.
  package init(_ bytes: [UInt8], path: String) throws(Failure) {
    self.path = path
    do throws(Failure) {
      sheet = try CueSheet(bytes)
    } catch {
      throw Failure(error.code, path, error.message)
    }
    guard !sheet.files.isEmpty else { throw Failure(.damaged, path, "the CUE sheet has no FILE") }
    let folder = PartialName.split(path).folder
    for file in sheet.files {
      let (found, warning) = try Self.resolved(file, in: folder, sheet, path)
      paths.append(found)
      if let warning { warnings.append(warning) }
    }
  }

  /// The sheet at a path; nil if it is none.
  package static func read(_ path: String) throws(Failure) -> CueFiles? {
    guard path != "-", HTTPAddress(path) == nil, isRegularFile(path) else { return nil }
    let reader = ByteReader(try FileSource.byteStream(path))
    guard Playlist.kind(of: try reader.peek(Playlist.probeLength), name: path) == .cue else {
      return nil
    }
    return try CueFiles(try reader.peek(CueSheet.byteLimit + 1), path: path)
  }

  /// The sound: that of the file, or those of the files one after another.
  func open(_ monitor: OpeningMonitor?) throws(Failure) -> any AudioSource {
    let source =
      paths.count == 1 ? try open(0, monitor) : try SheetSource(self, monitor) as any AudioSource
    return warnings.isEmpty ? source : RemarkedSource(source, warnings.map { "\(path): \($0)" })
  }

  /// A file of the sheet. One that is a copy of a disc has no header.
  func open(_ index: Int, _ monitor: OpeningMonitor?) throws(Failure) -> any AudioSource {
    let codings = ["BINARY": "s16le,44100,2", "MOTOROLA": "s16be,44100,2"]
    let raw = codings[sheet.files[index].kind].flatMap { text in
      Self.isHeaderless(paths[index]) ? try? RawFormat(text) : nil
    }
    return try FileSource.open(paths[index], raw: raw, monitor)
  }

  /// The tags of the sheet: its texts, and its tracks as chapters. The cover is that of the first file.
  func tags() throws(Failure) -> SoundTags {
    var tags = SoundInspector.tags(of: paths[0])
    if paths.count > 1 { tags.texts = [:] }
    tags.texts.merge(sheet.texts.mapValues { [$0] }) { $1 }
    let starts = paths.count == 1 ? [0] : try SheetSource(self, nil).fileStarts
    tags.chapters = sheet.chapters(fileStarts: starts)
    return tags
  }

  private static func isHeaderless(_ path: String) -> Bool {
    guard let stream = try? FileSource.byteStream(path),
      let start = try? ByteReader(stream).peek(DecoderKind.probeLength)
    else { return false }
    return DecoderCatalogue.isUnknown(start)
  }

  private static func resolved(
    _ file: CueSheet.File, in folder: String, _ sheet: CueSheet, _ path: String
  ) throws(Failure) -> (path: String, warning: String?) {
    let reference = file.reference.replacing("\\", with: "/")
    let isAbsolute = reference.hasPrefix("/") || reference.dropFirst().hasPrefix(":/")
    if reference.hasPrefix("/"), isRegularFile(reference) { return (reference, nil) }
    let named = folder + (isAbsolute ? PartialName.split(reference).name : reference)
    if isRegularFile(named) { return (named, nil) }
    let (place, name) = PartialName.split(named)
    let names = FileTree.names(place.isEmpty ? "." : place).sorted()
    if let other = names.first(where: { $0.lowercased() == name.lowercased() }) {
      return (place + other, nil)
    }
    var stems = [PartialName(name).stem]
    if sheet.files.count == 1 { stems.append(PartialName(PartialName.split(path).name).stem) }
    for stem in stems {
      for end in extensions {
        guard let other = names.first(where: { $0.lowercased() == "\(stem).\(end)".lowercased() })
        else { continue }
        return (place + other, "it names '\(file.reference)', which is missing; \(other) is taken")
      }
    }
    throw Failure(
      .notFound, path,
      "line \(file.line): there is no file '\(ForeignText.visible(file.reference))', and none of "
        + "this name in another format; put it beside the sheet, or correct the line")
  }
}
