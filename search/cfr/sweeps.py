"""Sweeps over the information sets and the ends of a tree, for one player at a time.

With perfect recall a policy is as good as its *plan*: by slot, the probability with which the player's own actions
lead there and through it (the sequence form of Koller, Megiddo and von Stengel, 1996). Expected payoffs are bilinear in
the two plans, so nothing has to go through the histories. Plans and gains have one more slot, for "no action yet".
"""

from __future__ import annotations

from narabe.envs.rules.jit import kernel


@kernel
def plan_from(infos, player, policy, plan):
    """Write the player's plan for a policy into ``plan`` (float64, slots + 1), from the front."""
    plan[-1] = 1.0
    for i in range(infos.shape[0]):
        info = infos[i]
        if info.player == player:
            reach = plan[info.before]
            for k in range(info.first, info.first + info.width):
                plan[k] = reach * policy[k]


@kernel
def gather(own, other, worth, player, plan, gains):
    """Write into ``gains`` (float64, slots + 1) what the player gets at the ends right after each of its own slots.

    ``own``, ``other``: rows of `GameTree.ends`; ``plan``: that of the other player, which with chance weighs the ends.
    """
    for k in range(gains.shape[0]):
        gains[k] = 0.0
    sign = 1.0 if player == 1 else -1.0
    for z in range(worth.shape[0]):
        gains[own[z]] += sign * worth[z] * plan[other[z]]


@kernel
def best_reply(infos, player, gains, policy):
    """Turn the player's part of ``policy`` into a best reply, from the back; returns its value.

    ``gains`` from `gather` becomes the value of every slot (weighed by chance and the other player's plan).
    """
    for i in range(infos.shape[0] - 1, -1, -1):
        info = infos[i]
        if info.player == player:
            best = info.first
            for k in range(info.first, info.first + info.width):
                policy[k] = 0.0
                if gains[k] > gains[best]:
                    best = k
            policy[best] = 1.0
            gains[info.before] += gains[best]
    return gains[-1]
