#!/bin/sh
# The Connect Four network, by self-play only: about an hour and three quarters of CPU time on a busy machine; not finished.
set -eu
common="--game connect_four --blocks 5 --channels 64 --play-precision bfloat16 --chunks 4 --value-mix 0.5 --window 300000 --batch 256
    --temperature-plies 12"

# 1. From nothing, 27 iterations at a high rate (parts 1 and 2 without certain outcomes in the search).
narabe train --run runs/connect_four_1 --seed 1 $common --chunk-games 128 --flight 64 --sims 64 --fast-sims 12 --full-share 0.4 \
    --random-plies 16 --random-share 0.5 --reuse 4 --schedule cosine --schedule-steps 9000 --gate-every 8 --iterations 27 \
    --pack runs/connect_four_1.pack

# 2. More simulations, a falling rate, all positions: up to iteration 50.
narabe train --run runs/connect_four_2 --seed 2 $common --chunk-games 128 --flight 64 --sims 96 --fast-sims 12 --full-share 0.4 \
    --random-plies 16 --random-share 0.5 --reuse 6 --window-share 1 --rate 1e-3 --warm-up 50 --schedule cosine \
    --schedule-steps 5000 --gate-every 8 --from-pack runs/connect_four_1.pack --iterations 50 --pack runs/connect_four_2.pack

# 3. Most positions recorded, certain outcomes in the search: up to iteration 61 at about 5e-4, then 5 iterations at 2e-4.
later="$common --chunk-games 96 --flight 96 --sims 80 --fast-sims 20 --full-share 0.75 --random-plies 20 --random-share 0.6 --window-share 1
    --gate-every 0"
narabe train --run runs/connect_four_3 --seed 34 $later --reuse 4 --rate 3e-3 --warm-up 50 --schedule cosine --schedule-steps 9000 \
    --from-pack runs/connect_four_2.pack --iterations 61 --pack runs/connect_four_3.pack
narabe train --run runs/connect_four_4 --seed 35 $later --reuse 6 --rate 2e-4 --warm-up 1 --average 0.998 \
    --from-pack runs/connect_four_3.pack --iterations 66 --export runs/connect_four

# Going on: experiments/recipes/connect_four.pack holds the state after iteration 66.

player=net:file=runs/connect_four.safetensors
python -m narabe.experiments.study_connect_four --cases runs/c4_cases.jsonl --out runs/connect_four_study.json \
    --agents $player,sims=0 $player,sims=0,symmetries=true $player,sims=100 $player,sims=100,search=gumbel,symmetries=true
python -m narabe.experiments.strength runs/connect_four.json --recipe experiments/recipes/connect_four.sh \
    --studies runs/connect_four_study.json
