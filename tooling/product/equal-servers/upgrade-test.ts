import { setTimeout as delay } from 'node:timers/promises';
import { Dice } from '../crash/plan.ts';
import { judgeInstallation } from './findings.ts';
import { Installation } from './installation.ts';
import { allEnded, Load } from './load.ts';
import { makeProjects, type TestProject } from './projects.ts';

const RUNNERS = 3;
const PROJECTS = 2;
/** Share of the tasks that have started before the first server is upgraded. */
const FIRST = 0.1;
const STUCK_MS = 120_000;

/** A page that is open while the servers are upgraded. */
export interface OpenPage {
  /** @returns what went wrong in the page */
  end(): Promise<readonly string[]>;
}

export interface UpgradeOptions {
  /** The folders of the two versions. */
  readonly from: string;
  readonly to: string;
  readonly tasks: number;
  readonly print: (line: string) => void;
  readonly openPage: (installation: Installation, project: TestProject) => Promise<OpenPage>;
}

/** Upgrades the servers one after the other, then the runners, and waits in between until tasks have started. */
const upgrade = async (installation: Installation, { to, tasks, print }: UpgradeOptions): Promise<void> => {
  const steps = installation.servers.length + installation.runners.length;
  let done = 0;
  const next = async (what: string): Promise<void> => {
    while (installation.started < tasks * (FIRST + (0.8 * done) / steps)) await delay(100);
    print(`${installation.started} tasks have started: upgrade ${what}`);
    done++;
  };
  for (const [number, server] of installation.servers.entries()) {
    await next(`server ${number}`);
    await server.stopServer();
    server.use(to);
    await server.startServer();
  }
  for (const number of installation.runners.keys()) {
    await next(`runner ${number}`);
    await installation.upgradeRunner(number, to);
  }
};

/**
 * Upgrades three servers behind nginx and their runners from one version to another while tasks run, and checks that
 * each task ran once, that its log is whole, and that an open page keeps working.
 * @returns what was wrong
 */
export const upgradeTest = async (options: UpgradeOptions): Promise<string[]> => {
  const { from, tasks, print, openPage } = options;
  const installation = await Installation.open({ root: from, runners: RUNNERS });
  try {
    const projects = await makeProjects(installation, PROJECTS);
    const page = projects[0] && (await openPage(installation, projects[0]));
    const load = new Load(installation, projects, new Dice(1), { plain: 60, single: 20, failing: 20 });
    const began = performance.now();
    await Promise.all([load.start(tasks), upgrade(installation, options)]);
    await allEnded(projects, STUCK_MS);
    print(`${tasks} tasks in ${Math.round((performance.now() - began) / 1000)} s`);
    const { wrong, summary } = await judgeInstallation(installation, projects, load.accepted, []);
    for (const line of summary) print(line);
    return [...wrong, ...((await page?.end()) ?? [])];
  } finally {
    await installation.dispose();
  }
};
