// swift-tools-version: 6.2
import PackageDescription

// Realtime: the code that runs between two periods of a sound card. These modules import only each
// other, Synchronization, the two C targets and libspeexdsp; RepositoryTests checks this.
let realtime: [Target] = [
  .target(name: "CRealtime"),
  .target(name: "CKernels", dependencies: ["CRealtime"]),
  .target(name: "FxAudio", dependencies: ["CRealtime", "CKernels"]),
  .target(name: "FxUnits", dependencies: ["FxAudio", "CKernels", "CLibraries"]),
  .target(name: "FxEngine", dependencies: ["FxAudio", "CRealtime", "CKernels"]),
]

// Plugins need only the symbols that replace those of the C library (PluginBoundary.swift). lld packs
// relocations, which the loader supports since glibc 2.36: a start takes 1.5 MB less memory.
// Hardening: the loader binds every function at the start, then makes the tables read-only.
let linking =
  [
    "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker",
    "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker",
    "now",
  ]
  + [
    "pthread_create", "chdir", "fchdir", "_exit", "_Exit", "quick_exit", "serd_reader_new",
  ].flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }

// Control: code that may allocate, lock and wait.
let control: [Target] = [
  .target(name: "FxChain", dependencies: ["FxEngine", "FxAudio"]),
  .target(name: "FxLV2", dependencies: ["FxAudio", "CLibraries", "CRealtime"]),
  .target(
    name: "FxMedia",
    dependencies: [
      "FxUnits", "FxAudio", "CRealtime", "CKernels", "COptional", "CTags", "CLibraries",
    ]),
  .target(
    name: "FxPlaying",
    dependencies: ["FxMedia", "FxEngine", "FxUnits", "FxAudio", "CRealtime", "CLibraries"]),
  .target(name: "FxNodes", dependencies: ["FxChain", "FxUnits", "FxAudio"]),
  .target(
    name: "FxKit",
    dependencies: [
      "FxNodes", "FxChain", "FxPlaying", "FxMedia", "FxLV2", "FxUnits", "FxEngine", "FxAudio",
      "CRealtime",
      "CLibraries",
    ]),
  .target(
    name: "FxChecks",
    dependencies: [
      "FxKit", "FxChain", "FxLV2", "FxMedia", "FxUnits", "FxEngine", "FxAudio", "CRealtime",
      "CKernels", "CLibraries",
    ]),
  .target(
    name: "FxImport",
    dependencies: ["FxKit", "FxNodes", "FxChain", "FxEngine", "FxAudio", "CLibraries"]),
  .target(name: "FxTesting", dependencies: ["FxKit", "FxChecks", "FxUnits", "FxChain", "FxAudio"]),
  .target(name: "FxUnitRendering", dependencies: ["FxAudio"]),
  .target(
    name: "FxUnitTesting", dependencies: ["FxUnitRendering", "FxAudio", "CAllocations"]),
  .target(name: "CAllocations"),
  .target(
    name: "FxRun",
    dependencies: [
      "FxImport", "FxKit", "FxChecks", "FxChain", "FxMedia", "FxEngine", "FxAudio", "CRealtime",
      "CLibraries",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]),
  .executableTarget(
    name: "fxrun", dependencies: ["FxRun"],
    linkerSettings: [
      // `fxrun --version` names the build.
      .unsafeFlags(["-Xlinker", "--build-id=sha1"] + linking)
    ]),
]

// Other libraries. Sources/CLibraries has a module for each that fxrun is linked to; libcurl and libmysofa
// are optional, and opened when they are needed.
let libraries: [Target] = [
  .systemLibrary(name: "CLibraries", pkgConfig: "opusfile"),
  .target(name: "COptional", dependencies: ["CRealtime"]),
  .target(name: "CTags", linkerSettings: [.linkedLibrary("tag"), .linkedLibrary("z")]),
]

// fxrun's own LV2 plugins, for any host. scripts/build-plugins links each into its bundle: a dynamic
// library product would make every host load the Swift runtime.
let plugins: [Target] = [
  .target(
    name: "FxSaturatorPlugin", path: "plugins/fxrun-saturator.lv2",
    exclude: ["manifest.ttl", "fxrun-saturator.ttl"], publicHeadersPath: ".",
    linkerSettings: [.linkedLibrary("m")])
]

let tests: [Target] = [
  .systemLibrary(name: "CEBUR128", path: "Tests/CEBUR128"),
  .target(
    name: "FxTestSupport", dependencies: ["FxUnitRendering", "FxAudio", "CEBUR128"],
    path: "Tests/FxTestSupport"),
  .target(
    name: "FxSoundTestSupport", dependencies: ["FxMedia", "FxPlaying", "FxAudio", "FxTestSupport"],
    path: "Tests/FxSoundTestSupport"),
  .testTarget(
    name: "FxAudioTests", dependencies: ["FxAudio", "FxTestSupport", "CKernels", "CRealtime"]),
  .testTarget(
    name: "FxUnitsTests",
    dependencies: [
      "FxUnits", "FxEngine", "FxChecks", "FxUnitTesting", "FxAudio", "CKernels", "CRealtime",
      "FxTestSupport",
    ]),
  .testTarget(
    name: "FxEngineTests",
    dependencies: ["FxEngine", "FxAudio", "CKernels", "FxTestSupport", "RealtimeProbe"]),
  .executableTarget(
    name: "RealtimeProbe",
    dependencies: ["FxEngine", "FxUnits", "FxAudio", "CRealtime", "FxTestSupport"],
    path: "Tests/RealtimeProbe", exclude: ["reference-counts.c"]),
  .testTarget(
    name: "FxChainTests",
    dependencies: ["FxChain", "FxPlaying", "FxEngine", "FxAudio", "FxTestSupport"]),
  .testTarget(
    name: "FxLV2Tests",
    dependencies: [
      "FxLV2", "FxAudio", "CRealtime", "FxTestSupport", "PluginHost",
    ]),
  .executableTarget(
    name: "PluginHost", dependencies: ["FxLV2", "FxAudio"], path: "Tests/PluginHost"),
  .testTarget(
    name: "FxMediaTests",
    dependencies: ["FxMedia", "FxAudio", "FxSoundTestSupport", "FxTestSupport"]),
  .testTarget(
    name: "FxPlayingTests",
    dependencies: [
      "FxPlaying", "FxMedia", "FxEngine", "FxAudio", "CRealtime", "FxSoundTestSupport",
      "FxTestSupport",
    ]),
  .testTarget(
    name: "FxKitTests",
    dependencies: [
      "FxKit", "FxNodes", "FxChain", "FxPlaying", "FxLV2", "FxEngine", "FxUnits", "FxAudio",
      "FxChecks", "FxMedia", "FxUnitTesting", "FxSoundTestSupport", "FxTestSupport",
    ]),
  .testTarget(
    name: "FxChecksTests",
    dependencies: [
      "FxChecks", "FxUnits", "FxKit", "FxChain", "FxEngine", "FxAudio", "FxTestSupport",
    ]),
  .testTarget(
    name: "FxImportTests", dependencies: ["FxImport", "FxKit", "FxTestSupport"],
    exclude: ["Fixtures"]),
  .testTarget(name: "FxTestingTests", dependencies: ["FxTesting", "FxKit", "FxTestSupport"]),
  .testTarget(
    name: "FxRunTests",
    dependencies: [
      "FxRun", "fxrun", "FxKit", "FxChain", "FxAudio", "FxTestSupport",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]),
  .testTarget(name: "RepositoryTests", dependencies: ["FxTestSupport", "fxrun"]),
]

let package = Package(
  name: "fxrun",
  products: [
    .executable(name: "fxrun", targets: ["fxrun"]),
    .library(name: "FxKit", targets: ["FxKit"]),
    .library(name: "FxTesting", targets: ["FxTesting"]),
    .library(name: "FxUnitTesting", targets: ["FxUnitTesting"]),
    .library(name: "FxRun", targets: ["FxRun"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: realtime + control + libraries + plugins + tests)

for target in package.targets
where !target.name.hasPrefix("C") && target.name != "FxSaturatorPlugin" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}

// Hardening: the C library checks the sizes of buffers where the compiler knows them. Kernels copy single
// vectors, and a checked copy is a call that keeps clang from vectorizing a loop.
for target in package.targets
where target.name.hasPrefix("C") && target.name != "CKernels" && target.type != .system {
  target.cSettings = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
  target.cxxSettings = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
}
