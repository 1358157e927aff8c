@testable import FxChain
import Testing

@Suite struct WordSearchTests {
  @Test func `words end at signs and where a capital letter follows a small one`() {
    #expect(WordSearch.words("Attack-threshold (dB)") == ["attack", "threshold", "d", "b"])
    #expect(WordSearch.words("dryWet") == ["dry", "wet"])
    #expect(WordSearch.words("LSP Compressor") == ["lsp", "compressor"])
    #expect(WordSearch.words(" :/ ") == [])
  }

  @Test func `a word is found whole, as a beginning, across a hyphen and with a typing error`() {
    func distance(_ word: String, _ text: String, forgiving: Bool = false) -> Int? {
      WordSearch.distance(of: word, from: WordSearch.words(text), forgiving: forgiving)
    }
    #expect(distance("reverb", "Calf Reverb") == 0)
    #expect(distance("rev", "Calf Reverb") == 1)
    #expect(distance("deesser", "The De-esser") == 2)
    #expect(distance("reverv", "Calf Reverb") == nil)
    #expect(distance("reverv", "Calf Reverb", forgiving: true) == 3)
    #expect(distance("rvb", "Calf Reverb", forgiving: true) == nil)
    // A mistake for every four letters of the wanted word: two for nine, one for seven.
    #expect(distance("conpresor", "The Compressor", forgiving: true) == 4)
    #expect(distance("konpresor", "The Compressor", forgiving: true) == nil)
    #expect(distance("limeter", "The Limiter", forgiving: true) == 3)
    #expect(distance("limeder", "The Limiter", forgiving: true) == nil)
  }

  @Test func `the texts with all words are found, whatever their order`() {
    let texts = ["Attack time", "Attack threshold", "Release threshold"]
    #expect(WordSearch.best(for: "threshold attack", in: texts) == [1])
    #expect(WordSearch.best(for: "threshold", in: texts) == [1, 2])
    #expect(WordSearch.best(for: "treshold", in: texts) == [1, 2])
    #expect(WordSearch.best(for: "wobble", in: texts) == [])
    #expect(WordSearch.best(for: "", in: texts) == [])
  }
}
