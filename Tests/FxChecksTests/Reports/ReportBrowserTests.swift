import Foundation
@testable import FxChecks
import FxTestSupport
import Testing

/// The page in a real browser: headless Chromium, if it is installed.
@Suite(.enabled(if: Browser.program != nil, "Chromium is not installed"), .serialized)
struct ReportBrowserTests {
  /// The results of `examination` for a page at one width.
  private struct Finding: Decodable {
    var isDark: Bool
    var width: Double
    var pictures: [Int]
    var requests: [String]
    var texts: Int
    var contrasts: [String]
    var overflow: Double
    var overlaps: [String]
  }

  /// Examines a page in frames of 360 and 1280 px and writes its findings into the document.
  /// The page itself is not changed and keeps its policy.
  private static let examination = """
    <script>
    const numbers = c => (c.match(/[\\d.]+/g) || []).map(Number);
    const luminance = c => {
      const [r, g, b] = numbers(c).slice(0, 3).map(v => {
        v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4) });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b };
    const isClear = c => { const n = numbers(c); return n.length < 3 || (n.length > 3 && n[3] === 0) };
    const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
      return (x + 0.05) / (y + 0.05) };
    function colors(w, e) {
      if (e.ownerSVGElement) return [w.getComputedStyle(e).fill,
        w.getComputedStyle(e.parentNode.querySelector('rect')).fill];
      let at = e; while (at && isClear(w.getComputedStyle(at).backgroundColor)) at = at.parentElement;
      return [w.getComputedStyle(e).color, at ? w.getComputedStyle(at).backgroundColor : 'rgb(255,0,255)'] }
    function examine(frame) {
      const w = frame.contentWindow, d = w.document, contrasts = [], overlaps = []; let texts = 0;
      const walker = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const e = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
        if (!text || !e.getClientRects().length) continue;
        texts++;
        const [ink, paper] = colors(w, e), value = contrast(ink, paper);
        if (!(value >= 4.5)) contrasts.push(text + ': ' + ink + ' on ' + paper + ' is ' + value) }
      for (const axis of d.querySelectorAll('.x,.y')) {
        const boxes = [...axis.children].map(t => t.getBoundingClientRect()).filter(b => b.width);
        for (let i = 1; i < boxes.length; i++) for (let j = 0; j < i; j++) {
          const [a, b] = [boxes[i], boxes[j]];
          if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
            overlaps.push(axis.className + ': ' + axis.innerText) } }
      return { isDark: w.matchMedia('(prefers-color-scheme: dark)').matches, width: w.innerWidth,
        pictures: [...d.images].map(i => i.complete ? i.naturalWidth : 0),
        requests: w.performance.getEntriesByType('resource').map(r => r.name)
          .filter(n => !n.startsWith('data:')),
        texts, contrasts, overlaps, overflow: d.documentElement.scrollWidth - w.innerWidth } }
    const page = document.getElementById('page').textContent;
    const findings = [];
    for (const width of [360, 1280]) {
      const frame = document.createElement('iframe');
      frame.width = width; frame.height = 900;
      frame.onload = async () => {
        await Promise.all([...frame.contentDocument.images].map(i => i.decode().catch(() => 0)));
        findings.push(examine(frame));
        if (findings.length < 2) return;
        const result = document.createElement('pre');
        result.id = 'findings'; result.textContent = encodeURIComponent(JSON.stringify(findings));
        document.body.append(result) };
      frame.srcdoc = page;
      document.body.append(frame) }
    </script>
    """

  /// The findings of `examination` for a page.
  private func findings(_ page: String, isDark: Bool) throws -> [Finding] {
    try #require(!page.contains("</script"))
    var output = Browser.Output(document: "", log: "", screenshot: Data())
    // On a busy machine the browser's virtual time may end before all pictures are decoded.
    for _ in 0..<3 where !output.document.contains("id=\"findings\"") {
      output = try Browser.run(
        "<!DOCTYPE html><html><body><script type=\"text/plain\" id=\"page\">\(page)</script>"
          + Self.examination + "</body></html>", isDark: isDark, ["--dump-dom"])
    }
    let text = try #require(output.document.firstMatch(of: /id="findings">([^<]*)</)?.1)
    let json = try #require(String(text).removingPercentEncoding)
    #expect(!output.log.contains(":CONSOLE"), "\(output.log)")
    let findings = try JSONDecoder().decode([Finding].self, from: Data(json.utf8))
    #expect(Set(findings.map(\.width)) == [360, 1280])
    for finding in findings {
      #expect(finding.isDark == isDark)
      #expect(finding.requests.isEmpty)
      #expect(finding.contrasts.isEmpty)
      #expect(finding.overflow <= 0, "\(finding.width) px")
      #expect(finding.overlaps.isEmpty, "\(finding.width) px")
    }
    return findings
  }

  @Test(arguments: [true, false])
  func `a page is readable, dark and light, on a phone and a desktop screen`(isDark: Bool) throws {
    for finding in try findings(ReportSamples.full().html, isDark: isDark) {
      #expect(finding.pictures.count == 6 && finding.pictures.allSatisfy { $0 > 0 })
      #expect(finding.texts > 100)
    }
  }

  @Test(arguments: [true, false])
  func `the page of a suite is readable, dark and light`(isDark: Bool) throws {
    for finding in try findings(SuitePageTests.page().html, isDark: isDark) {
      #expect(finding.texts > 10)
    }
  }

  @Test func `a page is drawn without a console message`() throws {
    let output = try Browser.run(
      ReportSamples.full().html, isDark: false,
      ["--screenshot=shot.png", "--window-size=1280,1600"])
    #expect(!output.log.contains(":CONSOLE"), "\(output.log)")
    #expect(Array(output.screenshot.prefix(4)) == [0x89, 0x50, 0x4e, 0x47])
    // A screenshot of an empty page has about 9 kB.
    #expect(output.screenshot.count > 50_000)
  }
}

enum Browser {
  struct Output {
    var document: String
    var log: String
    var screenshot: Data
  }

  /// Chromium's path, with Debian's name first.
  static let program: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for folder in folders {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
    }
    return nil
  }()

  static func run(_ page: String, isDark: Bool, _ options: [String]) throws -> Output {
    let temporary = TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.url
    let file = folder.appending(path: "page.html")
    try page.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "timeout", "120", try #require(program), "--headless", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--enable-logging=stderr", "--virtual-time-budget=20000",
        "--user-data-dir=\(folder.path)/profile",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      ] + options + [file.absoluteString]
    process.currentDirectoryURL = folder
    // Files, not pipes: processes that the browser leaves running would keep pipes open.
    let (document, log) = (folder.appending(path: "out"), folder.appending(path: "log"))
    for url in [document, log] { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: document)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    return Output(
      document: String(decoding: try Data(contentsOf: document), as: UTF8.self),
      log: String(decoding: try Data(contentsOf: log), as: UTF8.self),
      screenshot: (try? Data(contentsOf: folder.appending(path: "shot.png"))) ?? Data())
  }
}
