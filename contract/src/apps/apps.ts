import { z } from 'zod';
import type { EndReason } from '../messages/end-reasons.ts';
import type { AppDefinition } from './app.ts';
import { APPS } from './table.ts';

export type AppName = keyof typeof APPS;

const NAMES = Object.keys(APPS) as [AppName, ...AppName[]];

/** The name of an app. `options` lists all in the order of the table. */
export const AppName = z.enum(NAMES);

/** The app of templates and jobs that name none. */
export const DEFAULT_APP: AppName = 'ansible';

export const appOf = (name: AppName): AppDefinition => APPS[name];

/** Whether a task ended because hosts failed, as one of the apps knows. */
export const endedByHosts = (reason: EndReason): boolean => NAMES.some((name) => appOf(name).endedByHosts(reason));

/** The app of a request. Clients of Semaphore UI send an empty name for the default. */
export const RequestedApp = z
  .enum([...NAMES, ''])
  .transform((name): AppName => name || DEFAULT_APP)
  .default(DEFAULT_APP)
  .describe('The app that runs the tasks. An empty name means `ansible`.');

/** An app that a runner can run, with the version of its program. */
export const InstalledApp = z.object({
  name: z.string().max(100).describe('Name of the app.'),
  version: z.string().max(200).describe('Version of its program.'),
});
export type InstalledApp = z.infer<typeof InstalledApp>;

/** The version of an app; empty if it is missing. */
export const versionOf = (apps: readonly InstalledApp[], name: AppName): string =>
  apps.find((app) => app.name === name)?.version ?? '';
