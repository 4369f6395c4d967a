import { describe, expect, it } from 'vitest';
import { RunChanges } from './run-changes.ts';

const change = (diff: string) => ({ step: 'Copy', action: 'copy', target: '/etc/app.conf', line: 1, diff });

describe('the changes of a run', () => {
  it('have differences up to a limit for each and for the run, and no more than 200 for each host', () => {
    const changes = new RunChanges();
    for (let at = 0; at < 100; at += 1) changes.add(`host-${at % 2}`, change('x'.repeat(20_000)));
    const all = [...changes.byHost.values()].flat();
    expect(all).toHaveLength(100);
    const lengths = all.map(({ diff }) => diff.length);
    expect(Math.max(...lengths)).toBe(16 * 1024 + 1);
    expect(lengths.filter((length) => length > 0)).toHaveLength(63);
    for (let at = 0; at < 300; at += 1) changes.add('host-0', change(''));
    expect(changes.byHost.get('host-0')).toHaveLength(200);
  });
});
