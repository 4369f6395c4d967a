/** Lines that each run prints, numbered from 0. */
export const LINES = 12;

/** The kinds of templates of a project. */
export const KINDS = ['plain', 'tagged', 'single', 'failing', 'lock-ab', 'lock-bc'] as const;
export type Kind = (typeof KINDS)[number];

/** The locks of each kind. */
export const LOCKS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  'lock-ab': ['lock-a', 'lock-b'],
  'lock-bc': ['lock-b', 'lock-c'],
};

const playbook = (starts: string, last: string): string => `- name: Equal servers
  hosts: all
  gather_facts: false
  tasks:
    - name: Record this start outside of the product
      ansible.builtin.raw: echo start >> ${starts}/{{ semaphore_vars.task_details.id }}
    - name: Print
      ansible.builtin.debug:
        msg: "{{ range(${LINES}) | map('regex_replace', '^', 'line ') | list }}"
${last}`;

const FAIL = '    - name: Fail on purpose\n      ansible.builtin.fail:\n';

/** @param starts the folder in which each run records that it was started */
export const playbooks = (starts: string): Record<string, string> => ({
  'site.yml': playbook(starts, ''),
  'failing.yml': playbook(starts, FAIL),
});

/** The numbers that a run has printed, in the order of its log. */
export const numbersIn = (log: string): number[] => [...log.matchAll(/"line (\d+)"/g)].map((found) => Number(found[1]));
