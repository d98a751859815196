"""How a `Scene` looks: `ansi.ansi` (text), `svg.svg` (a standalone SVG document), `raster.rgb` (an array of pixels).

`palette` says how pieces and marks look, `plan` where each of them goes; SVG and pixels share both.
"""
