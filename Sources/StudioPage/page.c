#include "StudioPage.h"

#include <string.h>

// A directive of C23, which clang has in every mode.
#ifndef __has_embed
#error "the studio's page is embedded by #embed, which clang has since version 19"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t index_html[] = {
#embed "../TrimStudio/Resources/index.html"
};
static const uint8_t studio_css[] = {
#embed "../TrimStudio/Resources/studio.css"
};
static const uint8_t icon_svg[] = {
#embed "../TrimStudio/Resources/icon.svg"
};
static const uint8_t studio_js[] = {
#embed "../TrimStudio/Resources/studio.js"
};
static const uint8_t arrival_js[] = {
#embed "../TrimStudio/Resources/arrival.js"
};
static const uint8_t beginning_js[] = {
#embed "../TrimStudio/Resources/beginning.js"
};
static const uint8_t wire_js[] = {
#embed "../TrimStudio/Resources/wire.js"
};
static const uint8_t times_js[] = {
#embed "../TrimStudio/Resources/times.js"
};
static const uint8_t deck_js[] = {
#embed "../TrimStudio/Resources/deck.js"
};
static const uint8_t stream_js[] = {
#embed "../TrimStudio/Resources/stream.js"
};
static const uint8_t track_js[] = {
#embed "../TrimStudio/Resources/track.js"
};
static const uint8_t player_js[] = {
#embed "../TrimStudio/Resources/player.js"
};
static const uint8_t result_js[] = {
#embed "../TrimStudio/Resources/result.js"
};
static const uint8_t timeline_js[] = {
#embed "../TrimStudio/Resources/timeline.js"
};
static const uint8_t controls_js[] = {
#embed "../TrimStudio/Resources/controls.js"
};
static const uint8_t keys_js[] = {
#embed "../TrimStudio/Resources/keys.js"
};
static const uint8_t folders_js[] = {
#embed "../TrimStudio/Resources/folders.js"
};
static const uint8_t list_js[] = {
#embed "../TrimStudio/Resources/list.js"
};
static const uint8_t lists_js[] = {
#embed "../TrimStudio/Resources/lists.js"
};
static const uint8_t markers_js[] = {
#embed "../TrimStudio/Resources/markers.js"
};
static const uint8_t sounds_js[] = {
#embed "../TrimStudio/Resources/sounds.js"
};
static const uint8_t find_js[] = {
#embed "../TrimStudio/Resources/find.js"
};

#define FILE(file, identifier) {file, identifier, sizeof identifier}

static const trim_studio_file files[] = {
    FILE("index.html", index_html),
    FILE("studio.css", studio_css),
    FILE("icon.svg", icon_svg),
    FILE("studio.js", studio_js),
    FILE("arrival.js", arrival_js),
    FILE("beginning.js", beginning_js),
    FILE("wire.js", wire_js),
    FILE("times.js", times_js),
    FILE("deck.js", deck_js),
    FILE("stream.js", stream_js),
    FILE("track.js", track_js),
    FILE("player.js", player_js),
    FILE("result.js", result_js),
    FILE("timeline.js", timeline_js),
    FILE("controls.js", controls_js),
    FILE("keys.js", keys_js),
    FILE("folders.js", folders_js),
    FILE("list.js", list_js),
    FILE("lists.js", lists_js),
    FILE("markers.js", markers_js),
    FILE("sounds.js", sounds_js),
    FILE("find.js", find_js),
};

const trim_studio_file *trim_find_studio_file(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) return &files[index];
  }
  return NULL;
}
