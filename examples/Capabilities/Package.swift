// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Capabilities",
  dependencies: [
    // A package of your own names the repository and a version.
    .package(name: "fxrun", path: "../..")
  ],
  targets: [
    .testTarget(
      name: "CapabilitiesTests", dependencies: [.product(name: "FxKit", package: "fxrun")])
  ])
