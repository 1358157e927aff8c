// A target needs a source file; everything here is inline in include/.
