/// One command of an equalizer text, with its line and its scope.
package struct EqualizerCommand: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    /// Decibels.
    case preamp(Double)
    case filter(EqualizerFilter)
    /// A filter by the coefficients above and below the line, from the undelayed one on.
    case coefficients(b: [Double], a: [Double])
    /// The points of a `GraphicEQ` line, in its order.
    case graphic([Point])
    /// A time in milliseconds.
    case delay(Double)
    /// A time in frames.
    case delayFrames(Double)
    /// The parameters of a `Copy` line.
    case copy(String)
    /// The file of a `Convolution` line.
    case convolution(String)
    /// The file of an `Include` line.
    case include(String)
    /// Another command of Equalizer APO that is no filter, such as `VSTPlugin`.
    case other(String)
  }

  package struct Point: Equatable, Sendable {
    package let frequency: Double
    package let level: Double
  }

  /// From 1.
  package let line: Int
  package let scope: EqualizerScope
  package let action: Action
}

/// A filter as the text describes it.
package struct EqualizerFilter: Equatable, Sendable {
  /// The types that Equalizer APO and Room EQ Wizard write.
  package enum Kind: String, Sendable {
    case peak = "PK"
    case lowPass = "LP"
    case highPass = "HP"
    case firstLowPass = "LP1"
    case firstHighPass = "HP1"
    case bandPass = "BP"
    case notch = "NO"
    case allPass = "AP"
    case firstAllPass = "AP1"
    /// Shelves with a corner frequency if a slope or a Q is given.
    case lowShelf = "LS"
    case highShelf = "HS"
    /// Shelves with the frequency in the middle of the slope.
    case lowShelfCenter = "LSC"
    case highShelfCenter = "HSC"
  }

  package enum Width: Equatable, Sendable {
    case q(Double)
    case octaves(Double)
    case hertz(Double)
    /// Decibels an octave, of a shelf.
    case slope(Double)
  }

  package let kind: Kind
  package let frequency: Double
  package let gain: Double?
  package let width: Width?
}

/// A line of an equalizer text, and what is to be said about it.
package struct EqualizerRemark: Error, Equatable, Sendable {
  /// From 1.
  package let line: Int
  package let message: String
}
