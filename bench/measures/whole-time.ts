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

/** A playbook of ten seconds: real modules, and pauses. */
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

/** Clones the repository and runs its playbook without Signalbox. @returns the duration in milliseconds */
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
  // On a busy machine the two ratios disagree. Then the result means nothing, so the aim is met only if both ratios meet it.
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
      how: `A playbook of ten seconds (gathering facts, a command, a stat, three commands of 2.5 s, a message) is run by Signalbox and by a bare ansible-playbook with the same arguments, ${WARM_PAIRS} times each, in turn, after one run of each to warm up. The time of Signalbox is from the call to the final status at the live socket: fetch, clone, run, log, closing the log. The aim is met only if both ratios meet it. If they disagree, the machine was too busy for a result. Signalbox adds ${shown(added)} ms (median of the pairs; bare: from ${shown(Math.min(...warm.bare))} to ${shown(Math.max(...warm.bare))} ms, Signalbox: from ${shown(Math.min(...warm.ours))} to ${shown(Math.max(...warm.ours))} ms). Then ${COLD_PAIRS} times each with a repository that Signalbox has not cloned before, compared with git clone and ansible-playbook.`,
    };
  },
};
