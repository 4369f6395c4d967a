# What the callback plugin notes about a host in addition to the outcome of a step: facts, groups and changes. Outside of the
# folder of the plugin, because Ansible takes each file in that folder and its subfolders for a plugin.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

import itertools
import re

from ansible import context

FACT_ACTIONS = ("setup", "gather_facts")
# The facts of the contract that are one value in what is gathered, each with where it may be. Others vary with each run.
SIMPLE = (
    ("name", ("fqdn",)),
    ("domain", ("windows_domain", "domain")),
    ("os_family", ("os_family",)),
    ("distribution_version", ("distribution_version",)),
    ("edition", ("os_installation_type",)),
    ("kernel", ("kernel",)),
    ("architecture", ("architecture",)),
    ("model", ("product_name",)),
    ("virtualization", ("virtualization_type",)),
    ("python_version", ("python_version",)),
    ("powershell_version", ("powershell_version",)),
    ("service_manager", ("service_mgr",)),
    ("package_manager", ("pkg_mgr",)),
)
NUMBERS = (
    ("processors", ("processor_vcpus", "processor_count")),
    ("memory", ("memtotal_mb",)),
    ("swap", ("swaptotal_mb",)),
)
# File systems that are no storage of the host, and folders in which container engines mount theirs.
NO_STORAGE = frozenset(
    "overlay tmpfs squashfs devtmpfs ramfs iso9660 autofs nsfs fuse.lxcfs fuse.snapfuse devfs aufs erofs".split()
)
CONTAINERS = re.compile(r"/(?:var/lib|run)/(?:docker|containers?|containerd|kubelet|lxd|lxc|incus)(?:/|$)|/(?:snap|proc|sys)/")
# Interfaces of the host with itself, and of containers.
VIRTUAL = re.compile(r"^(?:lo\d*|veth.*|cali[0-9a-f]+|lxdbr.*|vnet\d+)$|loopback", re.IGNORECASE)
MAX_PARTS = 100
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
    six = interface.get("ipv6")
    sixes = [six] if isinstance(six, dict) else list_of(dict, six)
    found = [one.get("address") for one in fours + sixes]
    return ", ".join(address for address in found if isinstance(address, str) and address)


def is_storage(mount):
    """Whether a mount is storage of the host: a bind mount shows a folder of another one."""
    name, options = mount.get("mount"), mount.get("options")
    is_bound = isinstance(options, str) and "bind" in options.split(",")
    return isinstance(name, str) and mount.get("fstype") not in NO_STORAGE and not is_bound and not CONTAINERS.match(name)


def mounts_of(gathered):
    for mount in list_of(dict, gathered.get("ansible_mounts")):
        if is_storage(mount) and is_number(mount.get("size_total")):
            sizes = {"size": int(mount["size_total"])}
            if is_number(mount.get("size_available")):
                sizes["free"] = rounded(mount["size_available"])
            yield cut(mount["mount"], 100), sizes


def interfaces_of(gathered):
    found = gathered.get("ansible_interfaces")
    named = [(name, gathered.get("ansible_" + re.sub("[-:.]", "_", name))) for name in list_of(str, found)]
    # On Windows, interfaces are not names, but have them.
    named += [(one.get("connection_name"), one) for one in list_of(dict, found)]
    for name, interface in sorted((one for one in named if isinstance(one[0], str)), key=lambda one: one[0]):
        addresses = addresses_of(dict_of(interface))
        if addresses and not VIRTUAL.search(name) and dict_of(interface).get("type") != "loopback":
            yield cut(name, 100), cut(addresses)


def texts_of(gathered, *sources):
    values = [gathered.get("ansible_" + source) for source in sources]
    # The version of PowerShell is a number.
    texts = [str(value) if is_number(value) else value for value in values]
    return [value for value in texts if isinstance(value, str) and value]


def distribution_of(gathered):
    """The distribution with its major version. The one of Windows is no part of its name."""
    names = texts_of(gathered, "distribution")
    if names and gathered.get("ansible_os_family") != "Windows":
        names += texts_of(gathered, "distribution_major_version")
    return " ".join(names)


def address_of(gathered):
    defaults = [dict_of(gathered.get("ansible_default_ipv%d" % version)).get("address") for version in (4, 6)]
    found = [one for one in defaults + list_of(str, gathered.get("ansible_ip_addresses")) if isinstance(one, str) and one]
    return found[0] if found else ""


def simple_of(gathered):
    for name, sources in SIMPLE:
        for value in texts_of(gathered, *sources)[:1]:
            yield name, cut(value)
    for name, sources in NUMBERS:
        values = [gathered.get("ansible_" + source) for source in sources]
        for value in [one for one in values if is_number(one)][:1]:
            yield name, value
    zone = dict_of(gathered.get("ansible_date_time")).get("tz")
    others = (("distribution", distribution_of(gathered)), ("address", address_of(gathered)), ("time_zone", zone))
    for name, value in others:
        if isinstance(value, str) and value:
            yield name, cut(value)


def facts_of(action, result):
    """Chosen facts that a step gathered; None without any. Local facts are never part of them."""
    gathered = result.get("ansible_facts")
    if action.split(".")[-1] not in FACT_ACTIONS or not isinstance(gathered, dict):
        return None
    facts = dict(simple_of(gathered))
    for name, found in (("mounts", mounts_of(gathered)), ("interfaces", interfaces_of(gathered))):
        parts = dict(itertools.islice(found, MAX_PARTS))
        facts.update({name: parts} if parts else {})
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
