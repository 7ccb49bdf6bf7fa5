"""Cuts damaged clips where sound is decoded: parts joined into one file, and WAV."""

from soaking import clips, mutations

ABOUT = "joins parts of damaged clips, and writes their sound as WAV"
COUNT = 1000
PARTS = [("10%", "30%", "50%", "80%"), ("0", "25%", "40%", "60%"), ("50%", "70%", "20%", "40%")]


def decoded(chance, path):
    """Returns the options of two joined parts, or of a cut into WAV, and the ending of the output."""
    if chance.random() < 0.5:
        begin, end = chance.choice(mutations.RANGES)
        return ["--from", begin, *(["--to", end] if end else [])], ".wav"
    first, second, third, fourth = chance.choice(PARTS)
    own = clips.OWN.get(path.suffix.lower(), path.suffix.lower())
    return ["--keep", f"{first}..{second}", "--keep", f"{third}..{fourth}", "--join"], own


def run(bench):
    return mutations.run(bench, "mutations_decoded", decoded)
