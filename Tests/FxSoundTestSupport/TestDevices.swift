package import FxAudio
package import FxPlaying
import Glibc

/// Devices of alsa-lib's own that swallow sound or write it to a file: `fxnull`, `fxfile` and so on.
package struct TestDevices {
  /// The prefix of device names: suites that run at the same time share no file.
  package enum Prefix: String, CaseIterable { case fx, live }

  /// Where the devices read and write files.
  package var folder: String { "\(TestDevices.root)/\(prefix)" }

  /// Whether alsa-lib accepted the devices.
  package let isConfigured: Bool

  private let prefix: Prefix
  private static let root = "/tmp/fxrun-alsa-\(getpid())"

  private static let hasConfiguration: Bool = {
    mkdir(root, 0o755)
    atexit { _ = system("rm -rf /tmp/fxrun-alsa-\(getpid())") }
    var text = "</usr/share/alsa/alsa.conf>\n"
    for prefix in Prefix.allCases {
      mkdir("\(root)/\(prefix)", 0o755)
      text += configuration(prefix.rawValue, folder: "\(root)/\(prefix)")
    }
    let path = "\(root)/asound.conf"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let count = text.utf8CString.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count - 1) }
    close(descriptor)
    return setenv("ALSA_CONFIG_PATH", path, 1) == 0 && count == text.utf8.count
  }()

  private static func configuration(_ prefix: String, folder: String) -> String {
    """
    pcm.\(prefix)null { type null }
    pcm.\(prefix)file {
      type file slave.pcm "\(prefix)null" file "\(folder)/out.raw" format "raw"
    }
    pcm.\(prefix)short {
      type file slave.pcm "\(prefix)null" file "\(folder)/short.raw" format "raw"
    }
    pcm.\(prefix)linear { type linear slave { pcm "\(prefix)short" format S16_LE } }
    pcm.\(prefix)mic {
      type file slave.pcm "\(prefix)null" file "/dev/null" infile "\(folder)/in.raw" format "raw"
    }
    pcm.\(prefix)both { type asym playback.pcm \(prefix)null capture.pcm \(prefix)mic }
    pcm.\(prefix)narrow {
      type multi slaves.a { pcm "\(prefix)null" channels 1 } bindings.0 { slave a channel 0 }
    }

    """
  }

  package init(_ prefix: Prefix) {
    self.prefix = prefix
    isConfigured = TestDevices.hasConfiguration
  }

  package func player(
    _ name: String, channelCount: Int = 2, period: Int = 256
  ) throws(Failure) -> SoundDevice {
    var request = SoundDevice.Request(playback: SoundDevice.End(name, channelCount: channelCount))
    request.sampleRate = 44100
    request.periodFrameCount = period
    return try SoundDevice(request)
  }

  package func recorder(_ name: String, channelCount: Int) throws(Failure) -> SoundDevice {
    var request = SoundDevice.Request(capture: SoundDevice.End(name, channelCount: channelCount))
    request.sampleRate = 44100
    return try SoundDevice(request)
  }

  /// The microphone's signal: two channels of floats.
  package func putInFrontOfMicrophone(_ sound: [[Float]]) {
    let frames: [Float] = (0..<2 * sound[0].count).map { sound[$0 % 2][$0 / 2] }
    let descriptor = open("\(folder)/in.raw", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = frames.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }
}
