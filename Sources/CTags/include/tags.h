// Reads and writes the tags of sound files with TagLib, whose own C interface has neither covers
// nor chapters.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fx_tag_format {
  FX_TAGS_MPEG,
  FX_TAGS_FLAC,
  FX_TAGS_OGG_FLAC,
  FX_TAGS_VORBIS,
  FX_TAGS_OPUS,
  FX_TAGS_WAV,
  FX_TAGS_AIFF,
  FX_TAGS_MP4,
  FX_TAGS_ASF,
  FX_TAGS_APE,
  FX_TAGS_WAVPACK,
};

struct fx_tag_text {
  /// In capitals, as in Vorbis comments: `TITLE`.
  const char *_Nonnull key;
  /// UTF-8.
  const char *_Nonnull value;
};

struct fx_tag_picture {
  /// The kind of picture, by the numbers of ID3v2's APIC: 3 is the front cover.
  int kind;
  const char *_Nonnull mime;
  const char *_Nonnull description;
  const uint8_t *_Nullable bytes;
  size_t count;
};

struct fx_tag_chapter {
  const char *_Nonnull title;
  /// In milliseconds; the end is negative where it is unknown.
  int64_t start;
  int64_t end;
};

/// A source of bytes. `read` returns the number of bytes read; `seek` takes an offset from the
/// start.
struct fx_tag_stream {
  void *_Nullable context;
  int64_t length;
  size_t (*_Nonnull read)(void *_Nullable context, uint8_t *_Nonnull target, size_t count);
  void (*_Nonnull seek)(void *_Nullable context, int64_t offset);
};

/// Called for each item that is found.
struct fx_tag_visitor {
  void *_Nullable context;
  void (*_Nonnull text)(void *_Nullable context, const struct fx_tag_text *_Nonnull text);
  void (*_Nonnull picture)(void *_Nullable context, const struct fx_tag_picture *_Nonnull picture);
  void (*_Nonnull chapter)(void *_Nullable context, const struct fx_tag_chapter *_Nonnull chapter);
};

/// Reads the tags of a stream. Returns 0 where they cannot be read. `is_partial` receives 1 where
/// some are left out because they are too large.
int fx_tags_read(
    enum fx_tag_format format, struct fx_tag_stream stream, struct fx_tag_visitor visitor,
    int *_Nonnull is_partial);

/// The most bytes of all tags of a file, packed and unpacked.
#define FX_TAG_BYTES (16 << 20)

/// Replaces the tags of a file. Returns 0 where the file cannot be written, or not in this format.
int fx_tags_write(
    enum fx_tag_format format, const char *_Nonnull path,
    const struct fx_tag_text *_Nullable texts, size_t text_count,
    const struct fx_tag_picture *_Nullable pictures, size_t picture_count,
    const struct fx_tag_chapter *_Nullable chapters, size_t chapter_count);

#ifdef __cplusplus
}
#endif
