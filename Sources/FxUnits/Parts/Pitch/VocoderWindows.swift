import FxAudio

/// The analysis windows of a phase vocoder: long ones for low frequencies, short ones for high
/// frequencies.
///
/// A long window separates the notes of a low chord, a short one keeps attacks sharp. All windows
/// have the same middle, where they are highest. Each side is half of Hann's window. Used on the
/// control thread.
package struct VocoderWindows: Sendable {
  package enum Quality: Sendable {
    /// Symmetrical windows.
    case file
    /// The long windows end soon after their middle, so that the sound is late by little.
    case live
  }

  /// The third window lasts at least this many seconds; its frames are 2048 at 44.1 and 48 kHz.
  private static let usualTime = 0.0426

  /// The frames of each window, powers of two, the longest one first.
  let lengths: [Int]
  /// The frames of each window from its middle on.
  let reaches: [Int]
  /// The frequency in Hz from which on each window but the first one is used.
  let edges: [Double]
  let sampleRate: Double

  /// - Parameter halvings: How many times all windows are halved; a negative number doubles them.
  package init(_ quality: Quality, sampleRate: Double, halvings: Int = 0) {
    var usual = 256
    while Double(usual) < Self.usualTime * sampleRate { usual *= 2 }
    let base = halvings < 0 ? usual << -halvings : max(usual >> halvings, 128)
    self.sampleRate = sampleRate
    lengths = [4 * base, 2 * base, base, base / 2]
    let most = quality == .file ? 4 * base : base
    reaches = lengths.map { min($0, most) / 2 }
    // Halved windows have the same numbers of periods at twice the frequencies.
    edges = [700, 1500, 4000].map { $0 * Double(usual) / Double(base) }
  }

  /// The frames before and from the middle on that the windows need together.
  var past: Int { zip(lengths, reaches).map { $0 - $1 }.max() ?? 0 }
  var future: Int { reaches.max() ?? 0 }
  package var span: Int { past + future }
  /// The frames of an output piece: the shortest window.
  package var spread: Int { lengths.last ?? 0 }
  /// The index of the window whose spectrum has the formants.
  var formantIndex: Int { lengths.count - 2 }

  /// The frequencies in Hz that a window is responsible for.
  func range(of index: Int) -> Range<Double> {
    let low = index == 0 ? 0 : edges[index - 1]
    return low..<(index < edges.count ? max(edges[index], low) : .infinity)
  }

  /// The share of a window in the output at a frequency in Hz. The shares of all windows add up to
  /// 1.
  func share(of index: Int, at frequency: Double) -> Double {
    let above = index == 0 ? 1 : Self.rise(frequency, around: edges[index - 1])
    return above * (index < edges.count ? 1 - Self.rise(frequency, around: edges[index]) : 1)
  }

  /// Crossfades from 0 to 1 around a frequency.
  private static func rise(_ frequency: Double, around edge: Double) -> Double {
    let width = 0.25
    let place = (frequency / edge - (1 - width)) / (2 * width)
    return 0.5 - 0.5 * Math.cos(Double.pi * min(max(place, 0), 1))
  }
}
