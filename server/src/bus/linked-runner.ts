import { AppName, InstalledApp } from '@signalbox/contract';
import { z } from 'zod';

/** Longest version or user name that is sent, in characters. */
const MAX_TEXT = 50;

/** A runner with a link to a server, as far as other servers must know it. */
export const LinkedRunner = z.object({
  id: z.int().positive(),
  slots: z.int(),
  version: z.string(),
  apps: z.array(InstalledApp).readonly(),
  runAs: z.string().nullable(),
  draining: z.boolean(),
});
export type LinkedRunner = z.infer<typeof LinkedRunner>;

/** Shortens what a runner reports, so that a few runners always fit into a notice. */
export const shortened = ({ id, slots, version, apps, runAs, draining }: LinkedRunner): LinkedRunner => ({
  ...{ id, slots, draining },
  version: version.slice(0, MAX_TEXT),
  apps: AppName.options.flatMap((name) => {
    const app = apps.find((one) => one.name === name);
    return app ? [{ name, version: app.version.slice(0, MAX_TEXT) }] : [];
  }),
  runAs: runAs === null ? null : runAs.slice(0, MAX_TEXT),
});
