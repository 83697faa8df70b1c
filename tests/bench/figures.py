"""Line charts with logarithmic axes, as SVG."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 380  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 78, 190, 16, 32
TITLE, FOOT = 32, 28
COLOURS = ["#0b63b0", "#c2410c", "#15803d", "#7e22ce"]


def _number(x):
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if x >= size:
            return f"{x / size:g}{letter}"
    return f"{x:g}"


class _Axis:
    """From one power of ten to another, or less where the values stop half a power before it."""

    def __init__(self, values, start, end):
        low, high = math.log10(min(values)), math.log10(max(values))
        self.low, self.high = math.floor(2 * low) / 2, math.ceil(2 * high) / 2
        if self.high == self.low:
            self.high += 0.5
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        powers = range(math.floor(self.low), math.ceil(self.high) + 1)
        marks = [digit * 10.0 ** power for power in powers for digit in ((1, 2, 5) if self.high - self.low < 3 else (1,))]
        return [mark for mark in marks if self.low - 1e-9 <= math.log10(mark) <= self.high + 1e-9]


def _panel(top, x, y_label, lines):
    y = _Axis([point[1] for line in lines.values() for point in line], top + HEIGHT - BOTTOM, top + TOP)
    out = []
    for value in x.ticks():
        at = x.place(value)
        out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y.end}" y2="{y.start}" stroke="#e5e5e5"/>'
                   f'<text x="{at:.1f}" y="{y.start + 20}" text-anchor="middle">{_number(value)}</text>')
    for value in y.ticks():
        at = y.place(value)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e5e5e5"/>'
                   f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{_number(value)}</text>')
    middle = (y.start + y.end) / 2
    out.append(f'<text x="18" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 18 {middle:.0f})">'
               f'{escape(y_label)}</text>')
    kinds = list(dict.fromkeys(name.partition(", ")[2] for name in lines))
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[kinds.index(name.partition(", ")[2]) % len(COLOURS)]
        dashes = ' stroke-dasharray="6 4"' if name.startswith("floor") else ""
        path = " ".join(f"{x.place(px):.1f},{y.place(py):.1f}" for px, py in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        out += [f'<circle cx="{x.place(px):.1f}" cy="{y.place(py):.1f}" r="3" fill="{colour}"/>' for px, py in line]
        at, left = y.end + 14 + 22 * number, WIDTH - RIGHT + 14
        out.append(f'<line x1="{left}" x2="{left + 26}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="2"{dashes}/>'
                   f'<text x="{left + 32}" y="{at + 4}">{escape(name)}</text>')
    return out


def figure(title, x_label, panels):
    """The SVG text of panels one above the other: [(y label, {name: [(x, y), ...]}), ...]. What is named "floor, ..." is
    dashed and has the colour of the others that measure the same."""
    x = _Axis([point[0] for _, lines in panels for line in lines.values() for point in line], LEFT, WIDTH - RIGHT)
    height = TITLE + HEIGHT * len(panels) + FOOT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
           'font-size="13" fill="#222">',
           f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
           f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escape(title)}</text>']
    for number, (y_label, lines) in enumerate(panels):
        out += _panel(TITLE + HEIGHT * number, x, y_label, lines)
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{height - 10}" text-anchor="middle">{escape(x_label)}</text>')
    return "\n".join(out) + "\n</svg>\n"
