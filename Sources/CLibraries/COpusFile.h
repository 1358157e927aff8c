#pragma once

#include <opus/opusfile.h>
