#pragma once

#include "frames.hpp"
#include "tags.h"

#include <taglib/tiostream.h>

/// A TagLib stream that reads through callbacks and cannot be written. It keeps TagLib from using
/// too much memory, time or stack over a damaged file.
class ReadStream : public TagLib::IOStream {
public:
  explicit ReadStream(const fx_tag_stream &source) : source(source) {}

  /// True if something was hidden from TagLib because it is too large.
  bool isPartial() const { return refused || budget.hid(); }

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(unsigned long count) override;
  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
  void removeBlock(unsigned long, unsigned long) override {}
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  void seek(long offset, Position origin) override;
  long tell() const override { return place; }
  long length() override { return source.length; }
  void truncate(long) override {}

private:
  TagLib::ByteVector block(unsigned long count);
  void limitFrames(long start, unsigned long count, TagLib::ByteVector &bytes);

  fx_tag_stream source;
  long place = 0;
  /// The bytes and the calls that TagLib may still read.
  size_t left = FrameBudget::most;
  unsigned calls = 1000000;
  bool refused = false;
  FrameBudget budget;
  /// The last header of an ID3v2 tag, and the place behind it.
  TagLib::ByteVector header;
  long headerEnd = -1;
  /// An address in the stack of the caller that made the stream.
  const char *base = static_cast<const char *>(__builtin_frame_address(0));
};
