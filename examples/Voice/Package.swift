// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Voice",
  dependencies: [
    // A package of your own names the repository and a version.
    .package(name: "fxrun", path: "../..")
  ],
  targets: [
    .executableTarget(name: "Voice", dependencies: [.product(name: "FxKit", package: "fxrun")])
  ])
