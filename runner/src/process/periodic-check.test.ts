import { expect, it } from 'vitest';
import { PeriodicCheck } from './periodic-check.ts';

it('a check that still runs is not started again', async () => {
  let count = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const checks = new PeriodicCheck(async () => {
    count += 1;
    await promise;
  });
  const rounds = [checks.start(), checks.start()];
  expect(count).toBe(1);
  resolve();
  await Promise.all(rounds);
  await checks.start();
  expect(count).toBe(2);
  checks.stop();
});
