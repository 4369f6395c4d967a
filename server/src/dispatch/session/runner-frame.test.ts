import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LINK_PROTOCOL, MAX_RUNNER_FRAME } from '@signalbox/contract/link';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runnerSocketPath } from '../../files/data-folder.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { watchLoop } from '../../testing/loop-watch.ts';
import type { LargeFrame, LinkState } from '../../testing/runners/link-client.worker.ts';
import { connectRunner, SCRIPTED_TOKEN } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { FrameRefused, parseFrame } from './runner-frame.ts';
import { LINK_PATH } from './runner-hub.ts';

const MAX_BLOCKED_MS = 50;
/** Maximum attempts for each frame: a slow attempt may include garbage collection for earlier frames. */
const TRIES = 4;

describe('a frame from a runner', () => {
  const large = (start: string) => Buffer.from(`${start}"x":"${'x'.repeat(70_000)}"}`);

  it('is parsed when it is small, or belongs to a run or query of the runner', () => {
    expect(parseFrame(Buffer.from('{"type":"heartbeat"}'), () => false)).toEqual({ type: 'heartbeat' });
    const output = large('{"type":"output","task_id":7,"epoch":2,');
    const subjects: unknown[] = [];
    const holds = (isOwn: boolean) => (subject: unknown) => {
      subjects.push(subject);
      return isOwn;
    };
    expect(parseFrame(output, holds(true))).toMatchObject({ task_id: 7 });
    expect(parseFrame(output, holds(false))).toBeUndefined();
    expect(parseFrame(large('{"type":"answer","query_id":3,'), holds(false))).toBeUndefined();
    expect(parseFrame(large('{"type":"answer","question_id":4,'), holds(false))).toBeUndefined();
    expect(subjects).toEqual([
      { of: 'run', task_id: 7, epoch: 2 },
      { of: 'run', task_id: 7, epoch: 2 },
      { of: 'query', query_id: 3 },
      { of: 'query', query_id: 4 },
    ]);
  });

  // Enough more than the maximum that a few keys with equal hashes change nothing.
  const keys = (number: number) => Array.from({ length: number }, (_, n) => `"k${n}":1`).join(',');

  it('is parsed with the counts of many hosts', () => {
    const counts = '{"ok":1,"changed":0,"failures":0,"ignored":0,"skipped":0,"rescued":0,"unreachable":0}';
    const hosts = Array.from({ length: 28_000 }, (_, n) => `"host-${n}":${counts}`).join(',');
    const frame = `{"type":"results","task_id":7,"epoch":2,"records":[{"kind":"stats","hosts":{${hosts}}}]}`;
    expect(parseFrame(Buffer.from(frame), () => true)).toMatchObject({ task_id: 7 });
  });

  it.each([
    ['large and about nothing known', large('{"type":"hello",')],
    ['large, with its subject further behind', large('{"first":1,"type":"output","task_id":7,"epoch":2,')],
    ['of many different keys', Buffer.from(`{"type":"output","task_id":7,"epoch":2,${keys(41_000)}}`)],
    ['deep', Buffer.from(`{"a":${'['.repeat(20)}${']'.repeat(20)}}`)],
  ])('is refused when it is %s', (_, frame) => expect(() => parseFrame(frame, () => true)).toThrow(FrameRefused));
});

describeOneDatabase('[S10] [S12] the largest frames that a runner can send', (makeLocation) => {
  it('block the main thread for at most 50 ms, whether or not the runner holds the run', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    const { id } = (await admin.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const { job } = await runner.receives('job');
    const run = { task_id: id, epoch: job.epoch };
    const hello = { type: 'hello', protocol: LINK_PROTOCOL, version: '1', ansible: '', pid: 1, slots: 1, run_as: null };
    const worker = new Worker(new URL('../../testing/runners/link-client.worker.ts', import.meta.url), {
      workerData: {
        address: `ws+unix:${runnerSocketPath(location.folder)}:${LINK_PATH}`,
        token: SCRIPTED_TOKEN,
        hello: JSON.stringify({ ...hello, runs: [{ ...run, state: 'playing' }] }),
      },
    });
    const watch = watchLoop();
    onTestFinished(async () => {
      watch.stop();
      await worker.terminate();
    });
    const measure = async (frame: LargeFrame): Promise<{ state: LinkState; blockedMs: number }> => {
      const tries: { state: LinkState; blockedMs: number }[] = [];
      while (tries.length < TRIES && (tries.at(-1)?.blockedMs ?? MAX_BLOCKED_MS + 1) > MAX_BLOCKED_MS) {
        watch.longestTurnMs();
        worker.postMessage(frame);
        const [state] = (await once(worker, 'message')) as [LinkState];
        tries.push({ state, blockedMs: watch.longestTurnMs() });
      }
      return tries.toSorted((a, b) => a.blockedMs - b.blockedMs)[0] as { state: LinkState; blockedMs: number };
    };
    const start = (type: string, more: object) => `${JSON.stringify({ type, ...more }).slice(0, -1)},`;
    const output = (of: object) => start('output', { ...of, first: 1, offset: 1, times: [] });
    const other = { task_id: 999, epoch: 1 };
    const record = '{"kind":"play","at":1,"line":1,"play":1,"name":"x","hosts":1}';
    for (const [what, head, part, tail, bytes, state] of [
      ['36 MB of empty lines', `${output(other)}"lines":[""`, ',""', ']}', 36_000_000, 'closed'],
      ['empty lines of another run', `${output(other)}"lines":[""`, ',""', ']}', MAX_RUNNER_FRAME, 'open'],
      ['empty lines', `${output(run)}"lines":[""`, ',""', ']}', MAX_RUNNER_FRAME, 'closed'],
      ['one long line', `${output(run)}"lines":["`, '\\u0041', '"]}', MAX_RUNNER_FRAME, 'open'],
      ['deep lists', `${output(run)}"lines":`, '[', '', MAX_RUNNER_FRAME, 'closed'],
      [
        'many records',
        `${start('results', { ...run, first: 1 })}"records":[${record}`,
        `,${record}`,
        ']}',
        MAX_RUNNER_FRAME,
        'closed',
      ],
      [
        'an answer to an unknown query',
        `${start('answer', { query_id: 9 })}"answer":{"ask":"hosts","hosts":[""`,
        ',""',
        ']}}',
        MAX_RUNNER_FRAME,
        'open',
      ],
      ['many runs', '{"type":"heartbeat","runs":[{}', ',{}', ']}', MAX_RUNNER_FRAME, 'closed'],
    ] as const) {
      const measured = await measure({ head, part, tail, bytes });
      expect(measured.blockedMs, what).toBeLessThan(MAX_BLOCKED_MS);
      expect(measured.state, what).toBe(state);
    }
  });
});
