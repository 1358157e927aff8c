// swift-tools-version: 6.2
import PackageDescription

// Realtime: the code that runs between two periods of a sound card. These modules import only each
// other, Synchronization, the two C targets and libspeexdsp; RepositoryTests checks this.
let realtime: [Target] = [
  .target(name: "CRealtime"),
  .target(name: "CKernels", dependencies: ["CRealtime"]),
  .target(name: "FxAudio", dependencies: ["CRealtime"]),
  .target(name: "FxDSP", dependencies: ["FxAudio", "CKernels"]),
  .target(name: "FxUnits", dependencies: ["FxDSP", "FxAudio", "CSpeexDSP"]),
  .target(name: "FxEngine", dependencies: ["FxGraph", "FxAudio", "CRealtime", "CKernels"]),
]

// Makes a smaller program. Plugins need only the symbols that replace those of the C library
// (PluginBoundary.swift). lld packs relocations, which the loader supports since glibc 2.36. Functions
// that renders call come first, so that they touch few pages (scripts/count-instructions --update).
let slimLinking =
  ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
  + [
    "-Xlinker",
    "--symbol-ordering-file=\(Context.packageDirectory)/benchmarks/instructions/functions.txt",
    "-Xlinker", "--no-warn-symbol-ordering",
  ]
  + ["-Xlinker", "--no-export-dynamic"]
  // Hardening: the loader binds every function at the start, then makes the tables read-only.
  + ["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"]
  + [
    "pthread_create", "chdir", "fchdir", "close", "close_range", "closefrom", "_exit", "_Exit",
    "serd_reader_new",
  ].flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }

// Control: code that may allocate, lock and wait.
let control: [Target] = [
  .target(name: "FxGraph", dependencies: ["FxAudio"]),
  .target(name: "FxSignals", dependencies: ["FxAudio"]),
  .target(name: "FxDiagnostics", dependencies: ["FxAudio"]),
  .target(name: "FxChain", dependencies: ["FxFrames", "FxGraph", "FxDiagnostics", "FxAudio"]),
  .target(name: "FxProcesses", dependencies: ["CRealtime"]),
  // Optional libraries: loaded and checked at first use.
  .target(name: "CCurl"),
  .target(name: "CSOFA"),
  .target(name: "FxLV2", dependencies: ["FxProcesses", "FxAudio", "CLilv", "CRealtime"]),
  .target(name: "FxFrames", dependencies: ["FxAudio", "CRealtime", "CKernels"]),
  .target(
    name: "FxMedia",
    dependencies: [
      "FxProcesses", "FxFrames", "FxGraph", "FxSignals", "FxDSP", "FxAudio", "CRealtime",
      "CKernels", "CCurl", "CSOFA", "CFLAC",
      "CLAME", "CMPG123", "COpusFile", "CSndFile", "CSoxr", "CTags", "CVorbisFile",
    ]),
  .target(
    name: "FxDevices", dependencies: ["FxFrames", "FxAudio", "CRealtime", "CALSA", "CSoxr"]),
  .target(
    name: "FxPlaying",
    dependencies: [
      "FxMedia", "FxDevices", "FxFrames", "FxEngine", "FxGraph", "FxSignals", "FxAudio",
      "CRealtime",
    ]),
  .target(
    name: "FxKit",
    dependencies: [
      "FxChain", "FxDiagnostics", "FxPlaying", "FxMedia", "FxDevices", "FxFrames", "FxLV2",
      "FxProcesses", "FxUnits", "FxEngine", "FxGraph", "FxAudio", "FxSignals", "CRealtime",
      "CLibMD",
    ]),
  .target(
    name: "FxAnalysis", dependencies: ["FxSignals", "FxAudio", "CKissFFT", "CEBUR128"]),
  .target(
    name: "FxGoldens",
    dependencies: [
      "FxKit", "FxAnalysis", "FxSignals", "FxChain", "FxDiagnostics", "FxLV2", "FxProcesses",
      "FxMedia", "FxFrames", "FxEngine", "FxGraph", "FxAudio", "CRealtime", "CKernels",
    ]),
  .target(
    name: "FxReports", dependencies: ["FxGoldens", "FxKit", "FxAnalysis", "FxAudio", "CPNG"]),
  .target(
    name: "FxPlots",
    dependencies: [
      "FxReports", "FxKit", "FxAnalysis", "FxDiagnostics", "FxMedia", "FxFrames", "FxGraph",
      "FxAudio",
    ]),
  .target(
    name: "FxLint",
    dependencies: [
      "FxGoldens", "FxKit", "FxAnalysis", "FxSignals", "FxChain", "FxDiagnostics", "FxLV2",
      "FxProcesses", "FxMedia", "FxEngine", "FxGraph", "FxAudio", "CRealtime",
    ]),
  .target(
    name: "FxBatch",
    dependencies: [
      "FxGoldens", "FxKit", "FxDiagnostics", "FxProcesses", "FxMedia", "FxFrames", "FxGraph",
      "FxAudio", "CRealtime", "CXXHash",
    ]),
  .target(
    name: "FxTesting",
    dependencies: [
      "FxKit", "FxGoldens", "FxReports", "FxAnalysis", "FxSignals", "FxChain", "FxDiagnostics",
    ]),
  .executableTarget(
    name: "fxrun",
    dependencies: [
      "FxKit", "FxGoldens", "FxReports", "FxPlots", "FxLint", "FxBatch", "FxDiagnostics",
      "FxAudio", "CRealtime",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    linkerSettings: [.unsafeFlags(slimLinking, .when(configuration: .release))]),
]

// Other libraries: their headers and the functions that fxrun calls. Each library is loaded when one of
// its functions is called for the first time (CLoader).
let libraries: [Target] =
  [
    "CALSA", "CEBUR128", "CFLAC", "CKissFFT", "CLAME", "CLibMD", "CLilv", "CMPG123", "COpusFile",
    "CPNG", "CSndFile", "CSoxr", "CSpeexDSP", "CTags", "CVorbisFile", "CXXHash",
  ].map { .target(name: $0, dependencies: ["CLoader"]) }
  + [.target(name: "CLoader", dependencies: ["CRealtime"])]

// fxrun's own LV2 plugins, for any host. scripts/build-plugins links each into its bundle: a dynamic
// library product would make every host load the Swift runtime.
let plugins: [Target] = [
  .target(
    name: "FxSaturatorPlugin", path: "plugins/fxrun-saturator.lv2",
    exclude: ["manifest.ttl", "fxrun-saturator.ttl"], publicHeadersPath: ".",
    linkerSettings: [.linkedLibrary("m")])
]

let tests: [Target] = [
  .target(
    name: "FxTestSupport", dependencies: ["FxAudio"],
    path: "Tests/FxTestSupport"),
  .testTarget(name: "FxAudioTests", dependencies: ["FxAudio", "FxTestSupport"]),
  .testTarget(
    name: "FxDSPTests", dependencies: ["FxDSP", "FxAudio", "CKernels", "FxTestSupport"]),
  .testTarget(
    name: "FxUnitsTests",
    dependencies: [
      "FxUnits", "FxDSP", "FxEngine", "FxGraph", "FxAnalysis", "FxAudio", "CKernels", "CRealtime",
      "FxTestSupport",
    ]),
  .testTarget(name: "FxGraphTests", dependencies: ["FxGraph", "FxAudio"]),
  .testTarget(
    name: "FxEngineTests",
    dependencies: [
      "FxEngine", "FxGraph", "FxAudio", "CKernels", "FxTestSupport", "RealtimeProbe",
    ]),
  .executableTarget(
    name: "RealtimeProbe",
    dependencies: ["FxEngine", "FxUnits", "FxGraph", "FxAudio", "CRealtime", "FxTestSupport"],
    path: "Tests/RealtimeProbe", exclude: ["reference-counts.c"]),
  .testTarget(
    name: "FxLV2Tests",
    dependencies: [
      "FxLV2", "FxProcesses", "FxAudio", "CRealtime", "FxTestSupport", "PluginHost",
    ]),
  .executableTarget(name: "PluginHost", dependencies: ["FxLV2"], path: "Tests/PluginHost"),
  .testTarget(name: "FxFramesTests", dependencies: ["FxFrames", "FxTestSupport", "CKernels"]),
  .target(
    name: "FxSoundTestSupport", dependencies: ["FxMedia", "FxDevices", "FxFrames", "FxAudio"],
    path: "Tests/FxSoundTestSupport"),
  .testTarget(
    name: "FxMediaTests",
    dependencies: [
      "FxMedia", "FxFrames", "FxGraph", "FxAudio", "FxSoundTestSupport", "FxTestSupport",
    ]),
  .testTarget(
    name: "FxDevicesTests",
    dependencies: ["FxDevices", "FxFrames", "FxAudio", "FxSoundTestSupport"]),
  .testTarget(
    name: "FxPlayingTests",
    dependencies: [
      "FxPlaying", "FxMedia", "FxDevices", "FxFrames", "FxEngine", "FxGraph", "FxAudio",
      "CRealtime", "FxSoundTestSupport", "FxTestSupport",
    ]),
  .testTarget(
    name: "FxChainTests",
    dependencies: ["FxChain", "FxDiagnostics", "FxPlaying", "FxGraph", "FxAudio", "FxTestSupport"]),
  .testTarget(
    name: "FxKitTests",
    dependencies: [
      "FxKit", "FxChain", "FxDiagnostics", "FxPlaying", "FxDevices", "FxLV2", "FxEngine", "FxDSP",
      "FxGraph", "FxAudio", "FxAnalysis", "FxTestSupport",
    ]),
  .testTarget(name: "FxAnalysisTests", dependencies: ["FxAnalysis", "FxSignals", "FxAudio"]),
  .target(
    name: "FxGoldenTestSupport",
    dependencies: ["FxGoldens", "FxAnalysis", "FxSignals", "FxTestSupport"],
    path: "Tests/FxGoldenTestSupport"),
  .testTarget(
    name: "FxGoldensTests",
    dependencies: [
      "FxGoldens", "FxAnalysis", "FxSignals", "FxKit", "FxChain", "FxDiagnostics", "FxGraph",
      "FxAudio", "FxGoldenTestSupport",
    ]),
  .testTarget(
    name: "FxReportsTests",
    dependencies: [
      "FxReports", "FxGoldens", "FxAnalysis", "FxSignals", "FxKit", "FxAudio",
      "FxGoldenTestSupport", "FxTestSupport",
    ]),
  .testTarget(name: "FxPlotsTests", dependencies: ["FxPlots", "FxAnalysis", "FxKit"]),
  .testTarget(
    name: "FxLintTests",
    dependencies: [
      "FxLint", "FxGoldens", "FxKit", "FxChain", "FxDiagnostics", "FxAudio", "FxGoldenTestSupport",
    ]),
  .testTarget(
    name: "FxBatchTests", dependencies: ["FxBatch", "FxKit", "FxDiagnostics", "FxTestSupport"]),
  .testTarget(
    name: "FxTestingTests",
    dependencies: ["FxTesting", "FxKit", "FxTestSupport"]),
  .testTarget(
    name: "fxrunTests",
    dependencies: [
      "fxrun", "FxKit", "FxDiagnostics", "FxTestSupport",
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
for target in package.targets where target.name.hasPrefix("C") && target.name != "CKernels" {
  target.cSettings = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
  target.cxxSettings = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
}
