// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "VoiceTests",
  dependencies: [
    // A package of your own names the repository and a version.
    .package(name: "fxrun", path: "../..")
  ],
  targets: [
    .testTarget(
      name: "VoiceTests", dependencies: [.product(name: "FxTesting", package: "fxrun")],
      exclude: ["Goldens"])
  ])
