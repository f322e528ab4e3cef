"""The writer of SVG: a `Picture` as text that browsers, notebooks and drawing programs show."""

from __future__ import annotations

from html import escape

from quincunx.shapes import Circle, Group, Line, Picture, Polygon, Shape, Text, checked_size

__all__ = ["write"]


def write(picture: Picture, size: int) -> str:
    """Return a picture as SVG, `size` pixels on the longer side."""
    scale = checked_size(size) / max(picture.width, picture.height)
    pen = _Pen(picture, scale)
    width, height = pen.number(picture.width), pen.number(picture.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(picture.title)}</title>",
        f"<desc>{escape(picture.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{picture.background}"/>',
        *(pen.group(group) for group in picture.groups if group.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


class _Pen:
    """Writes shapes in pixels."""

    def __init__(self, picture: Picture, scale: float) -> None:
        self._left, self._top, self._scale = picture.left, picture.top, scale

    def number(self, length: float) -> str:
        # Rounded to hundredths; what is added makes 0 of -0.
        return f"{round(length * self._scale, 2) + 0.0:g}"

    def x(self, x: float) -> str:
        return self.number(x - self._left)

    def y(self, y: float) -> str:
        return self.number(y - self._top)

    def group(self, group: Group) -> str:
        """Return a group; a style that all its shapes have is written once."""
        drawn = [self.shape(shape) for shape in group.shapes]
        styles = {style for _, _, style in drawn}
        shared = f" {drawn[0][2]}" if len(styles) == 1 else ""
        title = f"<title>{escape(group.about)}</title>" if group.about else ""
        inner = "".join(
            f"<{start}{'' if shared else f' {style}'}{end}" for start, end, style in drawn
        )
        return f'<g class="{group.kind}"{shared}>{title}{inner}</g>'

    def shape(self, shape: Shape) -> tuple[str, str, str]:
        """Return an element without its style, what ends it, and the style."""
        if isinstance(shape, Circle):
            place = f'cx="{self.x(shape.x)}" cy="{self.y(shape.y)}" r="{self.number(shape.radius)}"'
            return f"circle {place}", "/>", self.style(shape.fill, shape.stroke, shape.width)
        if isinstance(shape, Polygon):
            points = " ".join(f"{self.x(x)},{self.y(y)}" for x, y in shape.points)
            style = self.style(shape.fill, shape.stroke, shape.width)
            # The outline of an arrow would run far beyond its tip.
            style += ' stroke-linejoin="round"' if shape.stroke else ""
            return f'polygon points="{points}"', "/>", style
        if isinstance(shape, Line):
            (x1, y1), (x2, y2) = shape.start, shape.end
            ends = f'x1="{self.x(x1)}" y1="{self.y(y1)}" x2="{self.x(x2)}" y2="{self.y(y2)}"'
            style = f'{self.style(None, shape.stroke, shape.width)} stroke-linecap="round"'
            return f"line {ends}", "/>", style
        return self.text(shape)

    def style(self, fill: str | None, stroke: str | None, width: float) -> str:
        text = f'fill="{fill or "none"}"'
        if stroke:
            text += f' stroke="{stroke}" stroke-width="{self.number(width)}"'
        return text

    def text(self, text: Text) -> tuple[str, str, str]:
        # Half of a capital is 0.36 of the size: more alike everywhere than `dominant-baseline`.
        style = f'font-size="{self.number(text.size)}" fill="{text.fill}"'
        if text.centred:
            style += ' text-anchor="middle"'
        if text.bold:
            style += ' font-weight="bold"'
        place = f'x="{self.x(text.x)}" y="{self.y(text.y + 0.36 * text.size)}"'
        return f"text {place}", f">{escape(text.text)}</text>", style
