#!/bin/sh
# The network for Gomoku on 9x9, by self-play only: about 40 CPU minutes so far; not finished.
set -eu
narabe train --game gomoku:size=9 --run runs/gomoku9 --seed 1 --blocks 5 --channels 48 --play-precision bfloat16 \
    --chunks 4 --chunk-games 96 --flight 48 --sims 64 --fast-sims 16 --full-share 0.33 --temperature-plies 8 \
    --random-plies 6 --random-share 0.4 --value-mix 0.3 --window 250000 --batch 256 --reuse 4 \
    --schedule cosine --schedule-steps 9000 --gate-every 8 --iterations 49

# Going on: experiments/recipes/gomoku9.pack holds the state after iteration 49.

player=net:file=runs/gomoku9/player.safetensors
narabe tournament --game gomoku:size=9 --agents $player,sims=64 uct:sims=10000 --games 400 --seed 1 --workers 2 --out runs/gomoku9_uct
python -m narabe.experiments.study_blocks --cases runs/blocks9.jsonl --agents $player,sims=0 $player,sims=64
