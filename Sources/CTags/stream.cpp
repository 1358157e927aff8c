#include "stream.hpp"

#include <taglib/id3v2synchdata.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

using TagLib::ByteVector;

/// The most stack that TagLib may use: it reads boxes of MP4 within boxes by calling itself.
static constexpr long stack_limit = 1 << 18;

ByteVector ReadStream::readBlock(unsigned long count) {
  const char *here = static_cast<const char *>(__builtin_frame_address(0));
  if (calls == 0 || std::abs(base - here) > stack_limit) {
    refused = true;
    throw std::length_error("the tags are too deep or too many");
  }
  calls--;
  long start = place;
  ByteVector bytes = block(count);
  limitFrames(start, count, bytes);
  return bytes;
}

ByteVector ReadStream::block(unsigned long count) {
  if (place < 0 || place >= source.length) return ByteVector();
  // A damaged tag may claim any size.
  count = std::min(count, static_cast<unsigned long>(source.length - place));
  if (count > left) {
    refused = true;
    return ByteVector();
  }
  ByteVector bytes(static_cast<unsigned int>(count), 0);
  source.seek(source.context, place);
  size_t got = source.read(
      source.context, reinterpret_cast<uint8_t *>(bytes.data()), bytes.size());
  bytes.resize(static_cast<unsigned int>(std::min(got, static_cast<size_t>(bytes.size()))));
  place += bytes.size();
  left -= bytes.size();
  return bytes;
}

/// TagLib reads the header of an ID3v2 tag, then the rest in one block.
void ReadStream::limitFrames(long start, unsigned long count, ByteVector &bytes) {
  if (bytes.size() == TagLib::ID3v2::Header::size() && bytes.startsWith("ID3")) {
    header = bytes;
    headerEnd = start + static_cast<long>(bytes.size());
    // Up to version 2.3 the whole tag is encoded without 0xff 0xe0; it is decoded here.
    if (static_cast<unsigned char>(bytes.data()[3]) <= 3) bytes.data()[5] &= 0x7f;
    return;
  }
  if (start != headerEnd) return;
  TagLib::ID3v2::Header tag(header);
  if (count != tag.tagSize()) return;
  unsigned size = bytes.size();
  if (tag.unsynchronisation() && tag.majorVersion() <= 3)
    bytes = TagLib::ID3v2::SynchData::decode(bytes);
  budget.apply(tag, bytes);
  bytes.resize(size, 0);
}

void ReadStream::seek(long offset, Position origin) {
  place = (origin == Current ? place : origin == End ? source.length : 0) + offset;
}
