// Type information (Itanium C++ ABI, 2.9) for the types of TagLib that its users inherit from or
// cast to. With the library's own, the library would be needed when the program starts. Types are
// compared by name.

.macro type name, kind:vararg
  .section .rodata.\name, "a"
  .Lname_\name: .asciz "\name"
  .section .data.rel.ro._ZTI\name, "aw"
  .balign 8
  .globl _ZTI\name
  .hidden _ZTI\name
_ZTI\name:
  .quad \kind
  .size _ZTI\name, . - _ZTI\name
.endm

#define PLAIN _ZTVN10__cxxabiv117__class_type_infoE + 16
#define DERIVED _ZTVN10__cxxabiv120__si_class_type_infoE + 16

type N6TagLib8IOStreamE, PLAIN, .Lname_N6TagLib8IOStreamE
type N6TagLib5ID3v25FrameE, PLAIN, .Lname_N6TagLib5ID3v25FrameE
type N6TagLib5ID3v220AttachedPictureFrameE, DERIVED, .Lname_N6TagLib5ID3v220AttachedPictureFrameE, _ZTIN6TagLib5ID3v25FrameE
type N6TagLib5ID3v212ChapterFrameE, DERIVED, .Lname_N6TagLib5ID3v212ChapterFrameE, _ZTIN6TagLib5ID3v25FrameE

.section .note.GNU-stack, "", %progbits
