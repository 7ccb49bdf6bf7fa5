/// FFmpeg's names for the four-character keys of iTunes and QuickTime metadata.
enum TagNames {
  static func name(_ type: FourCC) -> String { names[type] ?? type.description }

  private static let names: [FourCC: String] = [
    "©nam": "title", "titl": "title", "©ART": "artist", "©aut": "artist", "perf": "performers",
    "aART": "album_artist", "©wrt": "composer", "©com": "composer", "©alb": "album",
    "albm": "album", "©day": "date", "yrrc": "year", "©too": "encoder", "©enc": "encoder",
    "©swr": "encoder", "©cmt": "comment", "©inf": "comment", "©gen": "genre", "gnre": "genre",
    "©cpy": "copyright", "cprt": "copyright", "desc": "description", "dscp": "description",
    "ldes": "synopsis", "©lyr": "lyrics", "©grp": "grouping", "tvsh": "show",
    "tven": "episode_id", "tvnn": "network", "tves": "episode_sort", "tvsn": "season_number",
    "trkn": "track", "disk": "disc", "cpil": "compilation", "pgap": "gapless_playback",
    "stik": "media_type", "hdvd": "hd_video", "rtng": "rating", "sonm": "sort_name",
    "soar": "sort_artist", "soal": "sort_album", "soaa": "sort_album_artist",
    "soco": "sort_composer", "sosn": "sort_show", "keyw": "keywords", "catg": "category",
    "purd": "purchase_date", "©mak": "make", "©mod": "model", "©xyz": "location",
    "©fmt": "original_format", "©dir": "director", "©dis": "disclaimer", "©prd": "producer",
    "©prf": "performers", "©req": "playback_requirements", "©src": "original_source",
    "©wrn": "warning", "©ed1": "edit_date", "©hst": "host_computer", "©url": "URL",
    "©trk": "track", "©chp": "chapter", "©isr": "isrc", "©arg": "arranger", "auth": "author",
    "name": "title",
  ]
}
