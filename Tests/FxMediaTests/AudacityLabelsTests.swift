import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import Testing

/// Labels of Audacity as chapters.
struct AudacityLabelsTests {
  private func labels(_ text: String) throws -> AudacityLabels {
    try AudacityLabels(Array(text.utf8))
  }

  @Test func `labels at points and over regions are chapters in the order of their starts`() throws
  {
    let text =
      "5.500000\t5.500000\tTwo\r\n\\\t120.0\t4000.0\r\n0.000000\t4.250000\tOne\r\n\r\n9\t\t\n"
    let chapters = try labels(text).chapters
    #expect(chapters.map(\.title) == ["One", "Two", ""])
    #expect(chapters.map(\.start) == [0, 5.5, 9])
    #expect(chapters.map(\.end) == [4.25, 9, nil])
    #expect(AudacityLabels.begins(Array(text.utf8)))
  }

  @Test func `a title may contain tabs, and may be missing`() throws {
    let chapters = try labels("1\t2\ta\tb\n3\tOnly\n4\t5").chapters
    #expect(chapters.map(\.title) == ["a b", "Only", ""])
    #expect(chapters.map(\.start) == [1, 3, 4])
  }

  @Test func `a decimal comma is read, with a warning`() throws {
    let found = try labels("1,5\t2,5\tA\n3\t4\tB")
    #expect(found.chapters.map(\.start) == [1.5, 3] && found.chapters.map(\.end) == [2.5, 4])
    #expect(found.warnings.count == 1 && found.warnings[0].hasPrefix("2 of its times"))
  }

  @Test(arguments: [
    ("0\t1\tA\nx\t2\tB", "line 2: a label is a start"),
    ("\n\n-1\t1\tA", "line 3: -1 to 1 is no time"),
    ("2\t1\tA", "line 1: the label ends at 1, before it begins (2)"),
    ("1e300\t1e300\tA", "line 1: "), ("0\t1e10\tA", "line 1: "),
    ("0\t1\tA\n1.2.3\t4\tB", "line 2: "),
  ])
  func `a wrong label is reported with its line`(_ text: String, _ message: String) {
    let found = ioError { _ = try labels(text) }?.message
    #expect(found?.hasPrefix(message) == true, "\(found ?? "none")")
  }

  @Test func `written labels give the same chapters to a frame at any rate`() throws {
    var chapters = (0..<1000).map { index in
      SoundTags.Chapter(title: "\(index)", start: Double(index * 7919) / 768_000)
    }
    chapters[7].title = "with\ttab"
    let text = AudacityLabels.text(chapters.within(20), duration: 20)
    let back = try labels(text).chapters
    #expect(back.map(\.title) == chapters.map { $0.title.replacing("\t", with: " ") })
    #expect(zip(back, chapters).allSatisfy { abs($0.start - $1.start) < 0.5 / 768_000 })
  }

  @Test func `10,000 labels are read, and more are refused`() throws {
    let line = { (index: Int) in "\(index)\t\(index)\tT\n" }
    let text = (0..<10_000).map(line).joined()
    #expect(try labels(text).chapters.count == 10_000)
    #expect(
      ioError { _ = try labels(text + line(10_000)) }?.message.hasPrefix("line 10001") == true)
  }
}
