// The file name of a library of FFmpeg's, of the version that the headers are of.
#ifndef TRIM_LATEFFMPEG_SONAME_H
#define TRIM_LATEFFMPEG_SONAME_H

#define TEXT(x) #x
#define SONAME(name, major) SONAME2(name, major)
#ifdef __APPLE__
#define SONAME2(name, major) "lib" name "." TEXT(major) ".dylib"
#else
#define SONAME2(name, major) "lib" name ".so." TEXT(major)
#endif

#endif
