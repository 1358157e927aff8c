#include "tags.h"

#include <taglib/aifffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tpropertymap.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>

#include <memory>
#include <string>

using namespace TagLib;

namespace {
struct Tags {
  PropertyMap texts;
  const fx_tag_picture *pictures;
  size_t picture_count;
  const fx_tag_chapter *chapters;
  size_t chapter_count;
};

String utf8(const char *text) { return String(text, String::UTF8); }

ByteVector bytes(const fx_tag_picture &picture) {
  return ByteVector(
      reinterpret_cast<const char *>(picture.bytes), static_cast<unsigned int>(picture.count));
}

void fill(ID3v2::Tag *tag, const Tags &tags) {
  tag->setProperties(tags.texts);
  tag->removeFrames("APIC");
  tag->removeFrames("CHAP");
  tag->removeFrames("CTOC");
  for (size_t i = 0; i < tags.picture_count; i++) {
    const fx_tag_picture &picture = tags.pictures[i];
    auto frame = std::make_unique<ID3v2::AttachedPictureFrame>();
    frame->setTextEncoding(String::UTF8);
    frame->setMimeType(utf8(picture.mime));
    frame->setDescription(utf8(picture.description));
    frame->setType(static_cast<ID3v2::AttachedPictureFrame::Type>(picture.kind));
    frame->setPicture(bytes(picture));
    tag->addFrame(frame.release());
  }
  if (tags.chapter_count == 0) return;
  ByteVectorList names;
  for (size_t i = 0; i < tags.chapter_count; i++) {
    std::string name = "chp" + std::to_string(i);
    // The name includes its terminating zero.
    ByteVector id(name.c_str(), static_cast<unsigned int>(name.size() + 1));
    names.append(id);
    const fx_tag_chapter &chapter = tags.chapters[i];
    auto title = std::make_unique<ID3v2::TextIdentificationFrame>("TIT2", String::UTF8);
    title->setText(utf8(chapter.title));
    ID3v2::FrameList inner;
    inner.append(title.release());
    int64_t end = chapter.end >= 0 ? chapter.end : chapter.start;
    tag->addFrame(new ID3v2::ChapterFrame(
        id, static_cast<unsigned int>(chapter.start), static_cast<unsigned int>(end), 0xffffffff,
        0xffffffff, inner));
  }
  auto table = std::make_unique<ID3v2::TableOfContentsFrame>(ByteVector("toc\0", 4), names);
  table->setIsTopLevel(true);
  table->setIsOrdered(true);
  tag->addFrame(table.release());
}

FLAC::Picture *picture(const fx_tag_picture &source) {
  auto made = std::make_unique<FLAC::Picture>();
  made->setType(static_cast<FLAC::Picture::Type>(source.kind));
  made->setMimeType(utf8(source.mime));
  made->setDescription(utf8(source.description));
  made->setData(bytes(source));
  return made.release();
}

/// Vorbis comments have a chapter's time and title as two fields (Vorbis wiki, "Chapter Extension").
void fill(Ogg::XiphComment *comment, const Tags &tags) {
  PropertyMap texts = tags.texts;
  for (size_t i = 0; i < tags.chapter_count; i++) {
    const fx_tag_chapter &chapter = tags.chapters[i];
    char key[32], time[32];
    snprintf(key, sizeof key, "CHAPTER%03zu", i + 1);
    long long start = chapter.start;
    snprintf(
        time, sizeof time, "%02lld:%02lld:%02lld.%03lld", start / 3600000, start / 60000 % 60,
        start / 1000 % 60, start % 1000);
    texts[key] = StringList(String(time));
    texts[String(key) + "NAME"] = StringList(utf8(chapter.title));
  }
  comment->setProperties(texts);
}
} // namespace

int fx_tags_write(
    fx_tag_format format, const char *path, const fx_tag_text *texts, size_t text_count,
    const fx_tag_picture *pictures, size_t picture_count, const fx_tag_chapter *chapters,
    size_t chapter_count) try {
  Tags tags = {PropertyMap(), pictures, picture_count, chapters, chapter_count};
  for (size_t i = 0; i < text_count; i++)
    tags.texts[utf8(texts[i].key)].append(utf8(texts[i].value));
  switch (format) {
  case FX_TAGS_MPEG: {
    MPEG::File file(path, false);
    if (!file.isValid()) return 0;
    fill(file.ID3v2Tag(true), tags);
    return file.save(MPEG::File::ID3v2, File::StripOthers, ID3v2::v4, File::DoNotDuplicate);
  }
  case FX_TAGS_FLAC: {
    FLAC::File file(path, false);
    if (!file.isValid()) return 0;
    fill(file.xiphComment(true), tags);
    file.removePictures();
    for (size_t i = 0; i < picture_count; i++) file.addPicture(picture(pictures[i]));
    return file.save();
  }
  case FX_TAGS_VORBIS: {
    Ogg::Vorbis::File file(path, false);
    if (!file.isValid()) return 0;
    fill(file.tag(), tags);
    file.tag()->removeAllPictures();
    for (size_t i = 0; i < picture_count; i++) file.tag()->addPicture(picture(pictures[i]));
    return file.save();
  }
  case FX_TAGS_OPUS: {
    Ogg::Opus::File file(path, false);
    if (!file.isValid()) return 0;
    fill(file.tag(), tags);
    file.tag()->removeAllPictures();
    for (size_t i = 0; i < picture_count; i++) file.tag()->addPicture(picture(pictures[i]));
    return file.save();
  }
  case FX_TAGS_WAV: {
    RIFF::WAV::File file(path, false);
    if (!file.isValid()) return 0;
    // The short list that every program reads, and the tag that has room for everything.
    file.InfoTag()->setProperties(tags.texts);
    fill(file.ID3v2Tag(), tags);
    return file.save(RIFF::WAV::File::AllTags, File::StripNone, ID3v2::v4);
  }
  case FX_TAGS_AIFF: {
    RIFF::AIFF::File file(path, false);
    if (!file.isValid()) return 0;
    fill(file.tag(), tags);
    return file.save(ID3v2::v4);
  }
  default: return 0;
  }
} catch (...) {
  return 0;
}
