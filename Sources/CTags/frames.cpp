#include "frames.hpp"

#include <taglib/id3v2extendedheader.h>
#include <taglib/id3v2footer.h>
#include <taglib/id3v2frame.h>
#include <taglib/id3v2synchdata.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string>

using namespace TagLib;

namespace {
/// Gives access to the header of a frame, as TagLib reads it.
struct FrameAccess : ID3v2::Frame {
  using Header = ID3v2::Frame::Header;
};

/// The most frames of all tags, and the most levels of frames in chapters.
constexpr unsigned frame_limit = 100000;
constexpr int depth_limit = 4;
/// The size of a frame's header from version 2.3 on.
constexpr unsigned header_size = 10;

/// TagLib reads no frame with another identifier. iTunes writes identifiers of version 2.2, whose
/// last byte is zero, into version 2.3.
bool is_identifier(const char *id, unsigned version) {
  for (int i = 0; i < (version < 3 ? 3 : 4); i++) {
    bool is_letter = (id[i] >= 'A' && id[i] <= 'Z') || (id[i] >= '0' && id[i] <= '9');
    if (!is_letter && !(version == 3 && i == 3 && id[i] == 0)) return false;
  }
  return true;
}

/// Decompresses like TagLib: up to the end of the stream or an error. False beyond `limit` bytes.
bool unpack(const ByteVector &packed, unsigned from, size_t limit, std::string &target) {
  z_stream stream = {};
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data())) + from;
  stream.avail_in = packed.size() - from;
  if (inflateInit(&stream) != Z_OK) return false;
  unsigned char chunk[1 << 14];
  int status = Z_OK;
  while (status == Z_OK && target.size() <= limit) {
    stream.next_out = chunk;
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    target.append(reinterpret_cast<char *>(chunk), sizeof chunk - stream.avail_out);
    if (stream.avail_out > 0 && status == Z_OK) break;
  }
  inflateEnd(&stream);
  return target.size() <= limit;
}

/// The place behind a text that ends with zero; unchanged where it does not end.
unsigned behind_text(const ByteVector &data, unsigned place) {
  if (place >= data.size()) return place;
  const void *end = memchr(data.data() + place, 0, data.size() - place);
  return end ? static_cast<unsigned>(static_cast<const char *>(end) - data.data()) + 1 : place;
}
} // namespace

/// `data` begins with a frame, and ends with what TagLib gives it: the rest of the tag.
bool FrameBudget::fits(const ID3v2::Header &header, const ByteVector &data, int depth) {
  if (++frames > frame_limit) return false;
  unsigned version = header.majorVersion();
  FrameAccess::Header frame(data, version);
  ByteVector decoded = data;
  if (version > 3 && (header.unsynchronisation() || frame.unsynchronisation()))
    decoded = data.mid(0, header_size) +
              ID3v2::SynchData::decode(data.mid(header_size, frame.frameSize()));
  unsigned from = version < 3 ? 6 : header_size;
  size_t count = frame.frameSize();
  bool has_length = frame.compression() || frame.dataLengthIndicator();
  if (has_length) {
    count = ID3v2::SynchData::toUInt(decoded.mid(from, 4));
    from += 4;
  }
  if (from >= decoded.size()) return true;
  bool nests = !memcmp(data.data(), "CHAP", 4) || !memcmp(data.data(), "CTOC", 4);
  ByteVector content;
  if (frame.compression() && !frame.encryption()) {
    std::string text;
    if (!unpack(decoded, from, left, text)) return false;
    count = text.size();
    if (nests) content = ByteVector(text.data(), static_cast<unsigned>(text.size()));
  } else {
    count = std::min(count, static_cast<size_t>(decoded.size() - from));
    if (count > left) return false;
    if (nests) content = decoded.mid(from, static_cast<unsigned>(count));
  }
  left -= count;
  return !nests || embeddedFit(header, content, depth + 1);
}

/// The frames in a chapter, or in a table of contents.
bool FrameBudget::embeddedFit(const ID3v2::Header &header, const ByteVector &data, int depth) {
  unsigned version = header.majorVersion();
  // Where the other kind of frame would begin does not matter: each start that TagLib may take is
  // tried.
  unsigned starts[2] = {behind_text(data, 0) + 16, behind_text(data, 0)};
  if (starts[1] + 2 <= data.size()) {
    unsigned entries = static_cast<unsigned char>(data.data()[starts[1] + 1]);
    starts[1] += 2;
    for (unsigned i = 0; i < entries; i++) starts[1] = behind_text(data, starts[1]);
  }
  for (unsigned place : starts) {
    while (place + header_size < data.size()) {
      ByteVector rest = data.mid(place);
      FrameAccess::Header frame(rest, version);
      if (!is_identifier(rest.data(), version) || frame.frameSize() == 0 ||
          frame.frameSize() > rest.size())
        break;
      if (depth > depth_limit || !fits(header, rest, depth)) return false;
      place += frame.frameSize() + header_size;
    }
  }
  return true;
}

void FrameBudget::apply(const ID3v2::Header &header, ByteVector &body) {
  unsigned version = header.majorVersion();
  unsigned size = version < 3 ? 6 : header_size;
  unsigned place = 0, end = body.size();
  if (header.extendedHeader()) {
    ID3v2::ExtendedHeader extended;
    extended.setData(body);
    if (extended.size() <= end) place = extended.size();
  }
  if (header.footerPresent() && ID3v2::Footer::size() <= end - place)
    end -= ID3v2::Footer::size();
  while (place + size < end && body.data()[place] != 0) {
    ByteVector rest = body.mid(place);
    FrameAccess::Header frame(rest, version);
    if (!is_identifier(rest.data(), version) || frame.frameSize() == 0 ||
        frame.frameSize() > rest.size())
      break;
    if (!fits(header, rest, 0)) {
      hidden = true;
      // An unknown frame, neither compressed nor longer than it is.
      memcpy(body.data() + place, "XXXX", version < 3 ? 3 : 4);
      if (version >= 3) memset(body.data() + place + 8, 0, 2);
      if (frames > frame_limit) break;
    }
    place += frame.frameSize() + size;
  }
  // TagLib takes zeros for the padding: it reads no frame that was not seen here.
  if (place < body.size()) memset(body.data() + place, 0, body.size() - place);
}
