import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SHELL_ENVIRONMENT } from './config.ts';

export const INVENTORY =
  'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"\n';

/** One play that prints one message. */
export const SHORT_PLAYBOOK = `- name: Nothing much
  hosts: all
  gather_facts: false
  tasks:
    - name: Print a message
      ansible.builtin.debug:
        msg: Hello
`;

/** Runs a program with the environment of a user's shell, and waits for its end. @throws when it fails */
export const runBare = async (program: string, args: readonly string[], cwd: string): Promise<void> => {
  const child = spawn(program, args, { cwd, env: SHELL_ENVIRONMENT, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The bare ${program} ended with ${code}.`);
};

/** Milliseconds that `ansible-playbook` takes when a user starts it in a repository. */
export const playBare = async (repository: string, args: readonly string[]): Promise<number> => {
  const since = performance.now();
  await runBare('ansible-playbook', args, repository);
  return performance.now() - since;
};
