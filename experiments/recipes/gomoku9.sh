#!/bin/sh
# The network for Gomoku on 9x9, by self-play only: about two hours of CPU time on a busy machine, 287,000 positions.
set -eu
common="--game gomoku:size=9 --blocks 5 --channels 48 --play-precision bfloat16 --chunks 4 --temperature-plies 8
    --random-share 0.5 --value-mix 0.3 --window 250000 --batch 256"

# 1. From nothing, 49 iterations without certain outcomes in the search (121,000 positions; --random-share was 0.4).
narabe train --run runs/gomoku9_1 --seed 1 $common --chunk-games 96 --flight 48 --sims 64 --fast-sims 16 --full-share 0.33 \
    --random-plies 6 --reuse 4 --schedule cosine --schedule-steps 9000 --gate-every 8 --iterations 49 \
    --pack runs/gomoku9_1.pack --pack-mb 5

# 2. More positions with fewer simulations each, certain outcomes in the search, a rate that stays: 40 iterations.
narabe train --run runs/gomoku9_2 --seed 43 $common --chunk-games 64 --flight 64 --sims 40 --fast-sims 12 --full-share 0.75 \
    --random-plies 16 --reuse 3 --rate 1e-3 --warm-up 50 --gate-every 0 --from-pack runs/gomoku9_1.pack --iterations 89 \
    --export runs/gomoku_9

# Going on: experiments/recipes/gomoku9.pack holds the state after iteration 89.

player=net:file=runs/gomoku_9.safetensors
narabe tournament --game gomoku:size=9 --agents $player,sims=64 uct:sims=10000 --games 400 --seed 1 --workers 2 --out runs/gomoku9_uct
python -m narabe.experiments.study_blocks --cases runs/blocks9.jsonl --out runs/gomoku9_blocks.json \
    --agents $player,sims=0 $player,sims=64
python -m narabe.experiments.strength runs/gomoku_9.json --recipe experiments/recipes/gomoku9.sh \
    --studies runs/gomoku9_blocks.json --runs runs/gomoku9_uct
