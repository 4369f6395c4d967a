import type { Kind } from './plan.ts';

/** Lines that a run of this kind prints, numbered from 0. */
export const LINES: Readonly<Record<Kind, number>> = {
  short: 40,
  slow: 20,
  long: 6000,
  daemon: 10,
  galaxy: 10,
  heavy: 20,
  build: 10,
  queued: 10,
};

const indent = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join('');

const playbook = (starts: string, steps: readonly string[]): string => `- name: Crash
  hosts: all
  gather_facts: false
  tasks:
${indent([
  '- name: Note this start outside of everything',
  `  ansible.builtin.shell: echo start >> ${starts}/{{ semaphore_vars.task_details.id }}`,
  ...steps,
])}`;

const atOnce = (count: number): string[] => [
  '- name: Print',
  '  ansible.builtin.debug:',
  `    msg: "{{ range(${count}) | map('regex_replace', '^', 'line ') | list }}"`,
];

const slowly = (count: number, pause: number): string[] => [
  '- name: Print slowly',
  '  ansible.builtin.debug:',
  '    msg: "line {{ item }}"',
  `  loop: "{{ range(${count}) | list }}"`,
  '  loop_control:',
  `    pause: ${pause}`,
];

/** Longer than any run, and soon over all the same: what a playbook leaves on purpose goes by itself. */
const DAEMON_SECONDS = 90;

const daemons = [
  '- name: Leave a daemon in a session of its own',
  `  ansible.builtin.shell: setsid sleep ${DAEMON_SECONDS} > /dev/null 2>&1 < /dev/null &`,
  '- name: Leave a daemon in the way of Ansible',
  `  ansible.builtin.command: sleep ${DAEMON_SECONDS}`,
  `  async: ${DAEMON_SECONDS}`,
  '  poll: 0',
];

/** The playbook of each kind. `starts` is the folder where a run notes that it was started. */
export const playbooks = (starts: string): Record<string, string> => ({
  'short.yml': playbook(starts, atOnce(LINES.short)),
  'slow.yml': playbook(starts, slowly(LINES.slow, 0.05)),
  'long.yml': playbook(starts, atOnce(LINES.long)),
  'daemon.yml': playbook(starts, [...daemons, ...slowly(LINES.daemon, 0.05)]),
  'build.yml': playbook(starts, atOnce(LINES.build)),
  'queued.yml': playbook(starts, slowly(LINES.queued, 0.08)),
  'heavy.yml': playbook(starts, atOnce(LINES.heavy)),
});

/** A playbook in a folder of its own, whose requirements no run has had before. */
export const galaxyFolder = (starts: string, number: number, archive: string): Record<string, string> => ({
  [`galaxy-${number}/site.yml`]: playbook(starts, atOnce(LINES.galaxy)),
  [`galaxy-${number}/requirements.yml`]: `roles:\n  - name: crash_${number}\n    src: file://${archive}\n    version: "1.0"\n`,
});

/** The numbers that a run has printed, in the order of its log. */
export const numbersIn = (log: readonly string[]): number[] =>
  log.flatMap((line) => {
    const found = /"line (\d+)"/.exec(line);
    return found ? [Number(found[1])] : [];
  });
