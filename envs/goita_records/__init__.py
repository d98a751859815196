"""Records of Goita: the history line, and the YAML files of viewers, as plain data and back.

>>> match = read("11223449,11122357,11356678,11134455,s1,114,2p,3p,444")
>>> deal = match.deals[0]
>>> deal.dealer, deal.plies[-1].seat, deal.plies[-1].lay, deal.plies[-1].attack
(0, 3, 4, 4)
>>> print(write_yaml(match))
version: 1.0
p0: ""
p1: ""
p2: ""
p3: ""
log:
 - hand:
     p0: "しし香香馬銀銀玉"
     p1: "ししし香香馬金飛"
     p2: "しし馬金角角飛王"
     p3: "ししし馬銀銀金金"
   uchidashi: 0
   score: [0,0]
   game:
    - ["0","し","銀"]
    - ["3","銀","銀"]
<BLANKLINE>
"""

from narabe.envs.goita_records.deal import COUNTS, Deal, Match, Ply, RecordError
from narabe.envs.goita_records.files import read
from narabe.envs.goita_records.line import read_line, read_lines, write_line
from narabe.envs.goita_records.viewer import read_yaml, write_yaml

__all__ = [
    "COUNTS",
    "Deal",
    "Match",
    "Ply",
    "RecordError",
    "read",
    "read_line",
    "read_lines",
    "read_yaml",
    "write_line",
    "write_yaml",
]
