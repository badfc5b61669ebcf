"""Processor time of whole runs of a program, taken in turn, and tables of it."""

import os
import statistics
import subprocess


def processor_time(command):
    """Seconds of the processor that one run takes, of the program and the system for it."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    complaint = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{complaint.strip()}")
    return used.ru_utime + used.ru_stime


def interleaved(commands, rounds):
    """The median time of each, in turn: what else the machine does meets them alike."""
    times = [[] for _ in commands]
    for _ in range(rounds):
        for command, own in zip(commands, times):
            own.append(processor_time(command))
    return [statistics.median(own) for own in times]


def steps_for(command_of, seconds):
    """So many steps that a run of command_of(steps) takes about that long."""
    few = 20000
    while True:
        start = processor_time(command_of(1))
        time = processor_time(command_of(few)) - start
        if time > seconds / 10:
            return max(few, round(few * seconds / time))
        few *= 4


def processor():
    with open("/proc/cpuinfo") as lines:
        facts = dict(line.split(":", 1) for line in lines.read().split("\n\n")[0].splitlines() if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    return f"{facts['model name']}, family {facts['cpu family']}, model {facts['model']}"
