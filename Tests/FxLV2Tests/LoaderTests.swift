@testable import FxLV2
import Testing

@Suite struct LoaderTests {
  @Test func `the missing symbol is found in the loader's message`() {
    let reason = "/usr/lib/lv2/mbeq-swh.lv2/plugin-linux.so: undefined symbol: fftwf_execute"
    #expect(LV2Loader.undefinedSymbol(in: reason) == "fftwf_execute")
    #expect(
      LV2Loader.undefinedSymbol(in: "x.so: undefined symbol: fftw_malloc, version A")
        == "fftw_malloc")
    #expect(LV2Loader.undefinedSymbol(in: "x.so: file too short") == nil)
  }

  @Test func `each symbol's prefix leads to its library`() {
    func provider(_ symbol: String) -> String? {
      LV2Loader.providers.first { symbol.hasPrefix($0.symbolPrefix) }?.library
    }
    #expect(provider("fftwf_execute") == "libfftw3f.so.3")
    #expect(provider("fftw_execute") == "libfftw3.so.3")
    #expect(provider("memcpy") == nil)
  }

  @Test func `only a plugin that is known to need a power of two is refused without one`() {
    for uri in LV2Quirks.needPowerOf2 {
      #expect(
        LV2Quirks.problem(of: uri, blockLength: 1000, sampleRate: 48000)?.contains("is 1000")
          == true)
      #expect(LV2Quirks.problem(of: uri, blockLength: 4096, sampleRate: 48000) == nil)
    }
    #expect(
      LV2Quirks.problem(of: "urn:fxrun:test:gain", blockLength: 1000, sampleRate: 48000) == nil)
  }

  @Test func `a plugin that is known to write past its memory at high rates is refused there`() {
    for uri in LV2Quirks.highestRates.keys {
      let problem = LV2Quirks.problem(of: uri, blockLength: 64, sampleRate: 96000)
      #expect(problem?.contains("above 48000 Hz, and the sample rate is 96000 Hz") == true)
      #expect(LV2Quirks.problem(of: uri, blockLength: 64, sampleRate: 48000) == nil)
    }
  }

  @Test func `memory that a plugin has not written is zero while it is made`() throws {
    var dirt: [UnsafeMutableRawPointer] = []
    for index in 0..<2000 {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 24 + index * 8, alignment: 16)
      memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: 24 + index * 8)
      dirt.append(memory)
    }
    dirt.forEach { $0.deallocate() }
    let hoarder = try fixture("hoarder").made()
    _ = hoarder.render([[0]])
    // Of 800,000 bytes; memory that the C library reuses within the call keeps a few.
    #expect(hoarder.reading("dirt") < 1000)
  }
}
