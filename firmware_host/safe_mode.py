"""Safe mode: the pages without devices and rounds, so that somebody can see what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from firmware_host import settings_file
from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.owner import Job, Meant, Standing
from firmware_host.restart import Restart
from firmware_host.rounds import Phase, Plan, RoundState
from firmware_host.service import Wait, look_s
from firmware_host.settings import Settings, WebSection
from firmware_host.store.place import Place
from firmware_host.systemd import Notifier
from firmware_host.web.access import Access
from firmware_host.web.serving import Served, serving
from firmware_host.web.site import Machine
from firmware_host.web.stream import Hub
from firmware_host.web.texts import wrong_with
from hardware.clock import WallClock
from scoring.lexicon import Lexicon
from scoring.rules import Game

MESSAGE = "safe mode: the tray is off"
ADVICE = "See to the cause at /maintenance, then restart the service there."


class NoTray:
    """Stands where the owner of the devices would: there are none.

    Args:
        state: what the pages show.
    """

    lent = False

    def __init__(self, state: RoundState) -> None:
        self.standing = Standing(state, "", 0.0)

    def take(self, _meant: Meant) -> Future[RoundState]:
        """As of `firmware_host.web.site.Posted.take`; nothing can be done to a round."""
        answer: Future[RoundState] = Future()
        complaint = Complaint("safe_mode", MESSAGE, ADVICE, ExitCode.DEVICE_FAULT)
        answer.set_exception(CommandError(complaint))
        return answer

    def lend(self, _job: Job) -> Future[bool]:
        """As of `firmware_host.owner.Owner.lend`; there is nothing to be lent."""
        done: Future[bool] = Future()
        done.set_result(False)
        return done


def settings_of(named: Path | None) -> tuple[Settings, Path, str]:
    """The settings, their file, and what is wrong with it: then they are as they come.

    Where only the own wording cannot be used, only that is left out.
    """
    file = settings_file.find(named) or settings_file.users_file()
    try:
        settings = settings_file.load(named).settings
    except CommandError as error:
        return Settings(), file, error.complaint.message
    wrong = wrong_with(settings.web.texts)
    if not wrong:
        return settings, file, ""
    web = settings.web.model_copy(update={"texts": None})
    return settings.model_copy(update={"web": web}), file, wrong


@contextmanager
def serving_safely(
    rules: Game,
    lexicon: Lexicon,
    access: Access,
    place: Place,
    *,
    settings: Path | None,
    web: WebSection,
    restart: Restart,
    why: str,
) -> Iterator[str]:
    """Serve the pages until this is left; gives their address.

    Args:
        rules: of the rounds that are not played.
        lexicon: the word list.
        access: PINs and code.
        place: where all is kept.
        settings: their file; None for a tray that has none.
        web: the settings of the pages.
        restart: begins the service anew.
        why: what was wrong at the start; empty for nothing.

    Raises:
        CommandError: the port is taken, or the certificate cannot be used.
    """
    fault = (f"{MESSAGE}. {why}" if why else MESSAGE, ADVICE)
    plan = Plan(rules, (), rules.timer_s)
    state = RoundState(plan, Phase.FAULTED, fault=fault)
    machine = Machine(place, (), settings, lambda safe: restart.ask(safe=safe), safe=True)
    served = Served(
        NoTray(state), WallClock(), Hub(state), access, lexicon, rules.sizes[0], machine, lambda: 0
    )
    with serving(served, web) as address:
        yield address


def wait_for_end(notifier: Notifier, wait: Wait, *, begins_anew: Callable[[], bool]) -> None:
    """Tell systemd that all is well until the service is to end."""
    notifier.ready(MESSAGE)
    while not wait(look_s(notifier)):
        notifier.alive()
    if begins_anew():
        notifier.restarting()
    else:
        notifier.stopping("safe mode ends")
