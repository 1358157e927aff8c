#pragma once

#include "tags.h"

#include <taglib/id3v2header.h>

#include <cstddef>

/// Limits what TagLib unpacks from the frames of ID3v2 tags, before it sees them.
///
/// A frame may be compressed, and it may claim the whole rest of the tag as its content; frames in
/// chapters may do so again and again. So a tag of a few kilobytes could fill the memory.
class FrameBudget {
public:
  /// The most bytes of all contents, and of all tags.
  static constexpr size_t most = FX_TAG_BYTES;

  /// Walks the frames as TagLib does, and hides those that go beyond the budget. `body` is the
  /// tag without its header.
  void apply(const TagLib::ID3v2::Header &header, TagLib::ByteVector &body);

  /// True once something was hidden.
  bool hid() const { return hidden; }

private:
  bool fits(const TagLib::ID3v2::Header &header, const TagLib::ByteVector &data, int depth);
  bool embeddedFit(const TagLib::ID3v2::Header &header, const TagLib::ByteVector &data, int depth);

  size_t left = most;
  unsigned frames = 0;
  bool hidden = false;
};
