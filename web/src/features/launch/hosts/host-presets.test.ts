import { describe, expect, it } from 'vitest';
import { hostPresets, troubleFirst } from './host-presets.ts';

const NOW = Date.parse('2026-11-24T12:00:00.000Z');
const run = (
  host: string,
  result: 'ok' | 'failed' | 'unreachable',
  task_id: number,
  time: string,
  version: string,
) => ({
  host,
  result,
  task_id,
  time,
  version,
});
const RUNS = {
  last_task_id: 9,
  hosts: [
    run('a', 'ok', 9, '2026-11-24T10:00:00.000Z', '2.0'),
    run('b', 'failed', 9, '2026-11-24T10:00:00.000Z', '2.0'),
    run('c', 'unreachable', 9, '2026-11-24T10:00:00.000Z', '2.0'),
    run('d', 'failed', 8, '2026-09-01T10:00:00.000Z', '1.0'),
    run('gone', 'failed', 9, '2026-11-24T10:00:00.000Z', '2.0'),
  ],
};
const HOSTS = ['a', 'b', 'c', 'd', 'new'];

describe('sets of hosts', () => {
  it('are made from the last run of the template and from the inventory', () => {
    expect(hostPresets(HOSTS, RUNS, '2.0', NOW)).toEqual([
      { name: 'all', hosts: HOSTS },
      { name: 'failed', hosts: ['b'] },
      { name: 'unreachable', hosts: ['c'] },
      { name: 'old', hosts: ['d', 'new'] },
      { name: 'other_version', hosts: ['b', 'c', 'd', 'new'] },
    ]);
  });

  it('contain every host as not run lately without a run, and none of another version without a version', () => {
    expect(hostPresets(HOSTS, undefined, undefined, NOW).map(({ name, hosts }) => [name, hosts.length])).toEqual([
      ['all', 5],
      ['failed', 0],
      ['unreachable', 0],
      ['old', 5],
    ]);
  });

  it('are listed with the trouble first', () => {
    const results = new Map(RUNS.hosts.map(({ host, result }) => [host, result]));
    expect(troubleFirst(HOSTS, results)).toEqual(['b', 'd', 'c', 'a', 'new']);
  });
});
