import FxAudio
package import FxKit

extension Drawing {
  /// A PNG file with two pixels for each unit. `auto` is light.
  ///
  /// - Throws: `ChainFailure` if there is not enough memory.
  package func png(_ theme: Theme) throws(ChainFailure) -> [UInt8] {
    let palette = theme == .dark ? Palette.dark : .light
    var raster = Raster(width: width, height: height, scale: 2)
    for item in items {
      switch item {
      case .rectangle(let place, let ink): raster.fill(place, palette.color(ink).channels)
      case .lines(let lines, let ink, let width):
        raster.stroke(lines, width: width, palette.color(ink).channels)
      case .text(let text):
        raster.stroke(
          StrokeFont.lines(text), width: text.size * (text.isBold ? 0.14 : 0.09),
          palette.color(text.ink).channels)
      case .picture(let pixels, let columns, let rows, let place):
        guard pixels.count == columns * rows else { continue }
        raster.draw(place, columns: columns, rows: rows) { column, row in
          let start = min(Int(pixels[row * columns + column]), ColorRamp.count - 1) * 3
          return SIMD3(
            Float(ColorRamp.bytes[start]), Float(ColorRamp.bytes[start + 1]),
            Float(ColorRamp.bytes[start + 2]))
        }
      }
    }
    guard
      let file = PNGImage.file(rgb: raster.bytes, width: raster.width, height: raster.height)
    else {
      throw ChainFailure(
        .output, code: .noPicture, "the picture does not fit into memory as PNG; write SVG")
    }
    return file
  }
}
