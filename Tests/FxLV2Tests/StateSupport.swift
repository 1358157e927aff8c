import Foundation
import FxAudio
@testable import FxLV2
import Testing

/// The test plugin with a state, and the ways to give it one.
enum StateFixture {
  static let uri = "urn:fxrun:test:state"

  /// An instance with what a chain would give it: parameters in the chain's units of measure over
  /// those of the state.
  static func made(
    _ setup: PluginSetup = PluginSetup(), rate: Double = 48000, live: Bool = false, width: Int = 1,
    in world: LV2World = FixtureBundles.world(), _ values: [String: Double] = [:]
  ) throws -> UnitInstance {
    let type = try #require(try world.plugin(uri: uri))
    let stored = try setup.state.map { try world.state($0, of: uri).parameters } ?? [:]
    var preparation = Preparation(
      sampleRate: rate, maximumFrameCount: 64, inputWidths: [width], outputWidths: [width],
      parameters: type.spec.parameters.map { values[$0.id] ?? stored[$0.id] ?? $0.defaultValue },
      isLive: live)
    preparation.setup = setup
    return try type.make(preparation)
  }

  static func preset(_ uri: String) -> PluginSetup {
    PluginSetup(state: .preset(uri))
  }

  static func property(_ name: String, _ value: PluginSetup.Value) -> PluginSetup.Property {
    PluginSetup.Property(uri: "\(uri)#\(name)", value: value)
  }

  /// A file with a number in it.
  static func file(_ number: Double, _ name: String) throws -> String {
    let path = "\(FixtureBundles.temporaryFolder("files"))/\(name)"
    try "\(number)\n".write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Saves the initial state of a setup.
  @discardableResult
  static func save(
    _ setup: PluginSetup, to folder: String, label: String = "Saved", replaces: Bool = false,
    in world: LV2World = FixtureBundles.world(), _ values: [String: Double] = [:]
  ) throws -> [String] {
    let type = try #require(try world.plugin(uri: uri))
    let stored = try setup.state.map { try world.state($0, of: uri).parameters } ?? [:]
    var preparation = Preparation(
      sampleRate: 48000, maximumFrameCount: 64, inputWidths: [1], outputWidths: [1],
      parameters: type.spec.parameters.map { values[$0.id] ?? stored[$0.id] ?? $0.defaultValue })
    preparation.setup = setup
    return try world.save(
      plugin: uri, preparation, to: folder, label: label, replaces: replaces)
  }
}

extension UnitInstance {
  /// The output for a signal of ones, with the initial parameters of the instance.
  func gains(_ values: [String: Double], frames: Int = 8, width: Int = 1) -> [[Float]] {
    render([[Float]](repeating: [Float](repeating: 1, count: frames), count: width), values)
  }

  /// The value that a control input holds.
  func control(_ symbol: String) -> Float? {
    controls?().first { $0.symbol == symbol }.map { Float($0.value) }
  }
}
