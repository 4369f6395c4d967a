import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { TestLocation as DatabaseLocation } from './database/databases.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/signalbox.mjs', import.meta.url));

export interface SignalboxProcess {
  /** Its standard input stays open until the test ends it. */
  readonly child: ChildProcess;
  /** Resolves with the whole output once it contains this text. */
  printed(text: string): Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

type Location = Pick<DatabaseLocation, 'folder' | 'databaseUrl'>;
type More = readonly (string | Readonly<Record<string, string>>)[];

/** Runs the command like a user, with the data folder and database of a test. */
export const signalbox = (location: Location, command: string, ...more: More): SignalboxProcess =>
  start([process.execPath], location, command, more);

/** Like `signalbox`, for a process that may not change users, even when the tests run as root. */
export const withoutRights = (location: Location, command: string, ...more: More): SignalboxProcess =>
  start(
    [...(process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-setuid,-setgid'] : []), process.execPath],
    location,
    command,
    more,
  );

const start = (
  [program = '', ...before]: readonly string[],
  location: Location,
  command: string,
  more: More,
): SignalboxProcess => {
  const args = more.filter((one) => typeof one === 'string');
  const settings = Object.assign({}, ...more.filter((one) => typeof one !== 'string')) as Record<string, string>;
  const child = spawn(program, [...before, COMMAND, command, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SIGNALBOX_DATA: location.folder,
      SIGNALBOX_PORT: '0',
      SIGNALBOX_RUNNER_SLOTS: '0',
      ...(location.databaseUrl === undefined ? {} : { DATABASE_URL: location.databaseUrl }),
      ...settings,
    },
  });
  let output = '';
  const waiting = new Map<string, () => void>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    for (const [text, startWith] of waiting) if (output.includes(text)) startWith();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    printed: async (text) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(text, resolve);
      if (!output.includes(text)) {
        await Promise.race([
          promise,
          ended.then(() => Promise.reject(new Error(`It ended without printing ${text}: ${output}`))),
        ]);
      }
      return output;
    },
  };
};

/** Runs a line in a shell in another folder, with no setting except the address of a PostgreSQL database. */
export const typed = async (line: string, { databaseUrl }: Location) => {
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
};
