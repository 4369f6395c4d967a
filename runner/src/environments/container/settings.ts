import { ContainerNetwork } from '@signalbox/contract/link';
import { z } from 'zod';
import type { ContainerSettings } from './engine.ts';

const list = z
  .string()
  .max(10_000)
  .default('')
  .transform((text) => text.split(/\s+/).filter((one) => one !== ''));

const NETWORKS = 'SIGNALBOX_CONTAINER_NETWORKS must list default, none and host, separated by commas';

/** The settings of a runner for containers, in its environment. */
export const CONTAINER_SETTINGS = {
  SIGNALBOX_CONTAINER_ENGINE: z
    .enum(['', 'podman', 'docker', 'none'], 'SIGNALBOX_CONTAINER_ENGINE must be podman, docker or none')
    .default(''),
  SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS: list,
  SIGNALBOX_CONTAINER_RUN_ARGUMENTS: list,
  SIGNALBOX_CONTAINER_NETWORKS: z
    .string()
    .default('')
    .transform((text) => (text === '' ? 'default,none' : text).split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(ContainerNetwork.options, NETWORKS))),
};

const Given = z.object(CONTAINER_SETTINGS);

export const containerSettings = (
  s: z.output<typeof Given>,
  env: Readonly<Record<string, string>>,
): ContainerSettings => ({
  engine: s.SIGNALBOX_CONTAINER_ENGINE,
  arguments: s.SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS,
  runArguments: s.SIGNALBOX_CONTAINER_RUN_ARGUMENTS,
  networks: s.SIGNALBOX_CONTAINER_NETWORKS,
  env,
});
