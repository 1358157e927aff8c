import FxAudio
@testable import FxChain
import FxEngine
import Testing

/// Mistakes in the initial state of an LV2 plugin.
extension MistakeTests {
  private static func fil4(_ more: String) -> String {
    list("{ \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\", \(more) }")
  }

  static let stateCases: [Case] = [
    Case(
      .unknownPreset, fil4("\"preset\": \"Bright Hal\""),
      "plugin 'http://gareus.org/oss/lv2/fil4#stereo' has no preset 'Bright Hal'"),
    Case(
      .ambiguousPreset, fil4("\"preset\": \"Twin\""),
      "plugin 'http://gareus.org/oss/lv2/fil4#stereo' has 2 presets 'Twin'"),
    Case(
      .ambiguousPreset, fil4("\"preset\": \"SMALL\""),
      "plugin 'http://gareus.org/oss/lv2/fil4#stereo' has 2 presets 'SMALL'"),
    Case(
      .unusableState, fil4("\"preset\": \"Broken\""),
      "the preset 'Broken' cannot be used: it cannot be read"),
    Case(
      .unusableState, fil4("\"state\": \"/gone\""),
      "the state '/gone' cannot be used: '/gone' is not there"),
    Case(
      .invalidValue, fil4("\"state\": \"\""),
      "'state' names no folder"),
    Case(
      .conflictingKeys, fil4("\"preset\": \"small\", \"state\": \"there\""),
      "'preset' and 'state' exclude each other"),
    Case(
      .wrongType, fil4("\"preset\": 5"),
      "'preset' is a string, not a number"),
    Case(
      .wrongType, fil4("\"properties\": []"),
      "'properties' is an object by name, not a list"),
    Case(
      .unknownProperty, fil4("\"properties\": { \"impuls\": \"x.wav\" }"),
      "plugin 'http://gareus.org/oss/lv2/fil4#stereo' has no property 'impuls'"),
    Case(
      .unknownProperty, fil4("\"properties\": { \"LSgain\": 1 }"),
      "plugin 'http://gareus.org/oss/lv2/fil4#stereo' has no property 'LSgain'"),
    Case(
      .conflictingKeys, fil4("\"properties\": { \"gain\": 1, \"Gain\": 2 }"),
      "the property 'urn:q#gain' is given twice"),
    Case(
      .unreadableFile, fil4("\"properties\": { \"impulse\": \"no such.wav\" }"),
      "the file 'no such.wav' for 'impulse' cannot be read: no such file; check the name and the folder"
    ),
    Case(
      .unreadableFile, fil4("\"properties\": { \"impulse\": \"/tmp\" }"),
      "the file '/tmp' for 'impulse' cannot be read: it is a folder; name the file in it"),
    Case(
      .outOfRange, fil4("\"properties\": { \"gain\": \"30 dB\" }"),
      "'gain' \"30 dB\" is above the maximum of 20 dB"),
    Case(
      .wrongType, fil4("\"properties\": { \"on\": 0.5 }"),
      "'on' is a switch: true or false"),
    Case(
      .wrongType, fil4("\"properties\": { \"title\": 5 }"),
      "'title' is a string, 5 is not"),
    Case(
      .invalidValue, fil4("\"properties\": { \"impulse\": \"\" }"),
      "'impulse' names no file"),
    Case(
      .invalidValue, fil4("\"properties\": { \"topic\": \"x\" }"),
      "'topic' is a URI, \"x\" is not"),
    Case(
      .notSupportedYet, fil4("\"properties\": { \"curve\": 1 }"),
      "'curve' is of the type 'Vec', which a chain cannot write"),
    Case(
      .unfitState, fil4("\"preset\": \"bright hall\", \"wet\": 1"),
      "the preset 'Bright Hall' does not fit the plugin in every point"),
  ]
}
