"""Reads from an earlier Documentation/Cuts.md the results of tools that were not run again."""


class Page:
    """`totals`: tool → its table row; `cells`: (file, tool) → right cuts out of all its cuts, as text."""

    def __init__(self, text, tools):
        self.totals, self.cells = {}, {}
        head = []
        for line in text.splitlines():
            words = [word.strip() for word in line.split("|")[1:-1]]
            if not words:
                head = []
            elif not head:
                head = words
            elif head[1:] == ["right", "wrong", "refused"]:
                tool = "copy" if words[0] == "ffmpeg -c copy" else words[0]
                if tool in tools:
                    self.totals[tool] = line
            else:
                self.cells |= {(words[0], tool): word for tool, word in zip(head, words)
                               if tool in tools}

    @property
    def peers(self):
        return {tool for _, tool in self.cells}
