import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, '..', '..', 'bin', 'signalbox.mjs');

export interface Ran {
  readonly child: ChildProcess;
  /** Resolves once the output so far, on both streams, contains a text. */
  printed(text: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** Runs the command like a shell, with these settings and no others. */
export const signalbox = (args: readonly string[], settings: Readonly<Record<string, string>>): Ran => {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  });
  const printed = { out: '', err: '' };
  let found = Promise.withResolvers<void>();
  let wanted: string | undefined;
  const listen = (stream: 'out' | 'err') => (chunk: Buffer) => {
    printed[stream] += chunk.toString('utf8');
    if (wanted !== undefined && (printed.out + printed.err).includes(wanted)) found.resolve();
  };
  child.stdout.on('data', listen('out'));
  child.stderr.on('data', listen('err'));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }));
  return {
    child,
    ended,
    printed: async (text) => {
      found = Promise.withResolvers<void>();
      wanted = text;
      if ((printed.out + printed.err).includes(text)) return;
      await Promise.race([
        found.promise,
        ended.then((end) => Promise.reject(new Error(`It ended without printing ${text}: ${JSON.stringify(end)}`))),
      ]);
    },
  };
};

/** Runs a line as a user pastes it into a terminal, in another folder and without settings. */
export const runInShell = (line: string): { readonly status: number | null; readonly stderr: string } =>
  spawnSync('/bin/sh', ['-c', line], {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
  });
