import { setTimeout as delay } from 'node:timers/promises';
import { Dice } from '../crash/plan.ts';
import { Disturbances, type Outage } from './disturbances.ts';
import { type EndedSchedule, judgeInstallation } from './findings.ts';
import { judgeHosts } from './host-runs.ts';
import { Installation, SLOTS } from './installation.ts';
import { exceededBy } from './limits.ts';
import { allEnded, Load, type Weights } from './load.ts';
import { patiently } from './patiently.ts';
import { makeProjects, makeSchedule, type TestProject } from './projects.ts';
import { RunWatch } from './run-watch.ts';

/** How often what happens during one test. */
const RESTARTS_OF_DATABASE = 2;
const CUTS_OF_BUS = 10;
/** Seconds between two restarts of a server or runner. */
const PAUSE_S = { least: 4, most: 12 };
/** Time without any change after which the remaining tasks count as stuck, in milliseconds. */
const STUCK_MS = 120_000;

const MIXED: Weights = { plain: 50, tagged: 15, single: 8, failing: 12, 'lock-ab': 8, 'lock-bc': 7 };
const LOCKED: Weights = {
  'lock-ab': 15,
  'lock-bc': 15,
  'hosts-ab': 15,
  'hosts-bc': 15,
  'hosts-check': 25,
  'hosts-lock': 15,
};

/** Watches from outside while the test runs. */
export interface Witness {
  /** @returns what it saw that must not be, and one line about what it measured */
  end(outages: readonly Outage[]): Promise<{ readonly wrong: readonly string[]; readonly summary: string }>;
}

export interface EqualServersOptions {
  readonly tasks: number;
  readonly seed: number;
  /** Whether all tasks need locks that overlap. */
  readonly onlyLocks: boolean;
  readonly projects: number;
  readonly print: (line: string) => void;
  readonly witness?: (installation: Installation, project: TestProject) => Promise<Witness>;
}

export interface EqualServersReport {
  readonly wrong: readonly string[];
  readonly summary: readonly string[];
}

/** Restarts what is due after a share of the tasks has started. */
const disturb = async (disturbances: Disturbances, dice: Dice, progress: () => number, ended: () => boolean) => {
  const due = [
    ...Array.from({ length: RESTARTS_OF_DATABASE }, (_, n) => ({
      at: (n + 1) / (RESTARTS_OF_DATABASE + 1),
      bus: false,
    })),
    ...Array.from({ length: CUTS_OF_BUS }, (_, n) => ({ at: (n + 0.5) / CUTS_OF_BUS, bus: true })),
  ].toSorted((a, b) => a.at - b.at);
  let next = performance.now();
  while (!ended() || due.length > 0) {
    if ((due[0]?.at ?? 2) <= progress()) {
      if (due.shift()?.bus) await disturbances.cutBus();
      else await disturbances.restartDatabase();
    } else if (performance.now() > next) {
      await disturbances.random();
      next = performance.now() + (PAUSE_S.least + dice.below(PAUSE_S.most - PAUSE_S.least)) * 1000;
    } else await delay(100);
  }
};

/** Pauses the schedules, between two due times so that each due time is either handled or not. */
const endSchedules = async (
  schedules: readonly { readonly test: TestProject; readonly id: number; readonly from: number }[],
) => {
  const ended: EndedSchedule[] = [];
  for (const { test, id, from } of schedules) {
    const second = new Date().getSeconds();
    if (second < 15 || second > 50) await delay(((75 - second) % 60) * 1000);
    const { project } = test;
    const params = { ...project.params, schedule_id: id };
    await patiently(() => project.client.call('updateSchedule', { params, body: { active: false } }));
    ended.push({ project, id, from, to: Date.now() });
  }
  return ended;
};

/**
 * Runs tasks on three servers and ten runners while their parts are killed and restarted, and checks that each task ran
 * once, that its log is whole, and that no limit was exceeded. The same seed makes the same tasks and restarts.
 */
export const equalServersTest = async (options: EqualServersOptions): Promise<EqualServersReport> => {
  const { tasks, seed, print } = options;
  const began = performance.now();
  const installation = await Installation.open();
  const exceeded = new Set<string>();
  let watch: RunWatch | undefined;
  try {
    const projects = await makeProjects(installation, options.projects);
    const witness = projects[0] && (await options.witness?.(installation, projects[0]));
    const scheduled = options.onlyLocks ? [] : projects.slice(0, 3);
    const schedules: { readonly test: TestProject; readonly id: number; readonly from: number }[] = [];
    for (const test of scheduled) schedules.push({ test, id: await makeSchedule(test), from: Date.now() });
    const load = new Load(installation, projects, new Dice(seed), options.onlyLocks ? LOCKED : MIXED);
    const ofProject = new Map(projects.map(({ project, limit }) => [project.params.project_id, limit]));
    watch = new RunWatch(
      installation.runners.map(({ data }) => data),
      (runs) => {
        for (const one of exceededBy(runs, load.accepted, { slots: SLOTS, ofProject })) exceeded.add(one);
      },
    );
    watch.start();
    print(`ready after ${Math.round((performance.now() - began) / 1000)} s`);
    const dice = new Dice(seed + 1);
    const disturbances = new Disturbances(installation, dice, print);
    let isLoaded = false;
    const progress = () => installation.started / tasks;
    const disturbing = disturb(disturbances, dice, progress, () => isLoaded && progress() >= 1);
    const loadBegan = performance.now();
    await Promise.all([
      load.start(tasks).finally(() => {
        isLoaded = true;
      }),
      disturbing,
    ]);
    const schedule = await endSchedules(schedules);
    await allEnded(projects, STUCK_MS);
    const seconds = (performance.now() - loadBegan) / 1000;
    const findings = await judgeInstallation(installation, projects, load.accepted, schedule);
    const seen = await witness?.end(disturbances.outages);
    const hosts = options.onlyLocks ? judgeHosts(installation.recordsOfHosts()) : undefined;
    return {
      wrong: [...findings.wrong, ...exceeded, ...(seen?.wrong ?? []), ...(hosts?.wrong ?? [])],
      summary: [
        `${load.accepted.size} tasks in ${seconds.toFixed(0)} s, seed ${seed}`,
        `done: ${[...disturbances.done].map(([kind, times]) => `${times} ${kind}`).join(', ')}`,
        ...findings.summary,
        ...(seen ? [seen.summary] : []),
        ...(hosts ? [hosts.summary] : []),
      ],
    };
  } finally {
    watch?.stop();
    await installation.dispose();
  }
};
