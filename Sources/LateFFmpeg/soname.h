// The file name of an FFmpeg library, in the version of the headers.
#ifndef TRIM_LATEFFMPEG_SONAME_H
#define TRIM_LATEFFMPEG_SONAME_H

#define TEXT(x) #x
#define SONAME(name, major) SONAME2(name, major)
#define SONAME2(name, major) "lib" name ".so." TEXT(major)

#endif
