import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseSilent, PostgresWatch } from './postgres-watch.ts';

const makeWatch = () => {
  const state = { answers: true, asked: 0 };
  const watch = new PostgresWatch(async (ms) => {
    state.asked++;
    if (state.answers) return;
    await delay(ms);
    throw new Error('no answer');
  });
  onTestFinished(() => watch.close());
  return { state, watch };
};
const nothing = () => undefined;

describe('[R9] a database that does not answer', () => {
  it('is detected within 2 s; waiting calls fail, and new calls are refused until it answers', async () => {
    const { state, watch } = makeWatch();
    state.answers = false;
    let given = 0;
    const since = performance.now();
    const stuck = [1, 2].map(() =>
      watch.during(
        () => new Promise(nothing),
        () => given++,
      ),
    );
    for (const outcome of await Promise.allSettled(stuck))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseSilent) });
    expect(performance.now() - since).toBeLessThan(2000);
    expect(given).toBe(2);
    const work = () => Promise.resolve('done');
    const before = performance.now();
    await expect(watch.during(work, () => given++)).rejects.toBeInstanceOf(DatabaseSilent);
    expect(performance.now() - before).toBeLessThan(100);
    expect(given).toBe(3);
    state.answers = true;
    await expect.poll(() => watch.during(work, nothing).catch(nothing), { timeout: 5000 }).toBe('done');
  });

  it('is not confused with a slow statement', async () => {
    const { state, watch } = makeWatch();
    expect(await watch.during(() => delay(2000, 'slow'), nothing)).toBe('slow');
    expect(state.asked).toBeGreaterThan(0);
  });

  it('is not assumed when other statements are answered, even if the probe is late on a busy machine', async () => {
    const { state, watch } = makeWatch();
    state.answers = false;
    const slow = watch.during(() => delay(2500, 'slow'), nothing);
    for (let round = 0; round < 20; round++) await watch.during(() => delay(100), nothing);
    expect(await slow).toBe('slow');
  });

  it('is not probed while answers are quick', async () => {
    const { state, watch } = makeWatch();
    for (let round = 0; round < 50; round++) await watch.during(() => delay(10), nothing);
    expect(state.asked).toBe(0);
  });
});
