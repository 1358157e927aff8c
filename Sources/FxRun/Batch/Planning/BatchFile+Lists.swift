import FxMedia

extension BatchFile {
  /// The files that it names, if it is a playlist or a CUE sheet. They are read with it: no output may
  /// replace them, and it has changed when one of them has.
  var named: [String] {
    // Opening ten thousand sounds to see that they are no lists takes time.
    guard raw == nil, !BatchSearch.endings.contains(ending.lowercased()) else { return [] }
    return FileSource.paths(in: path)
  }
}
