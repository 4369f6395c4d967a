/**
 * The files of a playbook whose play `Flood` begins with a flood of output.
 * @param body lines of Python that call `write(bytes)`; `os` and `time` are imported
 */
export const floodFiles = (body: string): Record<string, string> => ({
  'ansible.cfg': '[defaults]\ncallback_plugins = ./plugins\ncallbacks_enabled = flood\n',
  'plugins/flood.py': `from ansible.plugins.callback import CallbackBase
import os
import time


def write(data):
    while data:
        data = data[os.write(1, data[:65536]):]


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'aggregate'
    CALLBACK_NAME = 'flood'

    def v2_playbook_on_play_start(self, play):
        if play.get_name() != 'Flood':
            return
${body.replaceAll(/^/gm, '        ')}
`,
  'flood.yml': playOf('Flood'),
});

/** A play that prints one message. */
export const playOf = (name: string): string =>
  `- name: ${name}\n  hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug:\n        msg: done\n`;
