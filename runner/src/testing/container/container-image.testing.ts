import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerSettings, callEngine, type Engine, findEngine } from '../../environments/container/engine.ts';
import { findProgram, interpreterOf } from '../../process/find-program.ts';

const PATH = process.env.PATH ?? '';
const SCRIPT = join(import.meta.dirname, 'make_image.py');
const LIMITS = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096'];

/** Arguments of the engine and of `run`. Some machines refuse the default runtime, or the default limits of a process. */
const ARGUMENTS: readonly (readonly [string[], string[]])[] = [
  [[], []],
  [[], LIMITS],
  [['--runtime', 'runc'], LIMITS],
];

/** An engine that can start containers on this machine, and an image with Ansible. */
export interface TestContainers {
  readonly engine: Engine;
  readonly image: string;
  /** The same as settings of a runner. */
  readonly settings: Record<string, string>;
}

const settingsOf = (args: readonly string[], runArguments: readonly string[]): ContainerSettings => ({
  engine: 'podman',
  arguments: args,
  runArguments,
  networks: ['default', 'none'],
  env: {},
});

/** Makes the image, once for each machine and content. */
const makeImage = async (engine: Engine): Promise<string> => {
  const playbook = findProgram('ansible-playbook', PATH);
  const python = (playbook && interpreterOf(playbook)) ?? 'python3';
  const version = execFileSync(python, ['-c', 'import ansible.release as r, sys; print(r.__version__, sys.version)']);
  const hash = createHash('sha256').update(readFileSync(SCRIPT)).update(version).digest('hex').slice(0, 12);
  const image = `localhost/signalbox-test:${hash}`;
  const found = await callEngine(engine, ['image', 'exists', image], { timeoutMs: 60_000 });
  if (found.code === 0) return image;
  const tar = spawn(python, [SCRIPT], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [file, ...global] = engine.command;
  const imported = spawn(file, [...global, 'import', '--quiet', '-', image], {
    stdio: [tar.stdout, 'ignore', 'inherit'],
  });
  const [code] = await once(imported, 'exit');
  if (code !== 0) throw new Error('The image for tests could not be imported.');
  return image;
};

const findContainers = async (): Promise<TestContainers | string> => {
  let reason = 'podman is not installed';
  for (const [args, runArguments] of ARGUMENTS) {
    const engine = await findEngine(settingsOf(args, runArguments), { PATH, HOME: process.env.HOME ?? '/' });
    if (engine === undefined) return reason;
    const image = await makeImage(engine);
    const run = ['run', '--rm', '--pull=never', '--network=none', '--memory=64m', ...runArguments, image, 'id'];
    const end = await callEngine(engine, run, { timeoutMs: 60_000 });
    if (end.code === 0) {
      const settings = {
        SIGNALBOX_CONTAINER_ENGINE: 'podman',
        SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS: args.join(' '),
        SIGNALBOX_CONTAINER_RUN_ARGUMENTS: runArguments.join(' '),
      };
      return { engine, image, settings };
    }
    reason = end.stderr.trim();
  }
  return reason;
};

let found: Promise<TestContainers | string> | undefined;

const testContainers = (): Promise<TestContainers | string> => {
  found ??= findContainers();
  return found;
};

/** The engine and the image for tests. @throws Error with the reason if this machine cannot start containers */
export const requireContainers = async (): Promise<TestContainers> => {
  const containers = await testContainers();
  if (typeof containers !== 'string') return containers;
  throw new Error(
    `This machine cannot start containers, so they cannot be tested on it: ${containers}. Run the tests on a machine where podman works, or name other tests.`,
  );
};
