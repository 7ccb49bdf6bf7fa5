"""Formats the measurements as a table."""


def as_table(rows):
    yield (f"{'':15} {'trim ms':>8} {'peer ms':>8} {'ratio':>6} {'limit':>6}   "
           f"{'trim MiB':>8} {'peer MiB':>8} {'ratio':>6} {'limit':>6}")
    for row in rows:
        yield (f"{row['name']:15} {row['trim_cpu'] * 1000:8.1f} {row['peer_cpu'] * 1000:8.1f} "
               f"{row['cpu_ratio']:6.3f} {row['cpu_limit']:6.2f}   "
               f"{row['trim_memory']:8.1f} {row['peer_memory']:8.1f} "
               f"{row['memory_ratio']:6.2f} {row['memory_limit']:6.2f}  "
               f"{'ok' if row['ok'] else 'MISSED'}  {row['what']}")
