#include "stream.hpp"

#include <algorithm>

TagLib::ByteVector ReadStream::readBlock(unsigned long count) {
  if (place < 0 || place >= source.length) return TagLib::ByteVector();
  // A damaged tag may claim any size.
  count = std::min(count, static_cast<unsigned long>(source.length - place));
  TagLib::ByteVector bytes(static_cast<unsigned int>(std::min(count, 1ul << 28)), 0);
  source.seek(source.context, place);
  size_t got = source.read(
      source.context, reinterpret_cast<uint8_t *>(bytes.data()), bytes.size());
  bytes.resize(static_cast<unsigned int>(std::min(got, static_cast<size_t>(bytes.size()))));
  place += bytes.size();
  return bytes;
}

void ReadStream::seek(long offset, Position origin) {
  place = (origin == Current ? place : origin == End ? source.length : 0) + offset;
}
