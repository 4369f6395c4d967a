# Keeps a run on the hosts that its task has locked.
#
# Unlike the plugin that records events, an error of this plugin ends the run: other tasks may use the hosts.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = """
    name: signalbox_locks
    type: notification
    short_description: Keeps a run on the hosts that its task has locked
    description:
      - Ends the run before a play with hosts that are not in the file that C(SIGNALBOX_LOCKED_HOSTS) names.
      - Fails steps that are delegated to such hosts, before they connect.
      - Does nothing when the variable is not set.
    requirements:
      - enabled by its name in C(callbacks_enabled)
"""

import functools
import json
import os
import sys
import traceback

from ansible import constants
from ansible.errors import AnsibleError
from ansible.executor.task_executor import TaskExecutor
from ansible.plugins.callback import CallbackBase

# The exit code of a run that this plugin ends.
NOT_LOCKED = 97
MAX_NAMED = 20
MAX_NAME = 200


def end_run(message):
    sys.stdout.flush()
    sys.stderr.write(message + "\n")
    sys.stderr.flush()
    # An exception of a callback plugin does not end Ansible.
    os._exit(NOT_LOCKED)


def refuse_delegation(locked):
    """Lets steps that are delegated to other hosts fail. The processes of steps are forked from this one."""
    # Called for each step and each item of a loop, after `delegate_to` has its value and before the connection opens.
    original = TaskExecutor._set_connection_options

    @functools.wraps(original)
    def checked(self, *args, **kwargs):
        host = self._task.delegate_to
        if host and host not in locked and host not in constants.LOCALHOST:
            raise AnsibleError(
                "The step is delegated to %s, which this task has not locked. Add a play that targets this host, "
                "so that tasks of the template lock it too." % host
            )
        return original(self, *args, **kwargs)

    TaskExecutor._set_connection_options = checked


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "signalbox_locks"
    CALLBACK_NEEDS_ENABLED = True
    CALLBACK_NEEDS_WHITELIST = True

    def __init__(self, *args, **kwargs):
        super(CallbackModule, self).__init__(*args, **kwargs)
        self._locked = None
        path = os.environ.pop("SIGNALBOX_LOCKED_HOSTS", None)
        if path is None:
            return
        try:
            with open(path) as source:
                given = json.load(source)
            self._locked, self._report = frozenset(given["all"]), given["report"]
            refuse_delegation(self._locked)
        except Exception:
            traceback.print_exc()
            end_run("The hosts that this task has locked cannot be read.")

    def v2_playbook_on_play_start(self, play):
        if self._locked is None:
            return
        others = []
        try:
            hosts = play.get_variable_manager()._inventory.get_hosts(play.hosts)
            others = sorted(set(host.get_name() for host in hosts) - self._locked)
            if not others:
                return
            with open(self._report, "w") as report:
                json.dump({"host": others[0][:MAX_NAME]}, report)
        except Exception:
            traceback.print_exc()
        named = ", ".join(others[:MAX_NAMED]) or "unknown hosts"
        end_run("The play targets hosts that this task has not locked: %s" % named)
