import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledApp } from '@signalbox/contract';
import type { Clock } from '../clock.ts';
import type { MakeLocation } from './database/databases.ts';
import { connectRunner } from './runners/scripted-runner.ts';
import { sampleProject } from './sample-project.ts';
import { startTestServer } from './test-server.ts';

/** Servers of one database need one key. */
const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

interface TwoServers {
  /** The clock of the second server. */
  readonly clock?: Clock;
  /** The apps of the runner. Default: Ansible. */
  readonly apps?: InstalledApp[];
}

/** Two servers of one database. A runner is linked to the first, a user is signed in at the second, which has the folder. */
export const twoServers = async (makeLocation: MakeLocation, { clock, apps }: TwoServers = {}) => {
  const location = await makeLocation();
  const folder = join(location.folder, 'second');
  mkdirSync(folder);
  const first = await startTestServer(location, KEY);
  const second = await startTestServer({ ...location, folder }, KEY, clock);
  const admin = await second.signIn();
  const sample = await sampleProject(admin);
  const runner = await connectRunner(first, location.folder);
  runner.hello([], apps ? { apps } : {});
  return { first, second, folder, admin, sample, runner };
};
