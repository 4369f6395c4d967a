import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../../tooling/product/playbook-project.ts';
import { SHELL_ENVIRONMENT } from '../config.ts';
import { type House, withHouse } from '../house.ts';
import type { Measure } from '../measure.ts';
import { median, shown } from '../statistics.ts';

const PAIRS = 7;
const AIM = 1.05;

/** Real modules, and pauses that fill it up to five seconds. */
const PLAYBOOK = `- name: Five seconds of work
  hosts: all
  gather_facts: true
  tasks:
    - name: Run a program
      ansible.builtin.command: uname -a
      changed_when: false
    - name: Look at a file
      ansible.builtin.stat:
        path: /etc/hosts
    - name: Wait for something slow
      ansible.builtin.command: sleep 0.85
      changed_when: false
      loop: [first, second, third]
    - name: Say a word
      ansible.builtin.debug:
        msg: Done on {{ inventory_hostname }}
`;

const INVENTORY = 'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"\n';

/** Milliseconds that `ansible-playbook` takes when a person starts it in the same repository with the same arguments. */
const runBare = async (repository: string, args: readonly string[]): Promise<number> => {
  const since = performance.now();
  const child = spawn('ansible-playbook', args, {
    cwd: repository,
    env: SHELL_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The bare ansible-playbook ended with ${code}.`);
  return performance.now() - since;
};

const runOurs = async ({ project, feed }: House, template: number): Promise<number> => {
  const since = performance.now();
  const { id } = await project.run(template);
  return (await feed.success(id)).at - since;
};

export const wholeTime: Measure = {
  name: 'whole',
  title: 'Whole time of a task',
  run: async () => {
    const files = { 'work.yml': PLAYBOOK };
    const repository = makeRepository(files);
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const [inventory, variables] = [join(folder, 'inventory'), join(folder, 'variables.json')];
    writeFileSync(inventory, INVENTORY);
    writeFileSync(variables, JSON.stringify({ semaphore_vars: { task_details: { id: 1, username: 'admin' } } }));
    const args = [`--inventory=${inventory}`, `--extra-vars=@${variables}`, 'work.yml'];
    const [bare, ours]: [number[], number[]] = [[], []];
    await withHouse(files, async (house) => {
      const template = await house.project.template('work.yml');
      await runBare(repository, args);
      await runOurs(house, template);
      for (let pair = 0; pair < PAIRS; pair += 1) {
        bare.push(await runBare(repository, args));
        ours.push(await runOurs(house, template));
      }
    });
    for (const path of [repository, folder]) rmSync(path, { recursive: true, force: true });
    const [product, baseline] = [median(ours), median(bare)];
    // On a busy machine the two ways to compare disagree; then nothing is shown, so the aim counts only when both meet it.
    const ofMedians = product / baseline;
    const ofPairs = median(ours.map((value, pair) => value / (bare[pair] ?? Number.NaN)));
    return {
      rows: [
        {
          what: 'Whole time of a task, POST to final status at the live socket (median)',
          result: `${shown(product)} ms`,
          baseline: `bare ansible-playbook, ${shown(baseline)} ms`,
          ratio: `${shown(ofMedians, 3)} of the medians, ${shown(ofPairs, 3)} median of the pairs`,
          aim: `< ${AIM}`,
          isMet: ofMedians < AIM && ofPairs < AIM,
        },
      ],
      how: `The same playbook (facts, a command, a stat, three commands of 0.85 s, a message) with the same arguments, ${PAIRS} times each, in turn, after one of each that does not count. Ours begins with the call and ends when the socket brings the final status: fetch, clone, run, log, seal. The aim counts as met only when both ratios meet it; when they disagree, the machine was too busy to tell. Ours adds ${shown(median(ours.map((value, pair) => value - (bare[pair] ?? Number.NaN))))} ms (median of the pairs; bare from ${shown(Math.min(...bare))} to ${shown(Math.max(...bare))} ms, ours from ${shown(Math.min(...ours))} to ${shown(Math.max(...ours))} ms).`,
    };
  },
};
