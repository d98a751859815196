"""A game at the terminal: a person against agents, or agents that a person watches."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from rich.console import Console

from narabe import envs
from narabe.agents import Agent, AgentError, make
from narabe.agents.human import HumanAgent, NoMove
from narabe.envs import Game, State
from narabe.envs.drawing.ansi import ansi
from narabe.envs.rules import calls, core
from narabe.envs.scene import Scene
from narabe.experiments import play_commands
from narabe.experiments.args import PlayArgs, UsageError
from narabe.experiments.referee import given_up, in_words, winners
from narabe.experiments.schedule import game_seeds
from narabe.experiments.thinking import describe, think
from narabe.experiments.tournament_args import TournamentArgs, TournamentError, game_options

PERSON = "human"
OPPONENT_SIMS, HINT_SIMS = 800, 2000  # of the agents that are taken where none is named
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def run(args: PlayArgs, console: Console | None = None, read: Callable[[str], str] | None = None) -> int:
    """Play a game for the command line; returns the exit code: 0, or 130 after Ctrl-C.

    Raises `UsageError` for arguments that make no game. However the game is left, its moves are printed, and the
    command that goes on from there.
    """
    table = lay(args, console or Console(), read or read_line)
    try:
        table.play()
    except (EOFError, KeyboardInterrupt) as left:
        table.say()
        table.farewell()
        return 130 if isinstance(left, KeyboardInterrupt) else 0
    except BaseException:
        table.farewell()
        raise
    finally:
        table.close()
    table.announce_end()
    return 0


def read_line(prompt: str) -> str:
    """A line of the person. Lines that come from a file or a pipe are shown, so that what is printed can be read."""
    if sys.stdin.isatty():
        with suppress(ImportError):  # Windows has none
            import readline  # noqa: F401 - from now on `input` edits lines and remembers them
        return input(prompt)
    line = input(prompt)
    print(line)
    return line


# ---- from arguments to a table ----


def lay(args: PlayArgs, console: Console, read: Callable[[str], str]) -> Table:
    """The table for the arguments, agents seated and moves of the arguments played; `UsageError` if it cannot be."""
    try:
        options = game_options(TournamentArgs(size=args.size, option=args.option))
        game = envs.game(args.game, **options)
    except (ValueError, TournamentError) as error:
        raise UsageError(str(error)) from error
    seed = args.seed if args.seed is not None else int(np.random.SeedSequence().generate_state(1)[0])
    if seed < 0:
        raise UsageError(f"--seed {seed}: zero or more")
    chance_seed, seeds = game_seeds(seed, game.num_players)
    own = seat_of(args.seat, game, seed)
    state = _opened(game, args, chance_seed)
    try:
        agents = [make_agent(spec, game, console, read) for spec in _specs(args, game, own)]
    except AgentError as error:
        raise UsageError(str(error)) from error
    return Table(args, state, agents, own, seed, seeds, console)


def seat_of(text: str, game: Game, seed: int) -> int | None:
    """The seat that a word names, None for `none`; `UsageError` lists the words."""
    word = text.strip().lower()
    if word == "none":
        return None
    if word == "random":
        return int(np.random.default_rng(seed).integers(game.num_players))
    names = [name.lower() for name in game.players]
    for words in (names, ORDINALS[: game.num_players]):
        if word in words:
            return list(words).index(word)
    raise UsageError(f"--seat {text}: {', '.join([*names, *ORDINALS[: game.num_players], 'random', 'none'])}")


def _specs(args: PlayArgs, game: Game, own: int | None) -> list[str]:
    """The agent of each seat."""
    others = game.num_players - (own is not None)
    against = args.against or [usual_agent(game, OPPONENT_SIMS)]
    if len(against) not in (1, others):
        raise UsageError(f"--against names {len(against)} agents: give 1, or one for each of the {others} other seats")
    specs = against * others if len(against) == 1 else list(against)
    return specs if own is None else [*specs[:own], PERSON, *specs[own:]]


def usual_agent(game: Game, sims: int) -> str:
    """The agent that is taken where none is named: the plain search, or where hands are hidden the one that allows for it."""
    return f"{'ismcts' if core.hides(game.law) else 'uct'}:sims={sims}"


def make_agent(spec: str, game: Game, console: Console, read: Callable[[str], str]) -> Agent:
    """The agent of a spec; a person talks through the console and `read`."""
    if spec != PERSON:
        return make(spec, game)
    person = HumanAgent(game, board=False, spec=PERSON)
    person.read, person.write = read, lambda text: console.print(text, style="yellow", markup=False, highlight=False)
    return person


def _opened(game: Game, args: PlayArgs, chance_seed: int) -> State:
    """The position of the arguments, with their moves played (outcomes of chance among them)."""
    try:
        chance = "manual" if args.moves else "auto"
        state = game.from_text(args.position, chance_seed) if args.position else game.start(chance_seed, chance)
        state.chance = chance
        for move in " ".join(args.moves).split():
            if state.to_play == -1:  # the stream goes on as if it had drawn what is played
                calls.chance_draw(state.record, 0, state.rng)
            state.play(move)
    except ValueError as error:
        raise UsageError(f"{'--moves' if args.moves else '--position'}: {error}") from error
    state.chance = "auto"
    if state.to_play == -1:
        where = "--moves ends" if args.moves else "--position stands"
        raise UsageError(f"{where} before an outcome of chance: give it with --moves")
    return state


# ---- the table ----


@dataclass
class Table:
    """A game in progress, with an agent on each seat; persons are `HumanAgent`s, whose commands come here."""

    args: PlayArgs
    state: State
    agents: list[Agent]
    own: int | None
    seed: int
    seeds: list[int]
    console: Console
    resigned: int | None = None
    told: list[int] = field(default_factory=list, init=False)
    asked: set[int] = field(default_factory=set, init=False)
    adviser: Agent | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for agent in self.agents:
            if isinstance(agent, HumanAgent):
                agent.command = self.command
        self.start_agents()

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, agent in enumerate(self.agents) if isinstance(agent, HumanAgent)]

    @property
    def watched(self) -> bool:
        """Does nobody but agents play?"""
        return not self.persons

    def play(self) -> None:
        """Turns until the game is over. Raises `EOFError` or `KeyboardInterrupt` where the person leaves."""
        self.welcome()
        while not self.state.is_over and self.resigned is None:
            seat = self.state.to_play
            try:
                action = self.ask(seat)
            except NoMove:
                continue
            before, played = self.state.copy(), len(self.state.history) + 1
            self.state.play(action)
            news = self.game.face.news(before, self.state)
            if news is not None:
                self.say(news, "bold")
            self.say_chance(self.seen(played))
            self.tell()

    def ask(self, seat: int) -> int:
        """The move of the agent or person on a seat, shown as it comes."""
        agent = self.agents[seat]
        if isinstance(agent, HumanAgent) or self.watched:
            self.show_board()
        view = self.view(seat)
        if isinstance(agent, HumanAgent):
            return agent.choose([view])[0].action
        who = f"{self.game.players[seat]} ({agent.spec})"
        secret = self.blind and self.shown().to_play != seat  # that this seat is asked at all
        analysis, seconds = think(agent, view, self.console, None if secret else who, first=seat not in self.asked)
        self.asked.add(seat)
        move = self.seen_text(analysis.action)
        if move is not None:
            thoughts = "" if self.blind else f": {describe(self.game, seat, analysis, seconds)}"
            self.say(f"{who} plays {move}{thoughts}", "cyan")
        return analysis.action

    @property
    def hint_spec(self) -> str:
        """The agent that is asked for hints."""
        return self.args.hint or usual_agent(self.game, HINT_SIMS)

    def command(self, line: str) -> bool:
        return play_commands.run(self, line)

    # ---- agents ----

    def view(self, seat: int) -> envs.View:
        """What the seat knows, its hidden parts drawn anew for each turn."""
        return self.state.view(seat, seed=np.random.SeedSequence([self.seeds[seat], len(self.state.seen(seat))]))

    def start_agents(self) -> None:
        """Begin a new game for every agent and show it all that was played; after a change of the past, too."""
        for seat, agent in enumerate(self.agents):
            agent.new_game(seat, self.seeds[seat])
        self.told = [0] * len(self.agents)
        self.tell()

    def tell(self) -> None:
        """Tell every agent what its seat saw of the actions since the last time."""
        for seat, agent in enumerate(self.agents):
            seen = self.state.seen(seat)
            for action in seen[self.told[seat] :]:
                agent.tell(action)
            self.told[seat] = len(seen)

    def close(self) -> None:
        for agent in (*self.agents, *([self.adviser] if self.adviser else [])):
            agent.close()

    # ---- what may be shown ----

    @property
    def blind(self) -> bool:
        """Is there a person at the table from whom something is hidden?"""
        return bool(self.persons) and core.hides(self.game.law)

    def seen(self, since: int) -> tuple[int, ...]:
        """The actions from number ``since`` on as the people saw them, none if they did not see the same; the truth where
        nobody plays or nothing is hidden."""
        if not self.blind:
            return tuple(self.state.history[since:])
        seen = {self.state.seen(seat, since) for seat in self.persons}
        return seen.pop() if len(seen) == 1 else ()

    def seen_text(self, action: int) -> str | None:
        """An action that is to be played as the person will see it, None if it stays unnoticed."""
        if self.blind:
            action = int(calls.seen_action(self.state.record, 0, action, self.looker + 1))
        return None if action == core.UNSEEN else self.game.text_of(action)

    def shown(self) -> State:
        """The position as the person may know it; the truth where nobody plays, nothing is hidden, or the game is over."""
        return self.state.view(self.looker).state() if self.blind and not self.state.is_over else self.state

    # ---- words ----

    def say(self, text: str = "", style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    def say_chance(self, outcomes: Sequence[int]) -> None:
        """What chance did after a move."""
        if outcomes:
            self.say(f"Chance: {', '.join(map(self.game.text_of, outcomes))}", "magenta")

    def show_board(self) -> None:
        """The board, in colour where the terminal has enough of them; text where the game has no picture."""
        shown = self.shown()
        scene = self.game.face.scene(shown)
        if scene is None:
            return self.say(str(shown))
        console = self.console
        colourful = console.is_terminal and not console.no_color and console.color_system in ("256", "truecolor")
        self.say()
        console.out(ansi(scene, color=colourful), highlight=False)
        if isinstance(scene, Scene) and scene.forbidden:
            self.say(f"! {', '.join(map(self.game.text_of, scene.forbidden))}: banned for the side to move")
        return None

    def welcome(self) -> None:
        game = self.game
        seats = [
            f"you are {name}" if seat == self.own else f"{name} is {agent.spec}"
            for seat, (name, agent) in enumerate(zip(game.players, self.agents, strict=True))
        ]
        self.say(f"{game.spec}: {', '.join(seats)}. Seed {self.seed}.", "bold")
        if not self.watched and not self.state.is_over:
            legal = self.shown().legal_actions()
            self.say(f"Type a move, such as {game.text_of(legal[len(legal) // 2])}, or help.")

    def announce_end(self) -> None:
        """The last board, who won and why, and how to see the game again."""
        if self.resigned is None:
            self.show_board()
        payoffs, reason = self.state.payoffs, self.state.reason
        if self.resigned is not None:
            payoffs = given_up(self.game, self.resigned)
            reason = f"{self.game.players[self.resigned]} resigned"
        verdict = ""
        if self.own is not None:
            own = payoffs[self.own]
            verdict = " You won." if own > 0 else " You lost." if own < 0 else ""
        result = winners(self.game, payoffs) if self.resigned is not None else in_words(self.game, self.state.winners)
        self.say(f"{result[0].upper()}{result[1:]}: {reason}.{verdict}", "bold green")
        if self.state.history:
            self.say(f"Moves: {self.moves()}")
            self.say("To see it again, or to play on from any of its moves, leave out those after it:")
            self.say(f"  {self.repeat()}")

    def farewell(self) -> None:
        """What is needed to go on with a game that was left."""
        if self.state.history or self.args.position:
            self.tell_position()
            hidden = " (it names what is hidden from you)" if self.blind else ""
            self.say(f"To go on with this game{hidden}:")
            self.say(f"  {self.repeat()}")

    def tell_position(self) -> None:
        """The position and the moves, as the one who looks may know them."""
        self.say(f"Position: {self.state.view(self.looker).state().to_text()}")
        self.say(f"Moves: {self.moves() or 'none'}")

    @property
    def looker(self) -> int:
        """The seat whose knowledge is shown: of the person on move, else of the first one; without people, the one on move."""
        mover, people = max(0, self.state.to_play), self.persons
        return mover if not people or mover in people else people[0] if self.own is None else self.own

    def moves(self) -> str:
        """The moves since the start or the set-up position, as text; while the game goes on, as the looker saw them."""
        seen = self.state.history if self.state.is_over else self.state.seen(self.looker)
        return " ".join(self.game.text_of(action) for action in seen)

    def repeat(self) -> str:
        """The command that goes on from here."""
        game = self.game
        words = ["narabe", "play", "--game", game.spec]
        words += ["--against", *self.args.against] if self.args.against else []
        words += ["--seat", "none" if self.own is None else game.players[self.own].lower()]
        words += ["--seed", str(self.seed)]
        words += ["--hint", self.args.hint] if self.args.hint else []
        base = json.loads(self.state.to_bytes())["base"]
        words += ["--position", base] if base else []
        moves = [game.text_of(action) for action in self.state.history] if self.blind else self.moves().split()
        return shlex.join(words + (["--moves", *moves] if moves else []))
