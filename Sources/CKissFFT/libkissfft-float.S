#include "functions.inc"

library "libkissfft-float.so.131"
function kiss_fftr
function kiss_fftr_alloc
function kiss_fftri
end_library
