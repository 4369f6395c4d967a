import type { Task } from '@signalbox/contract';
import { signalIfThere, until } from '../product.ts';
import { CANARY, CrashHouse } from './crash-house.ts';
import { judgeOther, type PlayedRun, playRun } from './crash-run.ts';
import { damagedDatabases, leftovers, processesIn } from './leftovers.ts';
import { type Kind, type PlannedRun, planRun } from './plan.ts';

/** How long processes that are left may take to be gone, in milliseconds. */
const STRAY_MS = 10_000;

export interface CrashOptions {
  readonly runs: number;
  readonly seed: number;
  /** Runs at once. */
  readonly atOnce: number;
  readonly say: (line: string) => void;
  /** Begins no more runs once it is aborted; those under way are judged like all. */
  readonly signal?: AbortSignal;
}

export interface CrashReport {
  readonly faults: readonly string[];
  readonly summary: readonly string[];
  /** What was done at least once, such as `kill keeper` and `stop in playbook`. */
  readonly done: ReadonlySet<string>;
}

const journalLine = ({ planned, tasks, deeds, outcome, faults }: PlayedRun): string => {
  const done = deeds.length === 0 ? 'nothing done' : deeds.join(', ');
  const wrong = faults.map((fault) => `\n    WRONG: ${fault}`).join('');
  return `#${planned.number} ${planned.kind} (task ${tasks.join(', ')}): ${done} -> ${outcome}${wrong}`;
};

const count = (words: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, times]) => `${times} ${word}`).join(', ');
};

const kindOf = (task: Task): Kind =>
  task.tpl_playbook.startsWith('galaxy-') ? 'galaxy' : (task.tpl_playbook.replace('.yml', '') as Kind);

/** Tasks beside those of the schedule: before one that waited, after a build, or asked for by a call that was cut off. */
const judgeOthers = async (house: CrashHouse, played: readonly PlayedRun[]): Promise<string[]> => {
  const judged = new Set(played.map(({ tasks }) => tasks.at(-1)));
  const all: Task[] = [];
  for (let before: string | undefined; ; ) {
    const query = { limit: '1000', ...(before === undefined ? {} : { before }) };
    const page = await house.patiently(() => house.client.call('listTasks', { params: house.project.params, query }));
    all.push(...page);
    if (page.length < 1000) break;
    before = String(page.at(-1)?.id);
  }
  const faults: string[] = [];
  for (const task of all.filter(({ id }) => !judged.has(id)))
    for (const fault of await judgeOther(house, task.id, kindOf(task))) faults.push(`task ${task.id}: ${fault}`);
  for (const id of played.flatMap(({ tasks }) => tasks))
    if (!all.some((task) => task.id === id)) faults.push(`task ${id} was accepted, and is lost`);
  for (const build of all.filter((task) => task.tpl_type === 'build' && task.status === 'success')) {
    const deploys = all.filter((task) => task.build_task_id === build.id).length;
    if (deploys !== 1) faults.push(`build ${build.id} was deployed ${deploys} times`);
  }
  return faults;
};

/** What is left once every run has ended: of processes, files and databases. */
const lookAround = async (house: CrashHouse, played: readonly PlayedRun[]): Promise<string[]> => {
  const { product, watch } = house;
  const secrets = [CANARY, house.key.split('\n')[1] ?? CANARY];
  const left = new Set(played.filter(({ leavesDaemons }) => leavesDaemons).map(({ tasks }) => tasks.at(-1)));
  for (const { pid, taskId } of watch.living()) if (left.has(taskId)) signalIfThere(pid, 'SIGKILL');
  const files = await leftovers(product.folder, secrets);
  // What was just killed takes a moment to be gone.
  let stray: string[] = [];
  const look = () => {
    stray = processesIn(product.folder, [product.serverPid, product.runnerPid]);
    return stray.length === 0 || undefined;
  };
  await until('no process', look, STRAY_MS).catch(() => undefined);
  await product.stopServer();
  const { runnerPid } = product;
  if (runnerPid !== undefined) signalIfThere(runnerPid, 'SIGKILL');
  return [...files, ...stray.map((one) => `${one} is left over`), ...damagedDatabases(product.folder)];
};

const slowest = (played: readonly PlayedRun[], force: boolean): string => {
  const times = played.flatMap(({ stopMs }) => (stopMs && stopMs.force === force ? [stopMs.ms] : []));
  return times.length === 0 ? 'none' : `${(Math.max(...times) / 1000).toFixed(1)} s at most of ${times.length}`;
};

/**
 * Starts runs, kills at random whatever takes part in them, and looks whether each was run at most once, came to an end
 * and has its whole log, and whether anything is left over. The same seed makes the same runs and the same kills.
 */
export const crashTest = async ({ runs, seed, atOnce, say, signal }: CrashOptions): Promise<CrashReport> => {
  const schedule = Array.from({ length: runs }, (_, number) => planRun(seed, number));
  const needy = schedule.filter(({ kind }) => kind === 'galaxy').map(({ number }) => number);
  const house = await CrashHouse.open(atOnce + 2, needy);
  try {
    house.watch.start();
    const waiting = [...schedule];
    const played: PlayedRun[] = [];
    /** Why it cannot go on: the server does not come back, say. What was done so far is told all the same. */
    const broken: string[] = [];
    const play = async (next: PlannedRun): Promise<void> => {
      try {
        const done = await playRun(house, next);
        played.push(done);
        say(journalLine(done));
      } catch (error) {
        broken.push(`#${next.number} could not be played to its end: ${String(error)}`);
      }
    };
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !signal?.aborted && broken.length === 0; next = waiting.shift())
        await play(next);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const others =
      broken.length > 0 ? broken : [...(await judgeOthers(house, played)), ...(await lookAround(house, played))];
    for (const fault of others) say(`WRONG: ${fault}`);
    const done = played.flatMap(({ deeds }) => deeds.flatMap((deed) => /(?:kill|stop in) \w+/.exec(deed)?.[0] ?? []));
    return {
      done: new Set(done),
      faults: [
        ...played.flatMap(({ planned, faults }) => faults.map((fault) => `#${planned.number}: ${fault}`)),
        ...others,
      ],
      summary: [
        `${played.length} runs from seed ${seed}: ${count(played.map(({ outcome }) => outcome))}`,
        `done: ${count(done)}`,
        `gone after a stop: ${slowest(played, false)}; after a forced stop: ${slowest(played, true)}`,
      ],
    };
  } finally {
    await house.dispose();
  }
};
