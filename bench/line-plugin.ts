/**
 * A callback plugin that writes the output instead of the tasks of the play. `body` is the Python code of one function.
 */
const plugin = (body: string): string => `import os
import shutil
import sys
import time
from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'notification'
    CALLBACK_NAME = 'noisy'

    def v2_playbook_on_play_start(self, play):
${body
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}
`;

const PLAY = `- name: Noisy
  hosts: all
  gather_facts: false
  tasks: []
`;

const CONFIG = '[defaults]\ncallback_plugins = ./plugins\ncallbacks_enabled = noisy\n';

const repository = (body: string): Record<string, string> => ({
  'noisy.yml': PLAY,
  'ansible.cfg': CONFIG,
  'plugins/noisy.py': plugin(body),
});

const floodBody = (file: string): string => `sys.stdout.write('FLOOD %d\\n' % time.time_ns())
sys.stdout.flush()
with open('${file}', 'rb') as lines:
    shutil.copyfileobj(lines, sys.stdout.buffer, 1 << 20)
sys.stdout.buffer.flush()`;

const steadyBody = (linesPerSecond: number, seconds: number): string => `since = time.monotonic()
for number in range(${linesPerSecond * seconds}):
    wait = since + number / ${linesPerSecond} - time.monotonic()
    if wait > 0:
        time.sleep(wait)
    os.write(1, b'LINE %d %d\\n' % (number, time.time_ns()))`;

/** A repository whose play writes `FLOOD <nanoseconds>` and then a whole file as fast as possible. */
export const floodRepository = (file: string): Record<string, string> => repository(floodBody(file));

/** A repository whose play writes lines at a fixed rate, each with its number and the time in nanoseconds. */
export const steadyRepository = (linesPerSecond: number, seconds: number): Record<string, string> =>
  repository(steadyBody(linesPerSecond, seconds));

/** The line that a waiting play writes before it waits. */
export const WAITING_LINE = 'WAITING';

/** Like `steadyRepository`, but the play waits until a file exists, so that several plays write at the same time. */
export const waitingRepository = (file: string, linesPerSecond: number, seconds: number): Record<string, string> =>
  repository(`os.write(1, b'${WAITING_LINE}\\n')
while not os.path.exists('${file}'):
    time.sleep(0.05)
${steadyBody(linesPerSecond, seconds)}`);

const STARTED_BODY = `with open('/proc/self/stat') as stat:
    ticks = int(stat.read().rsplit(')', 1)[1].split()[19])
age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf('SC_CLK_TCK')
os.write(1, b'STARTED %d\\n' % round((time.time() - age) * 1000))`;

/** A repository whose play writes when its ansible-playbook was started, in milliseconds since 1970, to about 10 ms. */
export const startRepository = (): Record<string, string> => repository(STARTED_BODY);

const branch = (play: string, body: string): string =>
  `if play.get_name() == '${play}':\n${body.replaceAll(/^/gm, '    ')}`;

/**
 * A repository with three plays: `flood.yml` writes a whole file, `steady.yml` lines at a fixed rate, `short.yml`
 * nothing.
 */
export const logRepository = (file: string, linesPerSecond: number, seconds: number): Record<string, string> => ({
  ...repository([branch('Flood', floodBody(file)), branch('Steady', steadyBody(linesPerSecond, seconds))].join('\n')),
  'flood.yml': PLAY.replace('Noisy', 'Flood'),
  'steady.yml': PLAY.replace('Noisy', 'Steady'),
  'short.yml': PLAY.replace('Noisy', 'Short'),
});

/**
 * A repository whose play writes results of many hosts and steps in the format of the callback plugin of Signalbox: an
 * event and a line with a marker for each result. Every hundredth host fails in the last step.
 */
export const resultsRepository = (hosts: number, steps: number): Record<string, string> =>
  repository(`mark = 10
events = open('../events.jsonl', 'ab', 0)
for step in range(1, ${steps} + 1):
    mark += 1
    at = int(time.time() * 1000)
    events.write(b'{"kind": "step", "step": %d, "play": 1, "name": "Step %d", "action": "ansible.builtin.command", "handler": false, "at": %d, "mark": %d}\\n' % (step, step, at, mark))
    os.write(1, b'\\nTASK [Step %d] ****\\n\\x1b_signalbox;%d\\x1b\\\\' % (step, mark))
    for start in range(0, ${hosts}, 100):
        rows, lines = [], []
        at = int(time.time() * 1000)
        for host in range(start, start + 100):
            mark += 1
            failed = step == ${steps} and host % 100 == 0
            result, message = (b'failed', b'the disk is full') if failed else (b'changed', b'') if host % 10 == 0 else (b'ok', b'')
            rows.append(b'{"step": %d, "host": "host-%05d.example.com", "result": "%s", "message": "%s", "kind": "host", "at": %d, "mark": %d}\\n' % (step, host, result, message, at, mark))
            lines.append(b'%s: [host-%05d.example.com]\\n\\x1b_signalbox;%d\\x1b\\\\' % (result, host, mark))
        events.write(b''.join(rows))
        data = b''.join(lines)
        while data:
            data = data[os.write(1, data):]`);
