"""Ctrl-C waits for a safe place, unless it is pressed twice."""

import os
import signal
import threading

import pytest

from narabe.experiments.interrupts import check, deferred, interruptible


def press():
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_waits_for_the_next_safe_place():
    reached = []
    with deferred():
        press()
        reached.append("after the first")
        with pytest.raises(KeyboardInterrupt), interruptible():
            reached.append("inside")
        with pytest.raises(KeyboardInterrupt):
            check()
    assert reached == ["after the first"]


def test_a_second_interrupt_does_not_wait():
    with deferred():
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_an_interrupt_in_a_safe_place_strikes_there():
    with deferred():
        with pytest.raises(KeyboardInterrupt), interruptible():
            press()
        check()  # nothing waits any more


def test_all_is_as_before_afterwards():
    before = signal.getsignal(signal.SIGINT)
    with deferred(), deferred():
        press()
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    check()
    with pytest.raises(KeyboardInterrupt):
        press()


def test_other_threads_leave_the_handler_alone():
    seen = []

    def body():
        with deferred():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
