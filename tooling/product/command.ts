import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, '..', '..', 'bin', 'signalbox.mjs');

export interface Ran {
  readonly child: ChildProcess;
  /** Resolves with what was said on both ways so far, once this is part of it. */
  said(text: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** The command as a shell starts it, with these settings and no others. */
export const signalbox = (args: readonly string[], settings: Readonly<Record<string, string>>): Ran => {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  });
  const said = { out: '', err: '' };
  let heard = Promise.withResolvers<void>();
  let wanted: string | undefined;
  const listen = (way: 'out' | 'err') => (chunk: Buffer) => {
    said[way] += chunk.toString('utf8');
    if (wanted !== undefined && (said.out + said.err).includes(wanted)) heard.resolve();
  };
  child.stdout.on('data', listen('out'));
  child.stderr.on('data', listen('err'));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return {
    child,
    ended,
    said: async (text) => {
      heard = Promise.withResolvers<void>();
      wanted = text;
      if ((said.out + said.err).includes(text)) return;
      await Promise.race([
        heard.promise,
        ended.then((end) => Promise.reject(new Error(`It ended without saying ${text}: ${JSON.stringify(end)}`))),
      ]);
    },
  };
};

/** Runs a line as a person pastes it into a terminal, in another folder and without any setting. */
export const runInShell = (line: string): { readonly status: number | null; readonly stderr: string } =>
  spawnSync('/bin/sh', ['-c', line], {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
  });
