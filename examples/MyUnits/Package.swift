// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MyUnits",
  products: [.library(name: "MyUnits", targets: ["MyUnits"])],
  dependencies: [
    // A package of your own names the repository and a version.
    .package(name: "fxrun", path: "../..")
  ],
  targets: [
    .target(name: "MyUnits", dependencies: [.product(name: "FxKit", package: "fxrun")]),
    .executableTarget(
      name: "myplayer", dependencies: ["MyUnits", .product(name: "FxRun", package: "fxrun")]),
    .testTarget(
      name: "MyUnitsTests",
      dependencies: ["MyUnits", .product(name: "FxUnitTesting", package: "fxrun")]),
  ])
