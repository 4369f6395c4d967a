import { describe, expect, it } from 'vitest';
import { translate } from '../../lang/translate.ts';
import { statusText, type TaskProgress } from './status-text.ts';

const known: TaskProgress = {
  status: 'running',
  position: null,
  passed: '1:42',
  usual: '2:50',
  steps: 10,
  hosts: 40,
  bad: 0,
  isBeforeHosts: false,
  hasNoHost: false,
};

const textOf = (change: Partial<TaskProgress>): string => {
  const { short, long } = statusText({ ...known, ...change });
  return [
    short ? translate(short.key, short.values) : '',
    ...long.map(({ key, values }) => translate(key, values)),
  ].join('');
};

describe('the status text of a task', () => {
  it.each<[string, Partial<TaskProgress>, string]>([
    ['waits', { status: 'waiting', passed: undefined }, 'for its turn'],
    ['is queued', { status: 'waiting', position: 3, passed: undefined }, 'for its turn, position 3 in the queue'],
    [
      'ran without a host',
      { status: 'success', hosts: 0, steps: 0, hasNoHost: true },
      'on no host, because none matches, after 1:42.',
    ],
    ['starts', { status: 'starting', usual: undefined, steps: 0 }, 'for 1:42.'],
    ['runs', {}, 'for 1:42 (successful tasks usually take 2:50). Step 10, 40 hosts, no failures.'],
    [
      'runs on one host',
      { hosts: 1, steps: 1 },
      'for 1:42 (successful tasks usually take 2:50). Step 1, 1 host, no failures.',
    ],
    [
      'runs with a failure',
      { bad: 1 },
      'for 1:42 (successful tasks usually take 2:50). Step 10, 40 hosts, failures on 1 host.',
    ],
    ['is stopping', { status: 'stopping', usual: undefined, steps: 0 }, 'for 1:42.'],
    ['succeeded', { status: 'success' }, 'after 1:42 (successful tasks usually take 2:50) on 40 hosts.'],
    [
      'failed on hosts',
      { status: 'error', bad: 4 },
      'on 4 of 40 hosts after 1:42 (successful tasks usually take 2:50).',
    ],
    [
      'failed on many hosts',
      { status: 'error', bad: 1035, hosts: 10_000, usual: undefined },
      'on 1,035 of 10,000 hosts after 1:42.',
    ],
    ['failed before any host', { status: 'error', hosts: 0, isBeforeHosts: true }, 'before any host, after 1:42.'],
    ['failed without a result', { status: 'error', hosts: 0, usual: undefined }, 'after 1:42.'],
    ['was stopped', { status: 'stopped', usual: undefined }, 'after 1:42 on 40 hosts.'],
    ['was stopped before it began', { status: 'stopped', passed: undefined }, ''],
  ])('is correct for a task that %s', (_, change, text) => {
    expect(textOf(change)).toBe(text);
  });
});
