import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository, PlaybookProject } from '../../tooling/product/playbook-project.ts';
import { INVENTORY, playBare, runBare } from '../bare-playbook.ts';
import type { Measure, Row } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { median, shown } from '../statistics.ts';

const WARM_PAIRS = 7;
const COLD_PAIRS = 3;
const AIM = 1.03;

/** Real modules, and pauses that fill it up to ten seconds. */
const PLAYBOOK = `- name: Ten seconds of work
  hosts: all
  gather_facts: true
  tasks:
    - name: Run a program
      ansible.builtin.command: uname -a
      changed_when: false
    - name: Check a file
      ansible.builtin.stat:
        path: /etc/hosts
    - name: Wait for something slow
      ansible.builtin.command: sleep 2.5
      changed_when: false
      loop: [first, second, third]
    - name: Print a message
      ansible.builtin.debug:
        msg: Done on {{ inventory_hostname }}
`;
const FILES = { 'work.yml': PLAYBOOK };

/** Milliseconds from the call to the final status at the live socket. */
const runOurs = async (feed: MeasuredProduct['feed'], project: PlaybookProject, template: number): Promise<number> => {
  const since = performance.now();
  const { id } = await project.run(template);
  return (await feed.success(id)).at - since;
};

/** Milliseconds of a person who clones the repository and runs its playbook. */
const cloneAndPlay = async (repository: string, folder: string, args: readonly string[]): Promise<number> => {
  const since = performance.now();
  const clone = mkdtempSync(join(folder, 'clone-'));
  await runBare('git', ['clone', '--quiet', repository, clone], folder);
  await playBare(clone, args);
  return performance.now() - since;
};

interface Pairs {
  readonly bare: number[];
  readonly ours: number[];
}

const rowOf = ({ bare, ours }: Pairs, what: string, against: string, aim: number | undefined): Row => {
  // On a busy machine the two ways to compare disagree; then nothing is shown, so the aim counts only when both meet it.
  const ofMedians = median(ours) / median(bare);
  const ofPairs = median(ours.map((value, pair) => value / (bare[pair] ?? Number.NaN)));
  return {
    what,
    result: `${shown(median(ours))} ms`,
    baseline: `${against}, ${shown(median(bare))} ms`,
    ratio: `${shown(ofMedians, 3)} of the medians, ${shown(ofPairs, 3)} median of the pairs`,
    aim: aim === undefined ? '–' : `< ${aim}`,
    isMet: aim === undefined ? undefined : ofMedians < aim && ofPairs < aim,
  };
};

export const wholeTime: Measure = {
  name: 'whole',
  title: 'Whole time of a task',
  run: async () => {
    const repository = makeRepository(FILES);
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const [inventory, variables] = [join(folder, 'inventory'), join(folder, 'variables.json')];
    writeFileSync(inventory, INVENTORY);
    writeFileSync(variables, JSON.stringify({ semaphore_vars: { task_details: { id: 1, username: 'admin' } } }));
    const args = [`--inventory=${inventory}`, `--extra-vars=@${variables}`, 'work.yml'];
    const warm: Pairs = { bare: [], ours: [] };
    const cold: Pairs = { bare: [], ours: [] };
    await withProduct(FILES, async ({ client, project, feed }) => {
      const template = await project.template('work.yml');
      await playBare(repository, args);
      await runOurs(feed, project, template);
      for (let pair = 0; pair < WARM_PAIRS; pair += 1) {
        warm.bare.push(await playBare(repository, args));
        warm.ours.push(await runOurs(feed, project, template));
      }
      for (let pair = 0; pair < COLD_PAIRS; pair += 1) {
        cold.bare.push(await cloneAndPlay(repository, folder, args));
        const unseen = await PlaybookProject.create(client, `Cold ${pair}`, FILES);
        cold.ours.push(await runOurs(feed, unseen, await unseen.template('work.yml')));
      }
    });
    for (const path of [repository, folder]) rmSync(path, { recursive: true, force: true });
    const added = median(warm.ours.map((value, pair) => value - (warm.bare[pair] ?? Number.NaN)));
    const what = 'Whole time of a task, POST to final status at the live socket (median)';
    return {
      rows: [
        rowOf(warm, what, 'bare ansible-playbook', AIM),
        rowOf(cold, 'The same of a repository that was never fetched', 'git clone and ansible-playbook', undefined),
      ],
      how: `The same playbook of ten seconds (gathering facts, a command, a stat, three commands of 2.5 s, a message) with the same arguments, ${WARM_PAIRS} times each, in turn, after one of each that does not count. Ours begins with the call and ends when the socket receives the final status: fetch, clone, run, log, closing the log. The aim counts as met only when both ratios meet it; when they disagree, the machine was too busy for a result. Ours adds ${shown(added)} ms (median of the pairs; bare from ${shown(Math.min(...warm.bare))} to ${shown(Math.max(...warm.bare))} ms, ours from ${shown(Math.min(...warm.ours))} to ${shown(Math.max(...warm.ours))} ms). Then ${COLD_PAIRS} times each with a repository that the product has never seen, against a clone and a run by hand.`,
    };
  },
};
