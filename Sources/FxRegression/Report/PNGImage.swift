import CPNG

/// A picture in 256 colours as PNG, by libpng.
enum PNGImage {
  /// - Parameters:
  ///   - pixels: indices into the colours, rows from the top.
  ///   - colors: red, green and blue, at most 256.
  /// - Returns: the file's bytes; nil where libpng cannot make it.
  static func encode(
    _ pixels: [UInt8], width: Int, height: Int, colors: [(UInt8, UInt8, UInt8)]
  ) -> [UInt8]? {
    guard width > 0, height > 0, pixels.count == width * height, colors.count == 256 else {
      return nil
    }
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(width)
    image.height = UInt32(height)
    image.format = UInt32(PNG_FORMAT_FLAG_COLORMAP | PNG_FORMAT_FLAG_COLOR)
    image.colormap_entries = 256
    let map = colors.flatMap { [$0.0, $0.1, $0.2] }
    // As large as it can become: the pixels as they are, and headers.
    var size = pixels.count + pixels.count / 8 + height + 4096
    var file = [UInt8](repeating: 0, count: size)
    guard png_image_write_to_memory(&image, &file, &size, 0, pixels, Int32(width), map) != 0 else {
      return nil
    }
    return Array(file.prefix(size))
  }
}
