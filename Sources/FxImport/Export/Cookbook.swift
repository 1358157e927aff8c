import Glibc

/// The coefficients of a filter for a program that has no such filter.
///
/// Source: R. Bristow-Johnson, "Audio EQ Cookbook"; filters of first order are bilinear transforms.
enum Cookbook {
  static func coefficients(_ filter: ExportFilter, sampleRate: Double) -> Coefficients {
    filter.order == 1 ? first(filter, sampleRate) : second(filter, sampleRate)
  }

  private static func second(_ filter: ExportFilter, _ sampleRate: Double) -> Coefficients {
    let omega = 2 * Double.pi * filter.frequency / sampleRate
    let (cosine, alpha) = (cos(omega), sin(omega) / (2 * filter.q))
    let a = pow(10, filter.gain / 40)
    let plain = [1 + alpha, -2 * cosine, 1 - alpha]
    switch filter.kind {
    case .lowPass:
      return Coefficients(b: [(1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2], a: plain)
    case .highPass:
      return Coefficients(b: [(1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2], a: plain)
    case .bandPass: return Coefficients(b: [alpha, 0, -alpha], a: plain)
    case .notch: return Coefficients(b: [1, -2 * cosine, 1], a: plain)
    case .allPass: return Coefficients(b: [1 - alpha, -2 * cosine, 1 + alpha], a: plain)
    case .peak:
      return Coefficients(
        b: [1 + alpha * a, -2 * cosine, 1 - alpha * a],
        a: [1 + alpha / a, -2 * cosine, 1 - alpha / a])
    case .lowShelf, .highShelf:
      let side = filter.kind == .lowShelf ? 1.0 : -1
      let width = 2 * a.squareRoot() * alpha
      let (more, less) = (a + 1, (a - 1) * side * cosine)
      return Coefficients(
        b: [
          a * (more - less + width), 2 * side * a * ((a - 1) - side * more * cosine),
          a * (more - less - width),
        ],
        a: [
          more + less + width, -2 * side * ((a - 1) + side * more * cosine), more + less - width,
        ])
    }
  }

  private static func first(_ filter: ExportFilter, _ sampleRate: Double) -> Coefficients {
    let turn = tan(.pi * filter.frequency / sampleRate)
    let root = pow(10, filter.gain / 40)
    // Above and below the line: constants, and factors of the analog frequency.
    let (high, low): ((Double, Double), (Double, Double))
    switch filter.kind {
    case .lowPass: (high, low) = ((0, 1), (1, 1))
    case .highPass: (high, low) = ((1, 0), (1, 1))
    case .allPass: (high, low) = ((-1, 1), (1, 1))
    case .lowShelf: (high, low) = ((1, root), (1, 1 / root))
    default: (high, low) = ((root, 1), (1 / root, 1))
    }
    return Coefficients(
      b: [high.0 + high.1 * turn, high.1 * turn - high.0],
      a: [low.0 + low.1 * turn, low.1 * turn - low.0])
  }
}
