import CTags

/// A way of storing tags.
enum TagFormat: Sendable {
  case mpeg, flac, oggFLAC, vorbis, opus, wav, aiff, mp4, asf, ape, wavPack

  var code: fx_tag_format {
    switch self {
    case .mpeg: FX_TAGS_MPEG
    case .flac: FX_TAGS_FLAC
    case .oggFLAC: FX_TAGS_OGG_FLAC
    case .vorbis: FX_TAGS_VORBIS
    case .opus: FX_TAGS_OPUS
    case .wav: FX_TAGS_WAV
    case .aiff: FX_TAGS_AIFF
    case .mp4: FX_TAGS_MP4
    case .asf: FX_TAGS_ASF
    case .ape: FX_TAGS_APE
    case .wavPack: FX_TAGS_WAVPACK
    }
  }
}
