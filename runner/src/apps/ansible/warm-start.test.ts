import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { runProgram } from '../../process/program.ts';
import { SUPERVISOR_FOLDER } from '../../process/supervisor.ts';
import { startWarmProcess, type TestedWarmProcess } from '../../testing/warm-process.testing.ts';
import { COMPARED_RUNS, HELLO } from '../../testing/warm-start/compared-runs.testing.ts';
import { installAnsible } from '../../testing/warm-start/install-ansible.testing.ts';
import { type ComparedRun, PATH, runWarmAndCold } from '../../testing/warm-start/warm-and-cold.testing.ts';
import { warmAnsible } from './warm-ansible.ts';

const TESTING = join(import.meta.dirname, '..', '..', 'testing', 'warm-start');
const STATE = readFileSync(join(TESTING, 'state.py'), 'utf8');
const STATE_CONFIG = '[defaults]\ncallback_plugins = cb\ncallbacks_enabled = state\n';
const NOBODY = { name: 'nobody', uid: 65534, gid: 65534 };

let warm: TestedWarmProcess;
let root: string;

const newRoot = () => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-compared-'));
  chmodSync(root, 0o755);
};
beforeAll(async () => {
  warm = await startWarmProcess(warmAnsible(PATH));
}, 60_000);
afterAll(() => warm.close());
beforeEach(newRoot);
afterEach(() => rmSync(root, { recursive: true, force: true }));

const STATE_RUN: ComparedRun = {
  files: { 'play.yml': HELLO, 'ansible.cfg': STATE_CONFIG, 'cb/state.py': STATE },
  args: ['-i', 'localhost,', 'play.yml'],
};

const expectSameProcess = async (tested: TestedWarmProcess, run: ComparedRun) => {
  const { cold, warm: started, outputs } = await runWarmAndCold(tested, root, run);
  expect(started.output.split('\n')).toEqual(cold.output.split('\n'));
  expect(started).toEqual(cold);
  const [first, second] = outputs.map((output) => /^random (.*)$/m.exec(output)?.[1]);
  expect(first).toBeDefined();
  expect(first).not.toBe(second);
  return outputs.map((output) => /^random auxv (.*)$/m.exec(output)?.[1]);
};
const addressSpace = (tested: TestedWarmProcess) => readFileSync(`/proc/${tested.process.pid}/auxv`).toString('hex');

describe('a program that a warm process starts', () => {
  it('equals a program that was executed', async () => {
    const [cold, started] = await expectSameProcess(warm, STATE_RUN);
    expect(started).toBe(addressSpace(warm));
    expect(cold).not.toBe(started);
  });

  it('equals a program that another user executed', async () => {
    if (process.getuid?.() !== 0) {
      const { cold, warm: started } = await runWarmAndCold(warm, root, { ...STATE_RUN, user: NOBODY });
      expect(started).toEqual(cold);
      expect(started.exit).toMatchObject({ reason: 'not_started' });
      return;
    }
    const [, started] = await expectSameProcess(warm, { ...STATE_RUN, user: NOBODY });
    expect(started).toBe(addressSpace(warm));
  });

  it.each(drawSample('runs that are started warm and cold', COMPARED_RUNS, 8))('$title', async (run) => {
    const { cold, warm: started } = await runWarmAndCold(warm, root, run);
    expect(started.output.split('\n')).toEqual(cold.output.split('\n'));
    expect(started).toEqual(cold);
    expect(started.output).toContain(run.shows);
  });

  it('loads the same whatever the variables and the folder are', async () => {
    const base = { PATH, LANG: 'C.UTF-8', HOME: '/nonexistent', PYTHONHASHSEED: '0' };
    const other = {
      ...base,
      ...{ HOME: root, USER: 'other', LOGNAME: 'other', TMPDIR: root, PWD: '/', SHELL: '/bin/other', FOO: '1' },
      ...{ TERM: 'xterm', COLUMNS: '40', NO_COLOR: '1', EDITOR: 'ed', PAGER: 'cat', http_proxy: 'http://proxy' },
      ...{ ANSIBLE_DEBUG: '1', ANSIBLE_FORKS: '7', ANSIBLE_CONFIG: join(root, 'ansible.cfg') },
    };
    const program = join(TESTING, 'module-state.py');
    const load = async (env: Record<string, string>, cwd: string) => {
      const args = [program, SUPERVISOR_FOLDER, JSON.stringify(warm.program)];
      const end = await runProgram('/usr/bin/python3', args, { env, cwd, timeoutMs: 60_000 });
      expect(end.code, end.stderr).toBe(0);
      // Addresses of the process, and the time from which log records count, which is renewed in each run.
      return end.stdout.split('\n').filter((line) => !/"(_\w+_addr|_startTime)": /.test(line));
    };
    const loaded = await load(base, '/');
    expect(loaded.length).toBeGreaterThan(1000);
    expect(await load(other, root)).toEqual(loaded);
  });

  it.each(drawSample('ansible-core of PyPI: warm start', ['2.16.14', '2.18.6', '2.19.1'], 0))(
    'is the same with ansible-core %s of PyPI',
    async (version) => {
      const installed = await installAnsible(version, root);
      const tested = await startWarmProcess(warmAnsible(installed));
      try {
        const [, started] = await expectSameProcess(tested, STATE_RUN);
        expect(started).toBe(addressSpace(tested));
      } finally {
        tested.close();
      }
    },
    600_000,
  );
});
