import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RunnerHouse } from './testing/runner-house.testing.ts';

const PLAYBOOK = `
- name: Say hello
  hosts: all
  gather_facts: false
  tasks:
    - name: Greet
      ansible.builtin.debug:
        msg: "hello {{ inventory_hostname }}"
`;

let house: RunnerHouse;
const open = async (files: Record<string, string>) => {
  house = new RunnerHouse(files);
  await house.server.listen();
  return house;
};
afterEach(() => house.close());

describe('a run', () => {
  it('comes to its end with its whole log and results', async () => {
    const { server, data } = await open({ 'site.yml': PLAYBOOK });
    await house.startRunner();
    const hello = await server.message('hello');
    expect(hello).toMatchObject({ protocol: 1, slots: 10, runs: [] });
    expect(server.tokens).toEqual(['Bearer test-token']);
    const run = server.give(house.order(1));
    const ended = await server.until(() => run.ended, 'the end');
    expect(run.lines.join('\n')).toContain('hello two');
    expect(ended).toMatchObject({ result: 'success', reason: 'finished', lines: run.lines.length });
    expect(run.records.map((record) => record.kind)).toEqual(['play', 'step', 'host', 'host', 'stats']);
    expect(run.started).toBe(1);
    expect(server.faults).toEqual([]);
    console.log(run.lines.join('\n'), run.records);
    await server.until(() => readdirSync(join(data, 'runs')).length === 0, 'an empty folder');
    expect(existsSync(join(data, 'lock'))).toBe(true);
  });
});
