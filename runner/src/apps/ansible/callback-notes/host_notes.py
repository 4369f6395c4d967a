# What the callback plugin notes about a host in addition to the outcome of a step: facts, groups and changes. Outside of the
# folder of the plugin, because Ansible takes each file in that folder and its subfolders for a plugin.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

import itertools
import re

from ansible import context

FACT_ACTIONS = ("setup", "gather_facts")
# A fixed set. Facts that change with each run, such as the uptime, would make a version of each run.
SIMPLE = (
    ("distribution", "distribution"),
    ("distribution version", "distribution_version"),
    ("kernel", "kernel"),
    ("architecture", "architecture"),
    ("name", "fqdn"),
    ("processors", "processor_vcpus"),
    ("memory MB", "memtotal_mb"),
    ("swap MB", "swaptotal_mb"),
    ("python version", "python_version"),
    ("virtualization", "virtualization_type"),
    ("service manager", "service_mgr"),
    ("package manager", "pkg_mgr"),
)
MAX_FACTS = 200
MAX_VALUE = 300
MAX_NUMBER = 1 << 53
MAX_GROUPS = 50
MAX_DIFF = 16 * 1024
# Characters of the differences of a run.
MAX_DIFFS = 1 << 20
# Longer files are not compared: the time of a comparison grows with the square of the length.
MAX_COMPARED = 256 * 1024
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
TARGETS = ("path", "dest", "name")


def cut(value, most=MAX_VALUE):
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= most else text[:most] + "…"


def is_number(value):
    """Whether JSON can hold the number exactly: not for NaN and infinity, which other parsers refuse."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < MAX_NUMBER


def list_of(kind, value):
    return [one for one in value if isinstance(one, kind)] if isinstance(value, list) else []


def dict_of(value):
    return value if isinstance(value, dict) else {}


def rounded(value):
    """Two digits of a number, so that a version is not made for each byte."""
    digits = len(str(int(value)))
    unit = 10 ** max(0, digits - 2)
    return int(value) // unit * unit


def addresses_of(interface):
    four = interface.get("ipv4")
    fours = [four] if isinstance(four, dict) else list_of(dict, four)
    found = [one.get("address") for one in fours + list_of(dict, interface.get("ipv6"))]
    return ", ".join(address for address in found if isinstance(address, str) and address)


def mounts_of(gathered):
    for mount in list_of(dict, gathered.get("ansible_mounts")):
        name = mount.get("mount")
        if isinstance(name, str) and is_number(mount.get("size_total")):
            yield "mount %s size" % cut(name, 100), int(mount["size_total"])
            if is_number(mount.get("size_available")):
                yield "mount %s free" % cut(name, 100), rounded(mount["size_available"])


def interfaces_of(gathered):
    # The interfaces of Windows hosts are not names, and have no addresses.
    for name in sorted(list_of(str, gathered.get("ansible_interfaces"))):
        found = addresses_of(dict_of(gathered.get("ansible_" + re.sub("[-:.]", "_", name))))
        if found:
            yield "interface %s" % cut(name, 100), cut(found)


def simple_of(gathered):
    for name, source in SIMPLE:
        value = gathered.get("ansible_" + source)
        if is_number(value) or (isinstance(value, str) and value):
            yield name, cut(value) if isinstance(value, str) else value
    for source in ("ansible_default_ipv4", "ansible_default_ipv6"):
        address = dict_of(gathered.get(source)).get("address")
        if isinstance(address, str) and address:
            yield "address", cut(address)
            break
    zone = dict_of(gathered.get("ansible_date_time")).get("tz")
    if isinstance(zone, str) and zone:
        yield "time zone", cut(zone)


def facts_of(action, result):
    """Chosen facts that a step gathered; None without any. Local facts are never part of them."""
    gathered = result.get("ansible_facts")
    if action.split(".")[-1] not in FACT_ACTIONS or not isinstance(gathered, dict):
        return None
    found = itertools.chain(simple_of(gathered), mounts_of(gathered), interfaces_of(gathered))
    return dict(itertools.islice(found, MAX_FACTS)) or None


def groups_of(host):
    names = [group.get_name() for group in host.get_groups()]
    return sorted(cut(name, 200) for name in names if name not in ("all", "ungrouped"))[:MAX_GROUPS]


def target_of(result):
    """What a step changed: a file, or the object that the module names."""
    for name in TARGETS:
        if isinstance(result.get(name), str) and result[name]:
            return cut(result[name])
    return ""


def is_long(diff):
    return sum(len(str(diff.get(side, ""))) for side in ("before", "after", "prepared")) > MAX_COMPARED


def diff_of(results, render):
    """The differences of a changed result, or of the items of its loop, as text."""
    texts = []
    for result in results:
        diffs = result.get("diff")
        if not diffs or result.get("_ansible_no_log", False):
            continue
        diffs = diffs if isinstance(diffs, list) else [diffs]
        short = [diff for diff in diffs if isinstance(diff, dict) and not is_long(diff)]
        texts.append(COLOURS.sub("", render(short)) if short else "")
    text = "".join(texts).strip("\n")
    return text if len(text) <= MAX_DIFF else text[:MAX_DIFF] + "…"


def shows_diff(task):
    """Whether the log shows the differences of a step: its own setting comes before that of the run."""
    own = getattr(task, "diff", None)
    return own if isinstance(own, bool) else bool(context.CLIARGS.get("diff"))


def attempt(note, *args):
    """A note; None after an error, because modules may return values of any type."""
    try:
        return note(*args)
    except Exception:
        return None


class HostNotes(object):
    """What the results of one run note about their hosts."""

    def __init__(self, with_facts):
        self._with_facts = with_facts
        self._grouped = set()
        self._diffs = 0

    def of(self, host, task, outcome, fields, items, render, is_delegated):
        """Groups with the first result of a host, gathered facts, and what a step changed. Without `fields` it is hidden."""
        noted = {}
        if fields is not None and self._with_facts and not is_delegated:
            noted["facts"] = attempt(facts_of, str(task.action), fields)
        if fields is not None and outcome == "changed":
            noted["target"] = attempt(target_of, fields)
            if self._diffs < MAX_DIFFS and shows_diff(task):
                noted["diff"] = attempt(diff_of, [fields] if items is None else items, render)
                self._diffs += len(noted["diff"] or "")
        noted = dict((name, value) for name, value in noted.items() if value)
        if host.get_name() not in self._grouped:
            self._grouped.add(host.get_name())
            groups = attempt(groups_of, host)
            # An empty list is noted too: the host may have left its groups.
            noted.update({} if groups is None else {"groups": groups})
        return noted
