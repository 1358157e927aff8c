import FxAudio
@testable import FxLV2
import Testing

/// Ports that a plugin designates as channels (`pg:left`, `pg:center` and so on).
@Suite struct DesignationTests {
  private func bus(_ channels: [ChannelName?]) -> LV2Bus {
    LV2Bus(
      name: "in",
      ports: channels.enumerated().map { index, channel in
        var port = LV2Port(
          index: index, symbol: "p\(index)", name: "P", kind: .audio, isInput: true,
          isOptional: false)
        port.channel = channel
        return port
      })
  }

  @Test func `ports in the order of a file have a layout`() {
    #expect(bus([.frontLeft, .frontRight]).layout?.description == "stereo")
    #expect(
      bus([.frontLeft, .frontRight, .frontCentre, .lowFrequency, .sideLeft, .sideRight]).layout?
        .description == "5.1(side)")
  }

  @Test func `ports in another order, or not all designated, have none`() {
    #expect(bus([.frontRight, .frontLeft]).layout == nil)
    #expect(bus([.frontLeft, nil]).layout == nil)
    #expect(bus([.frontLeft, .frontLeft]).layout == nil)
    #expect(bus([.frontCentre]).layout == nil)
  }

  @Test func `designations are those of the port groups vocabulary`() {
    let prefix = "http://lv2plug.in/ns/ext/port-groups#"
    let expected: [String: ChannelName] = [
      "left": .frontLeft, "right": .frontRight, "center": .frontCentre,
      "lowFrequencyEffects": .lowFrequency, "rearLeft": .backLeft, "rearRight": .backRight,
      "centerLeft": .frontLeftOfCentre, "centerRight": .frontRightOfCentre,
      "rearCenter": .backCentre, "sideLeft": .sideLeft, "sideRight": .sideRight,
    ]
    #expect(
      LV2URI.channels == Dictionary(uniqueKeysWithValues: expected.map { (prefix + $0, $1) }))
  }
}
