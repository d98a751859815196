#!/bin/sh
# The Connect Four network, by self-play only. about an hour of CPU time so far; not finished.
set -eu
common="--game connect_four --blocks 5 --channels 64 --play-precision bfloat16 --chunks 4 --chunk-games 128 --flight 64
    --fast-sims 12 --full-share 0.4 --temperature-plies 12 --random-plies 16 --random-share 0.5 --value-mix 0.5
    --window 300000 --batch 256 --schedule cosine --gate-every 8"

# 1. From nothing, 27 iterations at a high rate.
narabe train --run runs/connect_four_1 --seed 1 $common --sims 64 --reuse 4 --schedule-steps 9000 \
    --iterations 27 --pack runs/connect_four_1.pack

# 2. More simulations, a falling rate, all positions: up to iteration 44 so far.
narabe train --run runs/connect_four_2 --seed 2 $common --sims 96 --reuse 6 --window-share 1 --rate 1e-3 --warm-up 50 \
    --schedule-steps 5000 --from-pack runs/connect_four_1.pack --iterations 44

# Going on: experiments/recipes/connect_four.pack holds the state after iteration 50 (no better than that after 44, which is shipped).
#   narabe train --run runs/connect_four_3 ... --from-pack experiments/recipes/connect_four.pack

python -m narabe.experiments.study_connect_four --cases runs/connect_four_cases.jsonl --out runs/connect_four.json \
    --agents net:file=runs/connect_four_2/player.safetensors,sims=0 net:file=runs/connect_four_2/player.safetensors,sims=100
