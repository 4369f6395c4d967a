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

/** A playbook that counts its starts, prints numbers while it runs, and waits while a file `hold` exists. */
const counting = (folder: string) =>
  play(
    '- name: Count the start',
    `  ansible.builtin.raw: echo start >> ${folder}/starts`,
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

/** A harness with one repository and a listening server. */
export const openHarness = async (files: Record<string, string> = { 'site.yml': HELLO }): Promise<RunnerHarness> => {
  const harness = new RunnerHarness(files);
  await harness.server.listen();
  return harness;
};

/** A harness whose playbook counts its starts and does not end before `release`; `held` is false to let it through. */
export const openCounting = async (held = true): Promise<RunnerHarness> => {
  const harness = await openHarness({});
  harness.write({ 'site.yml': counting(harness.folder) });
  if (held) writeFileSync(join(harness.folder, 'hold'), '');
  return harness;
};

export const release = (harness: RunnerHarness) => rm(join(harness.folder, 'hold'), { force: true });

/** The numbers that the counting playbook has printed. */
export const numbersOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /number (\d+)/.exec(line)?.[1] ?? []).map(Number);

/** Resolves when the counting playbook waits. */
export const isWaiting = (run: { lines: string[] }) => run.lines.some((line) => line.startsWith('TASK [Wait]'));

/** Starts a new runner and lets it run task 1 until the counting playbook waits. */
export const playToTheWait = async (harness: RunnerHarness) => {
  const runner = await harness.startRunner();
  await harness.server.message('hello');
  const run = harness.server.sendJob(harness.job(1));
  await harness.server.until(() => isWaiting(run), 'the waiting step');
  return { runner, run };
};
