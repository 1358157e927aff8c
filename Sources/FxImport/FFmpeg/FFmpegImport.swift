import FxChain
import FxKit
import FxNodes

/// Reads a list of audio filters of ffmpeg: `highpass=f=80,acompressor=threshold=0.1`.
///
/// Source: FFmpeg 5.1, as docs/import/ffmpeg.md names its files.
struct FFmpegImport {
  private(set) var filters: [SourceValue] = []
  private(set) var graph = ChainGraph()

  init(_ text: String, _ importing: Importing) {
    var path = SignalPath(width: 2)
    var isStereo = false
    for description in FFmpegFilter.split(text, at: ",") {
      let source = SourceValue(.scalar(description), line: 1, path: description)
      filters.append(source)
      let filter = FFmpegFilter(description, source, importing)
      let width = path.width
      filter.add(to: &path)
      isStereo = isStereo || filter.namesChannels || path.width != width
      source.settle()
    }
    graph = path.graph()
    if isStereo { graph.channels = 2 }
  }
}
