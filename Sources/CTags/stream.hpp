#pragma once

#include "tags.h"

#include <taglib/tiostream.h>

/// A TagLib stream that reads through callbacks and cannot be written.
class ReadStream : public TagLib::IOStream {
public:
  explicit ReadStream(const fx_tag_stream &source) : source(source) {}

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
  fx_tag_stream source;
  long place = 0;
};
