import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isWholeRun } from '../../../../testing/sample.ts';
import { MAX_LINE_BYTES } from '../../output/line-splitter.ts';
import { noisyPlaybook } from '../../testing/noisy-playbook.testing.ts';
import { HELLO, openCounting, openHarness, release } from '../../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../../testing/runner-harness.testing.ts';
import { UNMASKABLE_LINE, WRONG_KEY_MS } from '../closed-run.ts';
import { LOST_LINE } from '../end/run-end.ts';

const SECRET = 'hunter2-correct-horse';
/** Letters before a second secret in a commit message: the log cuts that secret after 10 characters. */
const PADDING = 949;
const MEBIBYTE = 1024 * 1024;

let harness: RunnerHarness;
afterEach(() => harness.close());

const runFolder = () => join(harness.data, 'runs', '1-1');

/** Resolves when the run has ended and its secrets were removed. */
const ended = () => {
  const file = (name: string) => existsSync(join(runFolder(), name));
  return harness.server.until(() => file('exit') && !file('job.json'), 'the end of the run', 60_000);
};

/** The peak memory of a process, in MiB. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Simulates that the server has sent a wrong key for a long time. */
const refuseLongAgo = () => {
  const record = join(runFolder(), 'refused');
  writeFileSync(record, '');
  const then = new Date(Date.now() - WRONG_KEY_MS - 1_000);
  utimesSync(record, then, then);
};

/** Python code that prints many numbered lines. */
const FLOOD = (lines: number) => `for start in range(0, ${lines}, 1000):
    emit(b''.join(b'number %07d of a flood that goes on and on\\n' % n for n in range(start, start + 1000)))`;
const floodOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /^number (\d{7}) of/.exec(line)?.[1] ?? []).map(Number);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('the output of a run', () => {
  it('[R6] [S6] is stored for any bytes, with secrets masked', async () => {
    harness = await openHarness(
      noisyPlaybook(`emit(b'one 1\\rone 2\\rone 3\\nfrom windows\\r\\n')
emit(b'partial ')
until_read()
emit(b'line\\nsecret ${SECRET.slice(0, 9)}')
until_read()
emit(b'${SECRET.slice(9)} end\\n')
emit(b'caf\\xe9 \\xff\\xfe gr\\xc3\\xbc\\xc3\\x9fe\\n')
emit(b'<' + bytes(range(256)) + b'>\\n')
emit(b'\\x1b[31mred\\x1b[0m \\x1b[2J\\x1b]0;title\\x07clear\\n')
atexit.register(emit, b'no newline at the end')`),
    );
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1, { vault_password: SECRET }));
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
    for (const line of ['one 3', 'from windows', 'partial line', 'secret **** end', 'caf� �� grüße']) {
      expect(run.lines).toContain(line);
    }
    expect(run.lines).toContain('\x1b[31mred\x1b[0m clear');
    const binary = run.lines.findIndex((line) => line.startsWith('<'));
    // The bytes 0 to 9 end with a line end. Bytes before the next carriage return would not be visible.
    expect(run.lines[binary]).toBe('<\t');
    expect(run.lines[binary + 1]).toMatch(/^ !"#.*xyz\{\|\}~.*>$/);
    expect(run.lines.at(-2)).toBe('no newline at the end');
    expect(run.lines.at(-1)).toMatch(/^Playbook run for \d+\.\d s\.$/);
    expect(server.protocolErrors).toEqual([]);
  });

  it('[R6] keeps a line of many MB in pieces, in bounded memory', async () => {
    const megabytes = isWholeRun() ? 50 : 16;
    harness = await openHarness(
      noisyPlaybook(`for n in range(${megabytes}):
    emit((b'%04d' % n) * ${MEBIBYTE / 4})
emit(b'\\nafter\\n')`),
    );
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => run.ended, 'the end', 60_000);
    expect(run.ended?.result).toBe('success');
    const after = run.lines.indexOf('after');
    const first = run.lines.findIndex((line) => line.startsWith('00000000'));
    const pieces = run.lines.slice(first, after);
    expect(pieces.every((piece) => piece.length <= MAX_LINE_BYTES)).toBe(true);
    const whole = pieces.join('');
    expect(whole.length).toBe(megabytes * MEBIBYTE);
    for (const n of upTo(megabytes)) {
      expect(whole.startsWith(String(n).padStart(4, '0').repeat(3), n * MEBIBYTE)).toBe(true);
    }
    expect(peakOf(runner.pid)).toBeLessThan(300);
  });

  it('[R6] is complete and in order in a flood, in bounded memory while the server accepts nothing', async () => {
    const lines = isWholeRun() ? 400_000 : 120_000;
    harness = await openHarness(noisyPlaybook(FLOOD(lines)));
    const { server } = harness;
    server.reactions.storeOutput = false;
    const runner = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => existsSync(join(runFolder(), 'exit')), 'the end of the playbook', 60_000);
    const sent = server.messages.reduce((sum, m) => sum + (m.type === 'output' ? m.lines.join('').length : 0), 0);
    expect(sent).toBeLessThan(4 * MEBIBYTE);
    server.reactions.storeOutput = true;
    server.cut();
    await server.until(() => run.ended, 'the end', 60_000);
    expect(floodOf(run.lines)).toEqual(upTo(lines));
    expect(server.protocolErrors).toEqual([]);
    expect(peakOf(runner.pid)).toBeLessThan(300);
  });

  it('[S6] contains no beginning of a secret if one line is longer than the log limit', async () => {
    harness = await openHarness(noisyPlaybook(`until_read()\nemit(b'${SECRET}' * 2_000)`));
    const { server } = harness;
    await harness.startRunner({ SIGNALBOX_OUTPUT_LIMIT: '20000' });
    await server.message('hello');
    const run = server.sendJob(harness.job(1, { vault_password: SECRET }));
    await server.until(() => run.ended, 'the end', 60_000);
    expect(run.lines.at(-2)).toMatch(/^The log is longer than 20000 bytes/);
    expect(run.lines.join('').match(/\*{4}/g)?.length).toBeGreaterThan(800);
    expect(run.lines.join('')).not.toContain(SECRET.slice(0, 4));
  });

  it('ends with a message if it exceeds the log limit, and the playbook continues', async () => {
    const limit = 20_000;
    harness = await openHarness(noisyPlaybook(`${FLOOD(200_000)}\nopen('${'DONE'}', 'w').close()`));
    const { server } = harness;
    await harness.startRunner({ SIGNALBOX_OUTPUT_LIMIT: String(limit) });
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => run.ended, 'the end', 60_000);
    expect(run.ended?.result).toBe('success');
    expect(run.lines.at(-2)).toBe(`The log is longer than ${limit} bytes: the rest of the output is not kept.`);
    expect(run.own.slice(-2)).toEqual([run.lines.length - 1, run.lines.length]);
    const kept = floodOf(run.lines);
    expect(kept).toEqual(upTo(kept.length));
    expect(run.lines.join('\n').length).toBeLessThan(limit + 200);
    expect(run.records.at(-1)?.kind).toBe('stats');
  });

  it('contains the duration of each phase', async () => {
    harness = await openHarness({ 'site.yml': HELLO });
    harness.commitAll(`First, with ${SECRET} in it ${'x'.repeat(PADDING)} ${SECRET}`);
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const repository = { id: 1, url: harness.repository, branch: 'main', access: { type: 'none' } } as const;
    const run = server.sendJob(harness.job(1, { repository, vault_password: SECRET }));
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
    const durations = run.lines.filter((line) => / (?:in|for) \d+\.\d s\.$/.test(line));
    expect(durations.map((line) => line.replace(/\d+\.\d/, 'n'))).toEqual([
      'Repository fetched in n s.',
      'Checked out in n s.',
      'Inventory prepared in n s.',
      'Playbook run for n s.',
    ]);
    // [S6] The output of git is masked like the output of the playbook.
    expect(run.commit?.commit_message).toBe(`First, with **** in it ${'x'.repeat(PADDING)} ****`.slice(0, 1000));
    expect(run.lines.find((line) => line.startsWith('Commit: '))).toMatch(/x \*{4}$/);
    expect(JSON.stringify(server.messages)).not.toContain(SECRET.slice(0, 4));
    expect(JSON.stringify(server.messages)).not.toContain(SECRET);
  });

  it('can pause for any time while the runner reports the run with each heartbeat', async () => {
    harness = await openCounting();
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the wait');
    // The start of a step is reported before the step prints anything.
    await server.until(() => run.records.some((one) => one.kind === 'step' && one.name === 'Wait'), 'the step');
    const lines = run.lines.length;
    const heartbeats = () => server.messages.filter((message) => message.type === 'heartbeat');
    const before = heartbeats().length;
    await server.until(() => heartbeats().length >= before + 5, 'five heartbeats', 30_000);
    expect(run.lines.length).toBe(lines);
    expect(run.ended).toBeUndefined();
    expect(
      heartbeats()
        .slice(before)
        .map(({ runs }) => runs),
    ).toEqual(Array.from({ length: heartbeats().length - before }, () => [{ task_id: 1, epoch: 1, state: 'playing' }]));
    await release(harness);
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
  });
});

describe('a restarted runner', () => {
  it('[R6] continues to read a long log from the stored position', async () => {
    const lines = 150_000;
    harness = await openHarness({});
    harness.write(
      noisyPlaybook(`${FLOOD(lines)}
emit(b'waiting\\n')
while os.path.exists('${harness.folder}/hold'):
    time.sleep(0.05)
emit(b'number %07d of the end\\n' % ${lines})`),
    );
    writeFileSync(join(harness.folder, 'hold'), '');
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(
      () => run.lines.includes('waiting') && existsSync(join(runFolder(), 'position.json')),
      'the wait',
    );
    const { offset } = JSON.parse(readFileSync(join(runFolder(), 'position.json'), 'utf8')) as { offset: number };
    expect(offset).toBeGreaterThan(3 * MEBIBYTE);
    runner.kill('SIGKILL');
    await runner.exited;
    // A runner that reads this part again would count one line instead of thousands.
    const log = openSync(join(runFolder(), 'output.log'), 'r+');
    writeSync(log, Buffer.alloc(MEBIBYTE), 0, MEBIBYTE, 0);
    await harness.startRunner();
    await release(harness);
    await server.until(() => run.ended, 'the end');
    expect(floodOf(run.lines)).toEqual(upTo(lines + 1));
    expect(run.ended?.lines).toBe(run.lines.length);
    expect(server.protocolErrors).toEqual([]);
  });

  it('[S5] [R6] has no secrets a second after the end, and the log is complete', async () => {
    harness = await openHarness(noisyPlaybook(`${FLOOD(300_000)}\nemit(b'it is ${SECRET}\\n')`));
    const { server } = harness;
    server.reactions.storeOutput = false;
    const runner = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1, { vault_password: SECRET }));
    await ended();
    runner.kill('SIGKILL');
    await runner.exited;
    // The job is the last file that was removed from the folder. The file `exit` shows the time of the end.
    expect(statSync(runFolder()).mtimeMs - statSync(join(runFolder(), 'exit')).ctimeMs).toBeLessThan(1000);
    expect(existsSync(join(harness.data, 'places', '1-1', 'secrets'))).toBe(false);
    for (const name of readdirSync(runFolder()).filter((one) => one !== 'output.log'))
      expect(readFileSync(join(runFolder(), name), 'utf8'), name).not.toContain(SECRET);
    server.reactions.storeOutput = true;
    await harness.startRunner();
    await server.until(() => run.ended, 'the end', 60_000);
    expect(floodOf(run.lines)).toEqual(upTo(300_000));
    expect(run.lines).toContain('it is ****');
    expect(run.records.at(-1)?.kind).toBe('stats');
    expect(JSON.stringify(server.messages.filter(({ type }) => type !== 'output'))).not.toContain(SECRET);
    expect(server.protocolErrors).toEqual([]);
  });

  it('[S6] replaces output that can no longer be masked by one line after the stored lines', async () => {
    harness = await openHarness({});
    const { server } = harness;
    const hold = join(harness.folder, 'hold');
    writeFileSync(hold, '');
    harness.write(
      noisyPlaybook(`emit(b'stored\\n')
while os.path.exists('${hold}'):
    time.sleep(0.05)
emit(b'it is ${SECRET}\\n')`),
    );
    const first = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1, { vault_password: SECRET }));
    await server.until(() => run.lines.includes('stored'), 'a line that is stored');
    Object.assign(server.reactions, { storeOutput: false, acknowledgeEnd: false, sendJobKey: false });
    rmSync(hold);
    await ended();
    first.kill('SIGKILL');
    await first.exited;
    server.reactions.storeOutput = true;
    const stored = [...run.lines];
    // The server may have been started with a wrong encryption key, so the runner waits for the right one.
    const patient = await harness.startRunner();
    await server.until(() => existsSync(join(runFolder(), 'refused')), 'the record of a wrong key');
    await expect.poll(patient.stderr).toContain('The server does not have the key of task 1');
    expect(readFileSync(join(runFolder(), 'output.log'), 'utf8')).toContain(SECRET);
    patient.kill('SIGKILL');
    await patient.exited;
    refuseLongAgo();
    for (const times of [1, 2]) {
      const runner = await harness.startRunner();
      await server.until(() => server.messages.filter(({ type }) => type === 'ended').length === times, 'the end');
      runner.kill('SIGKILL');
      await runner.exited;
    }
    expect(run.lines.slice(0, stored.length)).toEqual(stored);
    expect(run.lines.slice(stored.length)).toEqual([
      UNMASKABLE_LINE,
      expect.stringMatching(/^Playbook run for \d+\.\d s\.$/),
    ]);
    expect(run.ended?.result).toBe('success');
    expect(server.protocolErrors).toEqual([]);
  });

  /** Makes a run end whose end the server does not know, and kills its runner. */
  const endedUnreported = async () => {
    harness = await openHarness(noisyPlaybook(`emit(b'it is ${SECRET}\\n')`));
    const { server } = harness;
    Object.assign(server.reactions, { storeOutput: false, acknowledgeEnd: false });
    const runner = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1, { vault_password: SECRET }));
    await ended();
    runner.kill('SIGKILL');
    await runner.exited;
    server.reactions.storeOutput = true;
    return { server, run };
  };

  it('[S5] removes secrets that the previous runner could not remove, without a server', async () => {
    const { server } = await endedUnreported();
    const secrets = join(harness.data, 'places', '1-1', 'secrets');
    mkdirSync(secrets, { recursive: true });
    writeFileSync(join(secrets, 'key'), SECRET);
    server.reactions.resume = false;
    await harness.startRunner();
    await server.until(() => !existsSync(secrets), 'a workspace without secrets');
  });

  it('[R3] reports the unknown end of a run once, also after several restarts', async () => {
    const { server, run } = await endedUnreported();
    rmSync(join(runFolder(), 'exit'));
    for (const times of [1, 2]) {
      const runner = await harness.startRunner();
      await server.until(() => server.messages.filter(({ type }) => type === 'ended').length === times, 'the end');
      runner.kill('SIGKILL');
      await runner.exited;
    }
    expect(run.ended?.reason).toBe('lost');
    expect(run.lines).toContain('it is ****');
    expect(run.lines.filter((line) => line === LOST_LINE)).toHaveLength(1);
    expect(run.lines.at(-1)).toBe(LOST_LINE);
    expect(run.ended?.lines).toBe(run.lines.length);
  });

  it('[R3] tries to open a run again until its log can be read', async () => {
    const { server, run } = await endedUnreported();
    server.reactions.sendJobKey = false;
    refuseLongAgo();
    const log = join(runFolder(), 'output.log');
    rmSync(log);
    mkdirSync(log);
    const runner = await harness.startRunner();
    await server.until(() => runner.stderr().includes('resume of task 1 failed'), 'a note');
    rmSync(log, { recursive: true });
    await server.until(() => run.ended, 'the end');
    expect(run.lines[0]).toBe(UNMASKABLE_LINE);
    expect(run.ended?.result).toBe('success');
  });
});
