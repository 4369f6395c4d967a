import { MIN_RUNS, type Task, type TaskExpectation } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { estimate, type UsualRun } from '../../times/estimate.ts';
import { nameOfStep, type RunSoFar, type StepStart, type WorkingHosts } from '../../times/run-times.ts';
import { usualOfSilent } from '../../times/silent-hosts.ts';
import { type ComparedTask, readUsualRuns } from './usual-runs.ts';

export interface RunProgressDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the steps of a run that continues, from a number on. */
  readonly soFar: (taskId: number, first: number) => Promise<RunSoFar>;
}

export type TimedTask = ComparedTask & Pick<Task, 'status' | 'start'>;

interface Kept {
  readonly runs: readonly UsualRun[];
  readonly steps: StepStart[];
  hosts: number;
  ended: number | null;
  working: WorkingHosts | undefined;
  /** When the steps were read, in milliseconds since 1970. */
  readAt: number;
  /** The share never decreases. */
  share: number;
}

/** The steps of a run are read at most once in this time, in milliseconds. */
const READ_EVERY_MS = 1_000;
/** Number of running tasks whose progress is kept. */
const MAX_KEPT = 1_000;
/** A run is never shown as complete before it has ended. */
const MAX_SHARE = 0.99;

/** Nothing is known of the end. */
export const UNKNOWN_END: TaskExpectation = {
  ...{ expected_end: null, done_share: null, longer_than_usual: false, running_step: null, silent_hosts: null },
};

const ACTIVE: ReadonlySet<Task['status']> = new Set(['starting', 'running']);

const isActive = ({ status }: TimedTask): boolean => ACTIVE.has(status);

const runningStep = ({ steps }: Kept, usual: number | null): TaskExpectation['running_step'] => {
  const step = steps.at(-1);
  if (!step || usual === null) return null;
  const since = new Date(step.at).toISOString();
  return { step: step.step, name: nameOfStep(step.key), since, usual_ms: usual };
};

const silentHosts = ({ runs, steps, working }: Kept, now: number): TaskExpectation['silent_hosts'] => {
  const step = steps.at(-1);
  if (!step || working?.step !== step.step) return null;
  const usual_ms = usualOfSilent(runs, step.key, working, now - step.at);
  if (usual_ms === undefined) return null;
  const { name, line, hosts, total } = working;
  return { step: step.step, name, line, since: new Date(step.at).toISOString(), usual_ms, hosts: [...hosts], total };
};

/** Computes when running tasks are expected to end, from earlier runs of their templates and from the run so far. */
export class RunProgress {
  readonly #deps: RunProgressDeps;
  readonly #kept = new Map<number, Kept>();

  constructor(deps: RunProgressDeps) {
    this.#deps = deps;
  }

  /** Returns tasks, the active ones with their expected end. A task whose steps cannot be read has none. */
  async add<T extends TimedTask & TaskExpectation>(tasks: readonly T[]): Promise<T[]> {
    return await Promise.all(
      tasks.map(async (task) => (isActive(task) ? { ...task, ...(await this.of(task)) } : task)),
    );
  }

  async of(task: TimedTask): Promise<TaskExpectation> {
    if (!isActive(task) || task.start === null) return UNKNOWN_END;
    try {
      return await this.#expect(task, Date.parse(task.start));
    } catch {
      // The list of tasks is more important than when they end. The next call tries again.
      this.#kept.delete(task.id);
      return UNKNOWN_END;
    }
  }

  async #expect(task: TimedTask, start: number): Promise<TaskExpectation> {
    const known = await this.#estimate(task, start);
    if (!known) return UNKNOWN_END;
    const { kept, found, now } = known;
    const elapsed = Math.max(0, now - start);
    const share = Math.min(MAX_SHARE, elapsed / Math.max(1, elapsed + found.remaining));
    kept.share = Math.max(kept.share, share);
    const silent_hosts = silentHosts(kept, now);
    // Otherwise the end would move on for as long as the run takes.
    const isKnown = !found.isLonger && silent_hosts === null;
    return {
      expected_end: isKnown ? new Date(now + found.remaining).toISOString() : null,
      done_share: isKnown ? Math.round(kept.share * 1000) / 1000 : null,
      longer_than_usual: found.isLonger,
      running_step: runningStep(kept, found.usualStep),
      silent_hosts,
    };
  }

  async #estimate(task: TimedTask, start: number) {
    const kept = await this.#read(task);
    const now = this.#deps.clock.now().getTime();
    const { runs, hosts, steps, ended } = kept;
    const found = estimate(runs, { elapsed: Math.max(0, now - start), now, hosts, steps, ended });
    return found && { kept, found, now };
  }

  async #read(task: TimedTask): Promise<Kept> {
    const now = this.#deps.clock.now().getTime();
    const kept = this.#kept.get(task.id) ?? {
      ...{ runs: await readUsualRuns(this.#deps.database.read, task), steps: [], hosts: 0, ended: null },
      working: undefined,
      ...{ readAt: 0, share: 0 },
    };
    this.#kept.delete(task.id);
    this.#kept.set(task.id, kept);
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(id);
    }
    if (kept.runs.length < MIN_RUNS || Math.abs(now - kept.readAt) < READ_EVERY_MS) return kept;
    kept.readAt = now;
    // The newest known step is read again, because it may have ended.
    const first = Math.max(1, kept.steps.length);
    const { hosts, steps, ended, working } = await this.#deps.soFar(task.id, first);
    kept.steps.splice(first - 1, kept.steps.length, ...steps);
    kept.hosts = hosts;
    kept.ended = ended;
    kept.working = working;
    return kept;
  }
}
