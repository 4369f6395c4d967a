import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BodyInput, RouteTable } from '@signalbox/contract';
import type { Canaries } from './canaries.ts';

const inTemporaryFolder = <T>(work: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-planting-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The part of an Ed25519 key file that is the secret: 32 bytes before the second of two copies of the public part. */
const seedOf = (pem: string): Buffer => {
  const bytes = Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ''), 'base64');
  const kind = Buffer.from('ssh-ed25519');
  const at = bytes.indexOf(kind) + kind.length + 4;
  const open = bytes.subarray(at, at + 32);
  return Buffer.from(bytes.subarray(bytes.lastIndexOf(open) - 32, bytes.lastIndexOf(open)));
};

/** A real SSH key with a passphrase. Both its stored form and the part that the passphrase encrypts are searched. */
export const plantSshKey = (canaries: Canaries, name: string): NonNullable<BodyInput<RouteTable['createKey']>['ssh']> =>
  inTemporaryFolder((folder) => {
    const file = join(folder, 'key');
    const passphrase = canaries.plant(`${name}: passphrase`);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
    canaries.watch(`${name}: what the passphrase hides`, seedOf(readFileSync(file, 'utf8')));
    execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, '-f', file]);
    const private_key = readFileSync(file, 'utf8');
    // The first lines of all such files differ only in the salt.
    for (const row of private_key.split('\n').slice(3, -3)) canaries.watch(`${name}: private key`, row);
    // ssh accepts no other characters in a login.
    const login = randomBytes(12).toString('hex');
    canaries.watch(`${name}: login`, login);
    return { login, private_key, passphrase };
  });

export const plantPassword = (canaries: Canaries, name: string) => ({
  login: canaries.plant(`${name}: login`),
  password: canaries.plant(`${name}: password`),
});

/** The text of a file that is encrypted with this password. */
const vaultFile = (password: string, text: string): string =>
  inTemporaryFolder((folder) => {
    const [passwordFile, file] = [join(folder, 'password'), join(folder, 'vault.yml')];
    writeFileSync(passwordFile, password);
    writeFileSync(file, text);
    execFileSync('ansible-vault', ['encrypt', '--vault-password-file', passwordFile, file], { stdio: 'pipe' });
    return readFileSync(file, 'utf8');
  });

const SECRETS = ['ansible_password', 'ansible_become_password', 'secret_variable', 'secret_answer'];

/** Prints all secrets that the playbook can read, plain and encoded, and then waits for the gate file. */
const printing = (gate: string, end: string): string => `- name: Print
  hosts: all
  gather_facts: false
  vars_files: [vault.yml]
  tasks:
    - name: Print the variables
      ansible.builtin.debug:
        msg: ["{{ vaulted }}", ${SECRETS.flatMap((name) =>
          ['', ' | b64encode', ' | urlencode', ' | to_json', ' | quote'].map((filter) => `"{{ ${name}${filter} }}"`),
        ).join(', ')}, "{{ ('user:' ~ ansible_password) | b64encode }}"]
    - name: Print the environment
      ansible.builtin.command: env
    - name: Print the files
      ansible.builtin.shell: cat ../secrets/vault-password ../secrets/*-secrets.json; cat ../secrets/vault-password | base64
      args:
        chdir: "{{ playbook_dir }}"
    - name: Hand a secret to a module
      ansible.builtin.copy:
        content: "{{ secret_variable }}"
        dest: /dev/null
        unsafe_writes: true
      check_mode: true
      diff: true
    - name: Wait at the gate
      ansible.builtin.wait_for:
        path: ${gate}-{{ semaphore_vars.task_details.id }}
        timeout: 900
        sleep: 1
${end}`;

/** The playbooks of the journey. Each waits for its gate file: this path, a dash and the id of the task. */
export const playbooks = (gate: string, vaultPassword: string): Record<string, string> => ({
  'vault.yml': vaultFile(vaultPassword, 'vaulted: opened with the password\n'),
  'print.yml': printing(gate, ''),
  'fail.yml': printing(
    gate,
    `    - name: Fail
      ansible.builtin.fail:
        msg: "{{ secret_variable }} {{ ansible_password }} {{ ansible_become_password }}"
`,
  ),
  'break.yml': printing(
    gate,
    `    - name: Break
      ansible.builtin.debug:
        msg: "{{ (secret_variable | b64encode).nothing[ansible_password] }}"
`,
  ),
  'hello.yml': `- name: Hello
  hosts: all
  gather_facts: false
  tasks:
    - name: Print hello
      ansible.builtin.debug:
        msg: hello
`,
});
