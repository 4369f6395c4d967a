import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '@signalbox/contract';
import type { Dice } from '../crash/plan.ts';
import type { Installation } from './installation.ts';
import type { KnownTask } from './limits.ts';
import { patiently } from './patiently.ts';
import { type Kind, LOCKS } from './playbooks.ts';
import type { TestProject } from './projects.ts';

/** Number of clients that start tasks, and the most tasks that wait at once. */
const CLIENTS = 4;
const WAITING = 100;

export type Weights = Readonly<Partial<Record<Kind, number>>>;

/** Starts tasks of random kinds and projects, and remembers each that was accepted. */
export class Load {
  readonly #installation: Installation;
  readonly #projects: readonly TestProject[];
  readonly #dice: Dice;
  readonly #weights: Weights;
  readonly accepted = new Map<number, KnownTask>();

  constructor(installation: Installation, projects: readonly TestProject[], dice: Dice, weights: Weights) {
    this.#installation = installation;
    this.#projects = projects;
    this.#dice = dice;
    this.#weights = weights;
  }

  /** @returns once this many tasks were accepted */
  async start(count: number): Promise<void> {
    let left = count;
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        while (this.accepted.size - this.#installation.started > WAITING) await delay(200);
        await this.#startOne();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));
  }

  async #startOne(): Promise<void> {
    const test = this.#projects[this.#dice.below(this.#projects.length)] as TestProject;
    const kind = this.#dice.pick(this.#weights);
    const template = test.templates.get(kind) ?? 0;
    const { id } = await patiently(() => test.project.run(template));
    const project = test.project.params.project_id;
    this.accepted.set(id, { project, template, locks: LOCKS[kind] ?? [], isParallel: kind !== 'single' });
  }
}

const PAGE = 1000;

/** Reads all tasks of a project. */
export const tasksOf = async ({ project }: TestProject): Promise<Task[]> => {
  const all: Task[] = [];
  for (let before: number | undefined; ; before = all.at(-1)?.id) {
    const query = { limit: String(PAGE), ...(before === undefined ? {} : { before: String(before) }) };
    const page = await patiently(() => project.client.call('listTasks', { params: project.params, query }));
    all.push(...page);
    if (page.length < PAGE) return all;
  }
};

const FINAL: readonly string[] = ['success', 'error', 'stopped'];

/**
 * Waits until all tasks of all projects have ended.
 * @throws when no task starts or ends for `stuckMs`
 */
export const allEnded = async (projects: readonly TestProject[], stuckMs: number): Promise<void> => {
  let before = '';
  for (let since = performance.now(); ; await delay(2000)) {
    const open = (await Promise.all(projects.map(tasksOf))).flat().filter(({ status }) => !FINAL.includes(status));
    if (open.length === 0) return;
    const now = open.map(({ id, status }) => `${id} ${status}`).join();
    if (now !== before) since = performance.now();
    before = now;
    if (performance.now() - since > stuckMs) throw new Error(`Stuck tasks: ${now}`);
  }
};
