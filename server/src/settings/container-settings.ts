import { ContainerNetwork } from '@signalbox/contract';
import { z } from 'zod';

const NETWORKS = 'must be one or more of default, none and host, separated by commas';

const Networks = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(ContainerNetwork.options, NETWORKS)));

/** Settings of the local runner for containers. */
export const CONTAINER_SETTINGS = {
  SIGNALBOX_CONTAINER_ENGINE: z.enum(['podman', 'docker', 'none']).optional(),
  SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS: z.string().max(10_000).default(''),
  SIGNALBOX_CONTAINER_RUN_ARGUMENTS: z.string().max(10_000).default(''),
  SIGNALBOX_CONTAINER_NETWORKS: Networks.default(['default', 'none']),
};

const Given = z.object(CONTAINER_SETTINGS);

/** The settings as the environment of the local runner. */
export const containerEnvironment = (s: z.output<typeof Given>): Record<string, string> => ({
  SIGNALBOX_CONTAINER_ENGINE: s.SIGNALBOX_CONTAINER_ENGINE ?? '',
  SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS: s.SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS,
  SIGNALBOX_CONTAINER_RUN_ARGUMENTS: s.SIGNALBOX_CONTAINER_RUN_ARGUMENTS,
  SIGNALBOX_CONTAINER_NETWORKS: s.SIGNALBOX_CONTAINER_NETWORKS.join(','),
});
