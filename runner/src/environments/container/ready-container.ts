import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ContainerEnvironment } from '@signalbox/contract';
import { PreparationError } from '../../errors/preparation-error.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import type { ProcessUser } from '../../process/user.ts';
import type { ReleasedWorkspace } from '../../workspace/workspace.ts';
import type { EnvironmentRequest, ReadyEnvironment } from '../environment.ts';
import type { Engine } from './engine.ts';
import type { Image } from './image.ts';
import type { ImageContent } from './image-content.ts';
import { entryOf, INIT_MOUNT, type Mount, runArguments } from './run-arguments.ts';
import { groupWith, passwdWith } from './user-files.ts';

export const programMissing = (image: string, program: string): PreparationError =>
  new PreparationError('preparation', `The container image ${image} has no ${program}.`, {
    code: 'container.program_missing',
    params: { image, program },
  });

/** The user of the processes in a container: the run user, or that of the runner. */
export const userOf = (user: ProcessUser | undefined): { name: string; uid: number; gid: number } => {
  if (user) return user;
  const { uid, gid, username: name } = userInfo();
  return { name, uid, gid };
};

/** Variables that describe the files of the runner. The image has its own. */
const OF_RUNNER = ['PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
/** Locales of the runner, which an image need not have. A template can set others. */
const LOCALE = ['LANG', 'LC_ALL', 'LC_CTYPE'];

const variablesIn = (
  env: Readonly<Record<string, string>>,
  base: Readonly<Record<string, string>>,
): Record<string, string> => {
  const isKept = ([name, value]: readonly [string, string]) =>
    !OF_RUNNER.includes(name) && !(LOCALE.includes(name) && value === base[name]);
  return { LANG: 'C.UTF-8', ...Object.fromEntries(Object.entries(env).filter(isKept)) };
};

interface Ready {
  readonly engine: Engine;
  readonly request: EnvironmentRequest<ContainerEnvironment>;
  readonly workspace: ReleasedWorkspace;
  readonly image: Image;
  readonly content: ImageContent;
  readonly labels: Readonly<Record<string, string>>;
}

/** An execution environment in which every program gets a container that sees only the workspace and what is named. */
export const readyContainer = ({ engine, request, workspace, image, content, labels }: Ready): ReadyEnvironment => {
  const { environment, marker, containerFolder: folder } = request;
  const { path, user: runUser, outOfMemory } = workspace.paths;
  const user = userOf(runUser);
  let count = 0;

  /** Writes a file that only the user in the container can read. */
  const write = (name: string, text: string): string => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (runUser) chownSync(file, user.uid, user.gid);
    return file;
  };
  const account = { ...user, home: path };
  const accounts: Mount[] = [
    { path: write('passwd', passwdWith(content.passwd, account)), target: '/etc/passwd' },
    { path: write('group', groupWith(content.group, account)), target: '/etc/group' },
  ];

  return {
    program: (name) => {
      if (!content.programs.includes(name)) throw programMissing(environment.image, name);
      return name;
    },
    makeCommand: ({ argv, env, cwd, reads = [], writes = [] }) => {
      count += 1;
      const name = `signalbox-${marker}-${count}`;
      const variables = variablesIn(env, request.base);
      const own = { HOME: path, USER: user.name, LOGNAME: user.name, [RUN_MARKER]: marker };
      const file = write(`variables-${count}.json`, JSON.stringify({ ...variables, ...own }));
      const mounts: Mount[] = [
        { path, isWritable: true },
        ...reads.map((read) => ({ path: read })),
        ...writes.map((written) => ({ path: written, isWritable: true })),
        { path: file },
        INIT_MOUNT,
        ...accounts,
      ];
      const { memory_mb, cpus, pids } = environment;
      const args = runArguments(engine, {
        name,
        labels,
        image: image.id,
        user,
        mounts,
        workingFolder: cwd,
        network: environment.network === 'default' ? '' : environment.network,
        limits: { memory_mb, cpus, pids },
        entry: entryOf({ environment: file, memory: outOfMemory }, argv),
      });
      return {
        argv: [...engine.command, ...args],
        env: { ...engine.env, [RUN_MARKER]: marker },
        container: { engine: [...engine.command], name },
      };
    },
  };
};
