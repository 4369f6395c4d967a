/** Lines that each run prints, numbered from 0. */
export const LINES = 12;

/** The kinds of templates of a project. */
export const KINDS = [
  'plain',
  'tagged',
  'single',
  'failing',
  'lock-ab',
  'lock-bc',
  'hosts-ab',
  'hosts-bc',
  'hosts-check',
  'hosts-lock',
] as const;
export type Kind = (typeof KINDS)[number];

/** The locks of each kind. */
export const LOCKS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  'lock-ab': ['lock-a', 'lock-b'],
  'lock-bc': ['lock-b', 'lock-c'],
  'hosts-lock': ['lock-a'],
};

/** The hosts of each kind that locks them. */
export const HOSTS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  'hosts-ab': ['host-a', 'host-b'],
  'hosts-bc': ['host-b', 'host-c'],
  'hosts-check': ['host-a', 'host-b', 'host-c'],
  'hosts-lock': ['host-a', 'host-c'],
};

/** The kinds that run in check mode. */
export const CHECKING: ReadonlySet<Kind> = new Set(['hosts-check']);

/** An inventory in which each host that is locked is this machine. */
export const LOCAL_HOSTS = ['host-a', 'host-b', 'host-c'].map((host) => `${host} ansible_connection=local\n`).join('');

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

/** Writes the start and the end of each host to the file of the host, also in check mode. */
const hostsPlaybook = (starts: string, files: string): string => {
  const record = (what: string, more = '') => `    - name: Record the ${what} of this host
      ansible.builtin.raw: ${more}echo "${what} {{ semaphore_vars.task_details.id }} {{ ansible_check_mode | ternary('check', 'change') }}" >> ${files}-{{ inventory_hostname }}
      check_mode: false
`;
  return `- name: Equal servers
  hosts: host-a:host-b:host-c
  gather_facts: false
  tasks:
${record('start')}    - name: Record this start outside of the product
      ansible.builtin.raw: echo start >> ${starts}/{{ semaphore_vars.task_details.id }}
      check_mode: false
      run_once: true
    - name: Print
      ansible.builtin.debug:
        msg: "{{ range(${LINES}) | map('regex_replace', '^', 'line ') | list }}"
      run_once: true
${record('end', 'sleep 1; ')}`;
};

/**
 * @param starts the folder in which each run records that it was started
 * @param files the path of the files of hosts, without their names
 */
export const playbooks = (starts: string, files: string): Record<string, string> => ({
  'hosts.yml': hostsPlaybook(starts, files),
  'site.yml': playbook(starts, ''),
  'failing.yml': playbook(starts, FAIL),
});

/** The numbers that a run has printed, in the order of its log. */
export const numbersIn = (log: string): number[] => [...log.matchAll(/"line (\d+)"/g)].map((found) => Number(found[1]));
