/** A callback plugin of a repository that speaks instead of the play's tasks: `body` is the Python of one function. */
const plugin = (body: string): string => `import os
import shutil
import sys
import time
from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'notification'
    CALLBACK_NAME = 'speaker'

    def v2_playbook_on_play_start(self, play):
${body
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}
`;

const PLAY = `- name: Speak
  hosts: all
  gather_facts: false
  tasks: []
`;

const CONFIG = '[defaults]\ncallback_plugins = ./plugins\ncallbacks_enabled = speaker\n';

const repository = (body: string): Record<string, string> => ({
  'speak.yml': PLAY,
  'ansible.cfg': CONFIG,
  'plugins/speaker.py': plugin(body),
});

/** A repository whose play says `FLOOD <nanoseconds>`, and then all of a file as fast as it is taken. */
export const floodRepository = (file: string): Record<string, string> =>
  repository(`sys.stdout.write('FLOOD %d\\n' % time.time_ns())
sys.stdout.flush()
with open('${file}', 'rb') as lines:
    shutil.copyfileobj(lines, sys.stdout.buffer, 1 << 20)
sys.stdout.buffer.flush()`);

/** A repository whose play says so many lines a second, each with its number and the nanosecond when it was written. */
export const steadyRepository = (linesPerSecond: number, seconds: number): Record<string, string> =>
  repository(`since = time.monotonic()
for number in range(${linesPerSecond * seconds}):
    wait = since + number / ${linesPerSecond} - time.monotonic()
    if wait > 0:
        time.sleep(wait)
    os.write(1, b'LINE %d %d\\n' % (number, time.time_ns()))`);
