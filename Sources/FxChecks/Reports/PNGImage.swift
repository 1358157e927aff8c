import CPNG

/// A picture as a PNG file in memory.
enum PNGImage {
  /// PNG_FORMAT_RGB
  private static let rgb: UInt32 = 0x02
  /// PNG_FORMAT_RGB | PNG_FORMAT_FLAG_COLORMAP
  private static let palette: UInt32 = rgb | 0x08

  /// A picture in the colours of `ColorRamp`; nil if it cannot be encoded.
  ///
  /// - Parameter pixels: a colour index for each pixel, row by row from the top.
  static func file(pixels: [UInt8], width: Int, height: Int) -> [UInt8]? {
    file(pixels, width: width, height: height, format: palette, bytesPerPixel: 1)
  }

  /// A picture with three bytes for each pixel: red, green and blue.
  static func file(rgb pixels: [UInt8], width: Int, height: Int) -> [UInt8]? {
    file(pixels, width: width, height: height, format: rgb, bytesPerPixel: 3)
  }

  private static func file(
    _ pixels: [UInt8], width: Int, height: Int, format: UInt32, bytesPerPixel: Int
  ) -> [UInt8]? {
    guard width > 0, height > 0, width < 1 << 15, height < 1 << 15,
      pixels.count == width * height * bytesPerPixel
    else { return nil }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.format = format
    image.colormap_entries = format == palette ? png_uint_32(ColorRamp.count) : 0
    defer { png_image_free(&image) }
    var size = pixels.count + pixels.count / 8 + 65536
    var bytes = [UInt8](repeating: 0, count: size)
    guard
      png_image_write_to_memory(
        &image, &bytes, &size, 0, pixels, png_int_32(width * bytesPerPixel), ColorRamp.bytes) != 0,
      size <= bytes.count
    else { return nil }
    return Array(bytes[..<size])
  }

  /// A data URI for an `img` element.
  static func dataURI(_ file: [UInt8]) -> String { "data:image/png;base64," + Base64.text(file) }
}
