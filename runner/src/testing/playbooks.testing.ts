import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunnerHarness } from './runner-harness.testing.ts';

/** A playbook of one play on all hosts. */
export const play = (...tasks: string[]) => `
- name: Test
  hosts: all
  gather_facts: false
  tasks:
${tasks.join('\n').replace(/^/gm, '    ')}
`;
export const HELLO = play('- name: Greet', '  ansible.builtin.debug:', '    msg: "hello {{ inventory_hostname }}"');

/** A playbook that counts its starts, prints numbers while it runs, and can be held by a file `hold`. */
const counting = (folder: string) =>
  play(
    '- name: Count the start',
    `  ansible.builtin.shell: echo start >> ${folder}/starts`,
    '  run_once: true',
    '- name: Step',
    '  ansible.builtin.debug:',
    '    msg: "number {{ item }}"',
    '  loop: "{{ range(100) | list }}"',
    '- name: Wait',
    `  ansible.builtin.shell: while [ -e ${folder}/hold ]; do sleep 0.05; done`,
    '  run_once: true',
    '- name: Last',
    '  ansible.builtin.debug:',
    '    msg: "the last one"',
  );

/** A house with one repository, its server listening. */
export const openHouse = async (files: Record<string, string> = { 'site.yml': HELLO }): Promise<RunnerHarness> => {
  const house = new RunnerHarness(files);
  await house.server.listen();
  return house;
};

/** A house whose playbook counts its starts and does not end before `release`; `held` is false to let it through. */
export const openCounting = async (held = true): Promise<RunnerHarness> => {
  const house = await openHouse({});
  house.write({ 'site.yml': counting(house.folder) });
  if (held) writeFileSync(join(house.folder, 'hold'), '');
  return house;
};

export const release = (house: RunnerHarness) => rm(join(house.folder, 'hold'), { force: true });

/** The numbers that the counting playbook has printed. */
export const numbersOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /number (\d+)/.exec(line)?.[1] ?? []).map(Number);

/** The counting playbook has come to where it waits. */
export const isWaiting = (run: { lines: string[] }) => run.lines.some((line) => line.startsWith('TASK [Wait]'));

/** Has a new runner play task 1 until the counting playbook waits. */
export const playToTheWait = async (house: RunnerHarness) => {
  const runner = await house.startRunner();
  await house.server.message('hello');
  const run = house.server.give(house.job(1));
  await house.server.until(() => isWaiting(run), 'the waiting step');
  return { runner, run };
};
