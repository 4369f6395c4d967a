import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';
import { withoutColours } from '../output/plain-text.ts';
import { identityOf, parseIdentity, signalProcess } from '../process/process-table.ts';
import { numbersOf, openCounting, openHarness, playToTheWait, release } from '../testing/playbooks.testing.ts';
import { localHost, type RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

/** A new harness, in which task 1 has printed some output and does not end before `release`. */
const playSome = async () => {
  harness = await openCounting();
  const { server } = harness;
  const runner = await harness.startRunner();
  await server.message('hello');
  const run = server.sendJob(harness.job(1));
  await server.until(() => numbersOf(run.lines).length >= 20, 'some lines');
  return { server, runner, run };
};

describe('a run', () => {
  it('runs its playbook once with a complete log if the runner is killed', async () => {
    const { server, runner, run } = await playSome();
    runner.kill('SIGKILL');
    await runner.exited;
    await release(harness);
    await harness.startRunner();
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'success', lines: run.lines.length });
    const expected = Array.from({ length: 100 }, (_, n) => n);
    expect(numbersOf(run.lines)).toHaveLength(200);
    expect(new Set(numbersOf(run.lines))).toEqual(new Set(expected));
    expect(run.lines.slice(-5).some((line) => line.startsWith('PLAY RECAP'))).toBe(true);
    expect(readFileSync(join(harness.folder, 'starts'), 'utf8')).toBe('start\n');
    // The record of a host points to the first item of its loop, and another host may have ended its own loop before.
    const steps = run.records.flatMap((record) => (record.kind === 'step' ? [record.line] : []));
    expect(steps).toHaveLength(4);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(run.records.filter((record) => record.kind === 'stats')).toHaveLength(1);
    expect(server.protocolErrors).toEqual([]);
  });

  it('[R3] ends as lost if its supervisor is killed, also if its end cannot be written', async () => {
    const { server, runner, run } = await playSome();
    // A folder with the name of the file, so that writing the file fails at its last step, the rename.
    mkdirSync(harness.inRun(1, 'exit', 'in-the-way'), { recursive: true });
    for (const line of readFileSync(harness.inRun(1, 'started'), 'utf8').split('\n')) {
      const started = parseIdentity(line);
      // The watchdog may have ended already, because it ends after its supervisor.
      if (started) signalProcess(started.pid, 'SIGKILL');
    }
    await server.until(() => run.ended, 'the end');
    expect(run.ended).toMatchObject({
      result: 'error',
      reason: 'lost',
      end_reason: { code: 'supervisor.lost', params: {} },
      lines: run.lines.length,
    });
    // The runner tried to write the end only once.
    expect(runner.stderr().match(/ended cannot be written/g)).toHaveLength(1);
  });

  it('[R3] fails alone if its unfinished preparation cannot be removed, and the runner continues all other runs', async () => {
    harness = await openHarness();
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const url = `https://127.0.0.1:${port}/x.git`;
    const run = server.sendJob(
      harness.job(1, { repository: { id: 1, url, branch: 'main', access: { type: 'none' } } }),
    );
    await server.until(() => run.lines.length > 0, 'the first line');
    runner.kill('SIGKILL');
    await runner.exited;
    mkdirSync(harness.inRun(1, 'commit.json', 'in-the-way'), { recursive: true });
    await harness.startRunner();
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'error', reason: 'preparation' });
    expect(run.lines.at(-1)).toMatch(/^The run could not be prepared/);
    expect(run.ended?.end_reason).toEqual({
      code: 'preparation.failed',
      params: { detail: expect.not.stringMatching(/ /) },
    });
    const other = server.sendJob(harness.job(2));
    await server.until(() => other.ended, 'the end of another');
    expect(other.ended?.result).toBe('success');
    silent.close();
  });

  it('runs its playbook once with a complete log if the runner is killed at any moment', async () => {
    harness = await openCounting(false);
    const { server } = harness;
    let whole: string | undefined;
    const plain = (lines: readonly string[]) =>
      lines.filter((line) => !line.startsWith('The runner was restarted: ')).map((line) => withoutColours(line));
    const attempts = drawSample('moments of a kill: runner', [1, 2, 3, 4, 5, 6], 3);
    for (const attempt of attempts) {
      const runner = await harness.startRunner();
      await server.message('hello', (m) => m.pid === runner.pid);
      const run = server.sendJob(
        harness.job(attempt, {
          inventory: {
            type: 'static',
            inventory: localHost('one'),
            access: { type: 'none' },
            become: null,
          },
        }),
      );
      await server.message('accepted', (m) => m.task_id === attempt);
      // A time, not an event: each attempt kills at another step of the run.
      await delay(attempt * 180);
      runner.kill('SIGKILL');
      await runner.exited;
      const next = await harness.startRunner();
      await server.until(() => run.ended, `the end of ${attempt}`);
      expect(run.ended).toMatchObject({ result: 'success', lines: run.lines.length });
      expect(numbersOf(run.lines)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      const text = plain(run.lines)
        .filter((line) => !/^(Repository|Commit|Inventory|Command): | (in|for) [\d.]+ s\.$/.test(line))
        .join('\n');
      whole ??= text;
      expect(text).toBe(whole);
      next.kill('SIGKILL');
      await next.exited;
    }
    expect(readFileSync(join(harness.folder, 'starts'), 'utf8')).toBe('start\n'.repeat(attempts.length));
    expect(server.protocolErrors).toEqual([]);
  });

  it('sends each line once if the link is lost', async () => {
    harness = await openCounting();
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => numbersOf(run.lines).length >= 10, 'some lines');
    server.cut();
    await server.until(() => server.messages.filter((m) => m.type === 'hello').length === 2, 'a second hello');
    await release(harness);
    await server.until(() => run.ended, 'the end');
    expect(numbersOf(run.lines)).toHaveLength(200);
    expect(run.ended).toMatchObject({ result: 'success', lines: run.lines.length });
    expect(server.protocolErrors).toEqual([]);
  });

  it('[R3] sends nothing after a link that was lost at its start, until the next server sends the position to resume from', async () => {
    harness = await openHarness();
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    Object.assign(server.reactions, { start: false, resume: false });
    const run = server.sendJob(harness.job(1));
    const { task_id, epoch } = await server.message('accepted');
    server.send({ type: 'start', task_id, epoch });
    server.cut();
    const isEnded = () => server.messages.some((m) => m.type === 'heartbeat' && m.runs[0]?.state === 'ended');
    await server.until(isEnded, 'the end of the run');
    expect(server.messages.filter((m) => ['output', 'results', 'started', 'commit'].includes(m.type))).toEqual([]);
    server.send({ type: 'resume', task_id, epoch, next_line: 1, offset: 0, next_result: 1 });
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({
      result: 'success',
      lines: run.lines.length,
    });
  });

  it('sends everything again to a server that returns and had acknowledged nothing', async () => {
    harness = await openHarness();
    const { server } = harness;
    server.reactions.storeOutput = false;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    const folder = join(harness.data, 'runs', '1-1');
    await server.message('heartbeat', ({ runs }) => runs.some(({ state }) => state === 'ended'));
    expect(existsSync(join(folder, 'job.json'))).toBe(false);
    server.reactions.storeOutput = true;
    server.cut();
    await server.until(() => run.ended, 'the end');
    expect(run.ended).toMatchObject({ result: 'success', lines: run.lines.length });
    expect(run.lines.filter((line) => line.includes('hello'))).toHaveLength(2);
    expect(run.records.map((record) => withoutColours(run.lines[record.line - 1] ?? '').slice(0, 4))).toEqual([
      'PLAY',
      'TASK',
      'ok: ',
      'ok: ',
      'PLAY',
    ]);
    expect(server.protocolErrors).toEqual([]);
  });

  it('fails if its supervisor is killed, and its log names the reason', async () => {
    harness = await openCounting();
    const { server } = harness;
    const { run } = await playToTheWait(harness);
    const supervisor = Number(readFileSync(join(harness.data, 'runs', '1-1', 'started'), 'utf8').split(' ')[0]);
    expect(identityOf(supervisor)).toBeDefined();
    process.kill(supervisor, 'SIGKILL');
    expect(await server.until(() => run.ended, 'the end', 8_000)).toMatchObject({
      result: 'error',
      reason: 'lost',
      end_reason: { code: 'supervisor.lost', params: {} },
    });
    expect(run.lines.at(-1)).toMatch(/^The log was cut here/);
  });

  it('reports its end at the next start of the runner if it could not be reported before', async () => {
    harness = await openCounting();
    const { server } = harness;
    const { runner: first, run } = await playToTheWait(harness);
    first.kill('SIGKILL');
    await first.exited;
    await release(harness);
    await server.until(() => existsSync(join(harness.data, 'runs', '1-1', 'exit')), 'the exit');
    await harness.startRunner();
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'success' });
    expect(run.lines.join('\n')).toContain('the last one');
    await harness.emptied();
  });

  it('[R2] starts from the files of an earlier version after an update of the runner', async () => {
    harness = await openHarness();
    const { server } = harness;
    server.reactions.start = false;
    const before = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.message('accepted');
    before.kill('SIGKILL');
    await before.exited;
    const { app: _, ...oldJob } = JSON.parse(readFileSync(harness.inRun(1, 'job.json'), 'utf8'));
    const closed = JSON.parse(readFileSync(harness.inRun(1, 'closed-job.json'), 'utf8'));
    for (const name of ['job.json', 'closed-job.json']) rmSync(harness.inRun(1, name));
    writeFileSync(harness.inRun(1, 'order.json'), JSON.stringify(oldJob));
    const { app: __, ...oldClosedJob } = closed.job;
    writeFileSync(
      harness.inRun(1, 'sealed-order.json'),
      `{"order": ${JSON.stringify(oldClosedJob)}, "secrets": ${JSON.stringify(closed.secrets)}}`,
    );
    server.reactions.start = true;
    server.reactions.acknowledgeEnd = false;
    await harness.startRunner();
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'success' });
    expect(existsSync(harness.inRun(1, 'order.json'))).toBe(false);
  });
});
