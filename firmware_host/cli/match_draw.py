"""A match of Boggle as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.boggle import BoggleMatch, rules_of
from firmware_host.cli.draw import board_text, points
from firmware_host.cli.output import shown
from scoring.boggle.match import Boggle, explain_winner, explain_word
from scoring.boggle.state import Challenge, Round, Standing
from scoring.referee import RoundResult, Seating
from scoring.rules.game import Game


def show_match(out: Console, match: BoggleMatch, now: float) -> None:
    """The round being played, the points and how it goes on."""
    rules, state = rules_of(match), match.state
    if state.open_round is not None:
        _show_round(out, rules, state.open_round, now)
    show_standings(out, match)
    out.print(next_text(match, now))


def show_standings(out: Console, match: BoggleMatch) -> None:
    """Points by round and in all."""
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("")
    ended = sum(played.result is not None for played in match.state.rounds)
    for number in range(1, ended + 1):
        table.add_column(f"round {number}", justify="right")
    table.add_column("points", justify="right")
    for side in match.state.standings:
        row = (*map(str, side.points), f"[bold]{side.total}[/]")
        table.add_row(_side_text(side), *row)
    out.print(table)


def next_text(match: BoggleMatch, now: float) -> str:
    """What comes next, or how it ended."""
    rules, state = rules_of(match), match.state
    if state.over:
        winners = " and ".join(map(shown, state.winners)) or "nobody"
        return f"The match is over. Winner: [bold green]{winners}[/]"
    played = state.open_round
    if played is None:
        return f"Next: the board of round {len(state.rounds) + 1}. {goal_text(rules)}"
    if missing := rules.missing(played, now):
        return f"{_writing_text(played, now)} Not in yet: {', '.join(map(shown, missing))}."
    reader = rules.reader(played)
    if reader is None:
        return "All have read. Next: challenges, then the end of the round."
    return f"All lists are in. [bold]{shown(reader)}[/] reads aloud next."


def goal_text(rules: Boggle) -> str:
    """Until when the match goes on."""
    ways = [
        f"until somebody has {rules.plan.target}" if rules.plan.target is not None else "",
        f"{rules.plan.rounds} round{'s' * (rules.plan.rounds > 1)}" if rules.plan.rounds else "",
    ]
    return f"It goes on for {' or '.join(filter(None, ways))}.".replace("for until", "until")


def rules_text(game: Game, seating: Seating) -> str:
    """What was agreed on, in a few words."""
    conduct = game.conduct
    timer = "no timer until the last chance" if conduct.open_ended else f"{game.timer_s} s"
    words = f"words of {game.shortest} letters or more"
    parts = ["lengths and points as the tray has them" if game.as_tray else words, timer]
    parts.append(f"cancelling {conduct.cancelling}")
    parts += [
        f"{shown(player)} from {letters} letters on"
        for player, letters in seating.handicaps.items()
    ]
    if conduct.check == "challenged":
        parts.append("a word stands until it is challenged")
    if conduct.penalty.points != 0:
        parts.append(_penalty_text(game))
    return f"{shown(game.title)}: {', '.join(parts)}."


def sheet_lines(match: BoggleMatch) -> Iterator[str]:
    """Every word of every round with its points and the reason, and what decided the match."""
    for played in match.state.rounds:
        if played.result is None:
            continue
        yield f"[bold]Round {played.number}[/]  {played.board}  {shown(played.game.title)}"
        yield from (f"  {challenge_text(challenge)}" for challenge in played.challenges)
        yield from _result_lines(played.result)
    for standing in match.state.standings:
        if standing.points:
            sum_text = " + ".join(map(str, standing.points))
            yield f"{shown(standing.name)}: {sum_text} = {standing.total}"
    if match.state.over:
        yield shown(explain_winner(match.state))


def _result_lines(result: RoundResult) -> Iterator[str]:
    for player in result.players:
        yield f"  [bold]{shown(player.name)}[/]"
        yield from (f"    {shown(explain_word(word))}" for word in player.words)
        yield f"    = {points(player.points)}"
    for side in result.sides:
        if side.members != (side.name,):
            yield f"  {shown(side.name)} ({_names(side.members)}): {points(side.points)}"


def challenge_text(challenge: Challenge) -> str:
    """What became of a challenge, one sentence."""
    word = shown(challenge.word.upper())
    if challenge.by is None:
        return f"The referee rejects {word} of {shown(challenge.of)}: it comes off."
    who = f"{shown(challenge.by)} challenges {word} of {shown(challenge.of)}"
    if challenge.upheld:
        return f"{who}: it is not in the word list, and comes off."
    return f"{who}: it is in the word list."


def _show_round(out: Console, rules: Boggle, played: Round, now: float) -> None:
    out.print(f"[bold]Round {played.number}[/]  {rules_text(played.game, rules.plan.seating)}")
    out.print(board_text(played.board))
    if played.deadline is not None and now < played.deadline:
        out.print(f"The sand runs: {played.deadline - now:.0f} s left.")
    if played.read:
        out.print(f"Read aloud: {_names(played.read)}. Struck out so far:")
        struck = rules.strike_outs(played)
        for strike in struck:
            out.print(
                f"  {shown(strike.player)}: [strike]{shown(strike.word)}[/] {shown(strike.reason)}"
            )
        if not struck:
            out.print("  nothing")
    for challenge in played.challenges:
        out.print(challenge_text(challenge))


def _writing_text(played: Round, now: float) -> str:
    if played.deadline is None:
        if played.game.conduct.open_ended:
            agreed = f" {_names(played.agreed)} would end it." if played.agreed else ""
            return f"Write on: no timer runs.{agreed}"
        return f"Round {played.number} waits for the lists."
    return "Write on." if now < played.deadline else "The time is over."


def _penalty_text(game: Game) -> str:
    penalty = game.conduct.penalty
    cost = "the word's own points" if penalty.points is None else points(penalty.points)
    what = "each rejected word" if penalty.every_rejected else "a false word that is challenged"
    free = f" ({penalty.free} free)" if penalty.free else ""
    return f"{what} costs {cost}{free}"


def _side_text(side: Standing) -> str:
    if side.members == (side.name,):
        return shown(side.name)
    return f"{shown(side.name)} ({_names(side.members)})"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(map(shown, names))


def show_state_line(out: Console, name: str, match: BoggleMatch, now: float) -> None:
    """A match in a list of matches."""
    totals = ", ".join(f"{shown(side.name)} {side.total}" for side in match.state.standings)
    title = shown(rules_of(match).plan.game.title)
    out.print(f"[bold]{name}[/]  {title}: {totals}. {next_text(match, now)}")
