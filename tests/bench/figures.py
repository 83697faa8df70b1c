"""Line charts with logarithmic axes, as SVG."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 78, 190, 44, 56
COLOURS = ["#0b63b0", "#c2410c", "#15803d", "#7e22ce"]


def _number(x):
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if x >= size:
            return f"{x / size:g}{letter}"
    return f"{x:g}"


class _Axis:
    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def chart(title, x_label, y_label, lines):
    """The SVG text. lines: {name: [(x, y), ...]}; a name that begins with "floor" is dashed."""
    points = [point for line in lines.values() for point in line]
    x = _Axis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = _Axis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="13" fill="#222">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escape(title)}</text>']
    for value in x.ticks():
        at = x.place(value)
        out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e5e5e5"/>'
                   f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{_number(value)}</text>')
    for value in y.ticks():
        at = y.place(value)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e5e5e5"/>'
                   f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{_number(value)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">'
               f'{escape(x_label)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(f'<text x="18" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 18 {middle:.0f})">'
               f'{escape(y_label)}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        dashes = ' stroke-dasharray="6 4"' if name.startswith("floor") else ""
        path = " ".join(f"{x.place(px):.1f},{y.place(py):.1f}" for px, py in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        out += [f'<circle cx="{x.place(px):.1f}" cy="{y.place(py):.1f}" r="3" fill="{colour}"/>' for px, py in line]
        at = TOP + 14 + 22 * number
        out.append(f'<line x1="{WIDTH - RIGHT + 14}" x2="{WIDTH - RIGHT + 40}" y1="{at}" y2="{at}" stroke="{colour}" '
                   f'stroke-width="2"{dashes}/><text x="{WIDTH - RIGHT + 46}" y="{at + 4}">{escape(name)}</text>')
    return "\n".join(out) + "\n</svg>\n"
