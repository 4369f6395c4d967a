/** A callback plugin of a repository that prints instead of tasks: `body` is the Python code of one function. */
const plugin = (body: string): string => `import array
import atexit
import fcntl
import os
import termios
import time
from ansible.plugins.callback import CallbackBase


def emit(data):
    while data:
        data = data[os.write(1, data):]


def until_read():
    waiting = array.array('i', [1])
    while waiting[0]:
        fcntl.ioctl(1, termios.FIONREAD, waiting)
        time.sleep(0.01)


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'notification'
    CALLBACK_NAME = 'noisy'

    def v2_playbook_on_play_start(self, play):
${body.replace(/^/gm, '        ')}
`;

const PLAY = '- name: Print\n  hosts: all\n  gather_facts: false\n  tasks: []\n';

/**
 * A repository whose play prints exactly what some Python code writes: `emit(b'...')` writes bytes to the output of the
 * run, and `until_read()` returns when the supervisor has read them, so that it reads later bytes separately.
 */
export const noisyPlaybook = (body: string): Record<string, string> => ({
  'site.yml': PLAY,
  'ansible.cfg': '[defaults]\ncallback_plugins = ./plugins\ncallbacks_enabled = noisy\n',
  'plugins/noisy.py': plugin(body),
});
