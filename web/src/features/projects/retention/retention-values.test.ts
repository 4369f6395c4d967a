import { expect, it } from 'vitest';
import { isValidRetention, retentionChecks } from './retention-values.ts';

const EMPTY = { keep_tasks_days: '', keep_logs_days: '', keep_tasks_min: '' };

it.each([
  [{}, true],
  [{ keep_tasks_days: '0', keep_logs_days: '36500', keep_tasks_min: '10000' }, true],
  [{ keep_tasks_days: '36501' }, false],
  [{ keep_logs_days: '36501' }, false],
  [{ keep_logs_days: '20000', keep_tasks_min: '20000' }, false],
  [{ keep_tasks_min: '0' }, false],
  [{ keep_tasks_days: 'x' }, false],
])('the retention settings %j are valid: %s', (fields, isValid) => {
  expect(isValidRetention({ ...EMPTY, ...fields })).toBe(isValid);
});

it('a number that is too large is refused with the range of its own field', () => {
  const checks = retentionChecks((key) => key ?? null);
  expect(checks.keep_logs_days('36501')).toBe('settings.keepDaysRange');
  expect(checks.keep_tasks_min('10001')).toBe('settings.keepTasksRange');
});
