import { join } from 'node:path';
import type { Engine } from './engine.ts';

const SUPERVISOR = join(import.meta.dirname, '..', '..', '..', 'supervisor');
const INIT = join(SUPERVISOR, 'container_init.py');

/** The label of every container of a runner, and that with the marker of its run. */
export const RUNNER_LABEL = 'signalbox.runner';
export const RUN_LABEL = 'signalbox.run';

export interface Mount {
  /** The path on the runner, which is the same in the container unless `target` is set. */
  readonly path: string;
  readonly target?: string;
  readonly isWritable?: boolean;
}

export interface ContainerLimits {
  readonly memory_mb: number | null;
  readonly cpus: number | null;
  readonly pids: number | null;
}

/** A container for one program. */
export interface ContainerCall {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The id of the image. A tag could change between the check of an image and its use. */
  readonly image: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly mounts: readonly Mount[];
  readonly workingFolder: string;
  /** Empty for the default network of the engine. */
  readonly network: string;
  readonly limits: ContainerLimits;
  /** The program that the container starts, and its arguments. */
  readonly entry: readonly [string, ...string[]];
}

/** One field of a comma-separated value. */
const field = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const mountArgument = ({ path, target, isWritable = false }: Mount): string =>
  ['type=bind', field(`source=${path}`), field(`target=${target ?? path}`), ...(isWritable ? [] : ['readonly'])].join(
    ',',
  );

const OF_ENGINE = {
  podman: [
    // The program writes to the pipe of the supervisor itself.
    '--log-driver=passthrough',
    // The supervisor signals the processes in the container.
    '--sig-proxy=false',
    '--http-proxy=false',
    '--passwd=false',
    '--systemd=false',
  ],
  docker: ['--log-driver=none'],
} as const;

const limitArguments = ({ memory_mb, cpus, pids }: ContainerLimits): string[] => [
  // Without swap, so that the limit is that of the memory.
  ...(memory_mb === null ? [] : [`--memory=${memory_mb}m`, `--memory-swap=${memory_mb}m`]),
  ...(cpus === null ? [] : [`--cpus=${cpus}`]),
  ...(pids === null ? [] : [`--pids-limit=${pids}`]),
];

/** The arguments of the engine for a container that is removed when it ends. Values of variables are never among them. */
export const runArguments = (engine: Engine, call: ContainerCall): string[] => {
  const [program, ...args] = call.entry;
  const isRootless = engine.name === 'podman' && process.getuid?.() !== 0;
  return [
    'run',
    '--rm',
    '--pull=never',
    `--name=${call.name}`,
    ...Object.entries(call.labels).map(([name, value]) => `--label=${name}=${value}`),
    '--read-only',
    '--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    `--user=${call.user.uid}:${call.user.gid}`,
    ...(isRootless ? ['--userns=keep-id'] : []),
    ...(call.network === '' ? [] : [`--network=${call.network}`]),
    ...limitArguments(call.limits),
    ...OF_ENGINE[engine.name],
    ...call.mounts.map((mount) => `--mount=${mountArgument(mount)}`),
    `--workdir=${call.workingFolder}`,
    ...engine.settings.runArguments,
    `--entrypoint=${program}`,
    call.image,
    ...args,
  ];
};

/** The programs of Python that containers start, which the image need not contain. */
export const PROBE_FILE = join(SUPERVISOR, 'container_probe.py');
export const INIT_MOUNT: Mount = { path: INIT };

/** The entry of a container whose program gets its variables from a file. */
export const entryOf = (
  files: { environment: string; memory: string },
  argv: readonly string[],
): ContainerCall['entry'] => ['python3', '-I', '-S', INIT, files.environment, files.memory, ...argv];
