import type { Task } from '@signalbox/contract';
import { signalIfThere, until } from '../product.ts';
import { CANARY, CrashHarness } from './crash-harness.ts';
import { judgeOther, type PlayedRun, playRun } from './crash-run.ts';
import { damagedDatabases, leftovers, processesIn } from './leftovers.ts';
import { type Kind, type PlannedRun, planRun } from './plan.ts';

/** Maximum time until remaining processes have ended, in milliseconds. */
const STRAY_MS = 10_000;

export interface CrashOptions {
  readonly runs: number;
  readonly seed: number;
  /** Runs at once. */
  readonly atOnce: number;
  readonly print: (line: string) => void;
  /** Starts no more runs once it is aborted. Runs that were started are judged. */
  readonly signal?: AbortSignal;
}

export interface CrashReport {
  readonly violations: readonly string[];
  readonly summary: readonly string[];
  /** The kills and stops that happened at least once, such as `kill supervisor` and `stop in playbook`. */
  readonly done: ReadonlySet<string>;
}

const journalLine = ({ planned, tasks, actions: deeds, outcome, violations }: PlayedRun): string => {
  const done = deeds.length === 0 ? 'no kill' : deeds.join(', ');
  const wrong = violations.map((violation) => `\n    WRONG: ${violation}`).join('');
  return `#${planned.number} ${planned.kind} (task ${tasks.join(', ')}): ${done} -> ${outcome}${wrong}`;
};

const count = (texts: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, times]) => `${times} ${text}`).join(', ');
};

const kindOf = (task: Task): Kind =>
  task.tpl_playbook.startsWith('galaxy-') ? 'galaxy' : (task.tpl_playbook.replace('.yml', '') as Kind);

/** Judges tasks that were not planned: before a waiting task, after a build, or from a request whose answer was lost. */
const judgeOthers = async (harness: CrashHarness, played: readonly PlayedRun[]): Promise<string[]> => {
  const judged = new Set(played.map(({ tasks }) => tasks.at(-1)));
  const all: Task[] = [];
  for (let before: string | undefined; ; ) {
    const query = { limit: '1000', ...(before === undefined ? {} : { before }) };
    const page = await harness.patiently(() =>
      harness.client.call('listTasks', { params: harness.project.params, query }),
    );
    all.push(...page);
    if (page.length < 1000) break;
    before = String(page.at(-1)?.id);
  }
  const violations: string[] = [];
  for (const task of all.filter(({ id }) => !judged.has(id)))
    for (const violation of await judgeOther(harness, task.id, kindOf(task)))
      violations.push(`task ${task.id}: ${violation}`);
  for (const id of played.flatMap(({ tasks }) => tasks))
    if (!all.some((task) => task.id === id)) violations.push(`task ${id} was accepted and is lost`);
  for (const build of all.filter((task) => task.tpl_type === 'build' && task.status === 'success')) {
    const deploys = all.filter((task) => task.build_task_id === build.id).length;
    if (deploys !== 1) violations.push(`build ${build.id} was deployed ${deploys} times`);
  }
  return violations;
};

/** Finds processes, files and damaged databases that remain after all runs. */
const findLeftovers = async (harness: CrashHarness, played: readonly PlayedRun[]): Promise<string[]> => {
  const { product, watch } = harness;
  const secrets = [CANARY, harness.key.split('\n')[1] ?? CANARY];
  const left = new Set(played.filter(({ leavesDaemons }) => leavesDaemons).map(({ tasks }) => tasks.at(-1)));
  for (const { pid, taskId } of watch.living()) if (left.has(taskId)) signalIfThere(pid, 'SIGKILL');
  const files = await leftovers(product.folder, secrets);
  // Killed processes end after a moment.
  let stray: string[] = [];
  const check = () => {
    stray = processesIn(product.folder, [product.serverPid, product.runnerPid]);
    return stray.length === 0 || undefined;
  };
  await until('no process', check, STRAY_MS).catch(() => undefined);
  await product.stopServer();
  const { runnerPid } = product;
  if (runnerPid !== undefined) signalIfThere(runnerPid, 'SIGKILL');
  return [...files, ...stray.map((one) => `${one} remains`), ...damagedDatabases(product.folder)];
};

const slowest = (played: readonly PlayedRun[], force: boolean): string => {
  const times = played.flatMap(({ stopMs }) => (stopMs && stopMs.force === force ? [stopMs.ms] : []));
  return times.length === 0 ? 'none' : `${(Math.max(...times) / 1000).toFixed(1)} s at most of ${times.length}`;
};

/**
 * Starts runs, kills at random processes that take part in them, and checks whether each ran at most once, ended, and
 * has its complete log, and whether anything remains. The same seed makes the same runs and kills.
 */
export const crashTest = async ({ runs, seed, atOnce, print, signal }: CrashOptions): Promise<CrashReport> => {
  const schedule = Array.from({ length: runs }, (_, number) => planRun(seed, number));
  const needy = schedule.filter(({ kind }) => kind === 'galaxy').map(({ number }) => number);
  const harness = await CrashHarness.open(atOnce + 2, needy);
  try {
    harness.watch.start();
    const waiting = [...schedule];
    const played: PlayedRun[] = [];
    /** Why the test cannot continue, for example because the server does not restart. The report contains the runs so far. */
    const broken: string[] = [];
    const play = async (next: PlannedRun): Promise<void> => {
      try {
        const done = await playRun(harness, next);
        played.push(done);
        print(journalLine(done));
      } catch (error) {
        broken.push(`#${next.number} could not be run to its end: ${String(error)}`);
      }
    };
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !signal?.aborted && broken.length === 0; next = waiting.shift())
        await play(next);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const others =
      broken.length > 0 ? broken : [...(await judgeOthers(harness, played)), ...(await findLeftovers(harness, played))];
    for (const violation of others) print(`WRONG: ${violation}`);
    const done = played.flatMap(({ actions: deeds }) =>
      deeds.flatMap((deed) => /(?:kill|stop in) \w+/.exec(deed)?.[0] ?? []),
    );
    return {
      done: new Set(done),
      violations: [
        ...played.flatMap(({ planned, violations }) =>
          violations.map((violation) => `#${planned.number}: ${violation}`),
        ),
        ...others,
      ],
      summary: [
        `${played.length} runs from seed ${seed}: ${count(played.map(({ outcome }) => outcome))}`,
        `done: ${count(done)}`,
        `gone after a stop: ${slowest(played, false)}; after a forced stop: ${slowest(played, true)}`,
      ],
    };
  } finally {
    await harness.dispose();
  }
};
