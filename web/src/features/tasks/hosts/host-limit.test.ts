import { MAX_LIMIT } from 'virtual:routes';
import type { RunHost } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { sampleRecap, sampleRecords } from '../../../testing/sample.ts';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { buildRun, EMPTY_RUN, type Run } from '../results/run-model.ts';
import { failedLimit } from './host-limit.ts';

const params = { project_id: 1, task_id: 5 };
// Only that it is a long run counts here.
const long = { ...EMPTY_RUN, long: {} } as Run;

/** A long run whose first hosts failed. */
const serve = (count: number, failed: number, name = (number: number) => `host-${number}`) =>
  answerCalls(({ query }) => {
    const from = Number(query.get('from'));
    const wanted = Array.from({ length: count }, (_, at) => at + 1).filter((number) =>
      name(number).includes(query.get('name') ?? ''),
    );
    const hosts = wanted.slice(from - 1, from - 1 + Number(query.get('limit'))).map(
      (number): Partial<RunHost> => ({
        host: name(number),
        failures: number <= failed && number % 2 ? 1 : 0,
        unreachable: number <= failed && number % 2 === 0 ? 1 : 0,
      }),
    );
    return { status: 200, body: { first: from, total: wanted.length, hosts } };
  });

describe('host limits', () => {
  it('join the names with commas, and are undefined for no names or too many', () => {
    expect(limitOf(['web-1', 'web-2'])).toBe('web-1,web-2');
    expect(limitOf([])).toBeUndefined();
    expect(limitOf(['a'.repeat(MAX_LIMIT)])).toHaveLength(MAX_LIMIT);
    expect(limitOf(['a'.repeat(MAX_LIMIT), 'b'])).toBeUndefined();
  });

  it('contain the failed hosts of the loaded results', async () => {
    expect(await failedLimit(params, buildRun([...sampleRecords, sampleRecap(['web-2'])]))).toBe('web-2');
  });

  it('request the failed hosts of a long run, but not the hosts after them', async () => {
    const calls = serve(10_000, 3);
    expect(await failedLimit(params, long)).toBe('host-1,host-2,host-3');
    expect(calls).toHaveLength(1);
  });

  it('are made with as many calls as needed, and no more than a limit can contain', async () => {
    const few = serve(300, 300, (number) => `h${number}`);
    expect((await failedLimit(params, long))?.split(',')).toHaveLength(300);
    expect(few).toHaveLength(2);
    const many = serve(10_000, 10_000);
    expect(await failedLimit(params, long)).toBeUndefined();
    expect(many.length).toBeLessThan(5);
  });
});
