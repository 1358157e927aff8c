import Foundation
import FxTestSupport

/// Builds of `Tests/Fixtures/own.c`: a plugin that somebody develops.
enum OwnPlugin {
  static let uri = "urn:fxrun:test:own"

  /// Builds it as `own.lv2` in a folder of bundles; `switches` are those of the C file.
  static func build(in folder: String, _ switches: String...) throws {
    let bundle = "\(folder)/own.lv2"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let outcome = try Program.run(
      ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror"] + switches.map { "-D\($0)" }
        + ["\(Fixture.tests)/Fixtures/own.c", "-o", "\(bundle)/own.so"],
      executable: "/usr/bin/env")
    guard outcome.exitCode == 0 else { throw ProgramFailure(outcome.errorText) }
    try """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

    <\(uri)> a lv2:Plugin ; lv2:binary <own.so> ; rdfs:seeAlso <own.ttl> .

    """.write(toFile: "\(bundle)/manifest.ttl", atomically: true, encoding: .utf8)
    try """
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .

    <\(uri)> a lv2:Plugin ; doap:name "Own" ; lv2:port [
      a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In"
    ] , [
      a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out"
    ] , [
      a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "amount" ; lv2:name "Amount" ;
      lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 2.0
    ] , [
      a lv2:OutputPort, lv2:ControlPort ; lv2:index 3 ; lv2:symbol "latency" ; lv2:name "Latency" ;
      lv2:designation lv2:latency ; lv2:portProperty lv2:reportsLatency
    ] .

    """.write(toFile: "\(bundle)/own.ttl", atomically: true, encoding: .utf8)
  }
}
