# What the callback plugin notes about a host in addition to the outcome of a step: facts, groups and changes. Outside of the
# folder of the plugin, because Ansible takes each file in that folder and its subfolders for a plugin.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

import re

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


def rounded(value):
    """Two digits of a number, so that a version is not made for each byte."""
    digits = len(str(int(value)))
    unit = 10 ** max(0, digits - 2)
    return int(value) // unit * unit


def addresses_of(interface):
    four = interface.get("ipv4") or {}
    fours = [four] if isinstance(four, dict) else four
    sixes = interface.get("ipv6") or []
    found = [one.get("address") for one in list(fours) + list(sixes) if isinstance(one, dict)]
    return ", ".join(address for address in found if address)


def facts_of(action, result):
    """Chosen facts that a step gathered; None without any. Local facts are never part of them."""
    gathered = result.get("ansible_facts")
    if action.split(".")[-1] not in FACT_ACTIONS or not isinstance(gathered, dict):
        return None
    facts = {}
    for name, source in SIMPLE:
        value = gathered.get("ansible_" + source)
        if isinstance(value, (str, int, float)) and value != "":
            facts[name] = value if isinstance(value, (int, float)) else cut(value)
    address = gathered.get("ansible_default_ipv4") or gathered.get("ansible_default_ipv6") or {}
    if address.get("address"):
        facts["address"] = cut(address["address"])
    zone = (gathered.get("ansible_date_time") or {}).get("tz")
    if zone:
        facts["time zone"] = cut(zone)
    for mount in gathered.get("ansible_mounts") or []:
        if "size_total" in mount and len(facts) < MAX_FACTS:
            facts["mount %s size" % cut(mount["mount"], 100)] = int(mount["size_total"])
            facts["mount %s free" % cut(mount["mount"], 100)] = rounded(mount.get("size_available", 0))
    for name in sorted(gathered.get("ansible_interfaces") or []):
        interface = gathered.get("ansible_" + name.replace("-", "_").replace(":", "_").replace(".", "_")) or {}
        found = addresses_of(interface)
        if found and len(facts) < MAX_FACTS:
            facts["interface %s" % cut(name, 100)] = cut(found)
    return facts or None


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


class HostNotes(object):
    """What the results of one run note about their hosts."""

    def __init__(self, with_facts):
        self._with_facts = with_facts
        self._grouped = set()
        self._diffs = 0

    def of(self, host, task, outcome, fields, items, render):
        """Groups with the first result of a host, gathered facts, and what a step changed. Without `fields` it is hidden."""
        noted = {}
        if host.get_name() not in self._grouped:
            self._grouped.add(host.get_name())
            noted["groups"] = groups_of(host)
        if fields is not None and self._with_facts:
            noted["facts"] = facts_of(str(task.action), fields)
        if fields is not None and outcome == "changed":
            noted["target"] = target_of(fields)
            if self._diffs < MAX_DIFFS:
                noted["diff"] = diff_of([fields] if items is None else items, render)
                self._diffs += len(noted["diff"])
        return dict((name, value) for name, value in noted.items() if value)
