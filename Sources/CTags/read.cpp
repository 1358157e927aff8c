#include "stream.hpp"
#include "tags.h"

#include <taglib/aifffile.h>
#include <taglib/apefile.h>
#include <taglib/asffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/tpropertymap.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

using namespace TagLib;

static void visit(const PropertyMap &map, const fx_tag_visitor &visitor) {
  for (const auto &[key, values] : map) {
    for (const auto &value : values) {
      std::string name = key.upper().to8Bit(true), text = value.to8Bit(true);
      fx_tag_text item = {name.c_str(), text.c_str()};
      visitor.text(visitor.context, &item);
    }
  }
}

static void visit(
    int kind, const String &mime, const String &description, const ByteVector &bytes,
    const fx_tag_visitor &visitor) {
  std::string type = mime.to8Bit(true), text = description.to8Bit(true);
  fx_tag_picture picture = {
      kind, type.c_str(), text.c_str(), reinterpret_cast<const uint8_t *>(bytes.data()),
      bytes.size()};
  visitor.picture(visitor.context, &picture);
}

static void visit(const List<FLAC::Picture *> &pictures, const fx_tag_visitor &visitor) {
  for (const FLAC::Picture *picture : pictures)
    visit(picture->type(), picture->mimeType(), picture->description(), picture->data(), visitor);
}

static void visit(Ogg::XiphComment *comment, const fx_tag_visitor &visitor) {
  if (comment) visit(comment->pictureList(), visitor);
}

static void visit(const ID3v2::Tag *tag, const fx_tag_visitor &visitor) {
  if (!tag) return;
  for (const ID3v2::Frame *frame : tag->frameList("APIC")) {
    if (auto picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame))
      visit(picture->type(), picture->mimeType(), picture->description(), picture->picture(), visitor);
  }
  for (const ID3v2::Frame *frame : tag->frameList("CHAP")) {
    auto chapter = dynamic_cast<const ID3v2::ChapterFrame *>(frame);
    if (!chapter) continue;
    const ID3v2::FrameList titles = chapter->embeddedFrameList("TIT2");
    std::string title = titles.isEmpty() ? "" : titles.front()->toString().to8Bit(true);
    fx_tag_chapter item = {title.c_str(), chapter->startTime(), chapter->endTime()};
    visitor.chapter(visitor.context, &item);
  }
}

static void visit(MP4::Tag *tag, const fx_tag_visitor &visitor) {
  if (!tag || !tag->contains("covr")) return;
  for (const MP4::CoverArt &cover : tag->item("covr").toCoverArtList()) {
    const char *mime = cover.format() == MP4::CoverArt::PNG ? "image/png" : "image/jpeg";
    visit(3, mime, "", cover.data(), visitor);
  }
}

/// Reads the tags that all formats have. Skips the properties of the sound: finding them may read
/// the whole file.
template <class Kind> static int read(Kind &file, const fx_tag_visitor &visitor) {
  if (!file.isValid()) return 0;
  visit(file.properties(), visitor);
  return 1;
}

static int read(fx_tag_format format, ReadStream &stream, const fx_tag_visitor &visitor) try {
  switch (format) {
  case FX_TAGS_MPEG: {
    MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
    int found = read(file, visitor);
    if (found) visit(file.ID3v2Tag(false), visitor);
    return found;
  }
  case FX_TAGS_FLAC: {
    FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
    int found = read(file, visitor);
    if (found) visit(file.pictureList(), visitor);
    return found;
  }
  case FX_TAGS_OGG_FLAC: {
    Ogg::FLAC::File file(&stream, false);
    int found = read(file, visitor);
    if (found) visit(file.tag(), visitor);
    return found;
  }
  case FX_TAGS_VORBIS: {
    Ogg::Vorbis::File file(&stream, false);
    int found = read(file, visitor);
    if (found) visit(file.tag(), visitor);
    return found;
  }
  case FX_TAGS_OPUS: {
    Ogg::Opus::File file(&stream, false);
    int found = read(file, visitor);
    if (found) visit(file.tag(), visitor);
    return found;
  }
  case FX_TAGS_WAV: {
    RIFF::WAV::File file(&stream, false);
    int found = read(file, visitor);
    if (found) visit(file.ID3v2Tag(), visitor);
    return found;
  }
  case FX_TAGS_AIFF: {
    RIFF::AIFF::File file(&stream, false);
    int found = read(file, visitor);
    if (found) visit(file.tag(), visitor);
    return found;
  }
  case FX_TAGS_MP4: {
    MP4::File file(&stream, false);
    int found = read(file, visitor);
    if (found) visit(file.tag(), visitor);
    return found;
  }
  case FX_TAGS_ASF: {
    ASF::File file(&stream, false);
    return read(file, visitor);
  }
  case FX_TAGS_APE: {
    APE::File file(&stream, false);
    return read(file, visitor);
  }
  case FX_TAGS_WAVPACK: {
    WavPack::File file(&stream, false);
    return read(file, visitor);
  }
  }
  return 0;
} catch (...) {
  return 0;
}

int fx_tags_read(
    fx_tag_format format, fx_tag_stream source, fx_tag_visitor visitor, int *is_partial) {
  ReadStream stream(source);
  int found = read(format, stream, visitor);
  *is_partial = stream.isPartial();
  return found;
}
