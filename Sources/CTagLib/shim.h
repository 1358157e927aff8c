// The library is C++: CTags includes its headers, this module brings it along.
#pragma once
