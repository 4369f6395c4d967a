import { join } from 'node:path';
import { PreparationError } from '../errors/preparation-error.ts';
import { findProgram } from '../process/find-program.ts';
import { killProcessesNaming } from '../process/process-table.ts';
import { runProgram } from '../process/program.ts';
import { type SshAgent, startSshAgent } from '../process/ssh-agent.ts';
import type { ProcessUser } from '../process/user.ts';
import { withPassphraseProgram } from './askpass-program.ts';

/** Longest path of a socket that Linux takes, in bytes. */
const LONGEST_SOCKET = 107;

/** What ssh-add exits with when it cannot reach its agent. */
const NO_AGENT = 2;
const ADD_TIMEOUT_MS = 20_000;

export interface SshKey {
  private_key: string;
  passphrase: string;
  /** The saved key, which a failure names. */
  key?: { id: number; name: string } | undefined;
}

export interface KeyOptions {
  /** Where the agent listens; the user's own, with mode 0700. */
  folder: string;
  /** Where the passphrase is while the key is opened; this process's own. */
  privately: string;
  /** As whom the agent runs; it answers that user and root alone. */
  user?: ProcessUser | undefined;
  env: Record<string, string>;
  signal: AbortSignal;
}

export interface OpenKey {
  /** What SSH_AUTH_SOCK names. */
  socket: string;
  /** Ends the agent, and with it the key. */
  close(): Promise<void>;
}

/** Where the agent of a folder listens. */
export const socketIn = (folder: string): string => join(folder, 'agent');

const refuse = (sentence: string) =>
  new PreparationError('preparation', sentence, { code: 'key.agent_failed', params: { detail: sentence } });

const program = (name: string, path: string): string => {
  const found = findProgram(name, path);
  if (found === undefined)
    throw new PreparationError('preparation', `${name} is not installed on the runner.`, {
      code: 'program.missing',
      params: { program: name },
    });
  return found;
};

const startAgent = async (socket: string, { env, signal, user }: KeyOptions): Promise<SshAgent> => {
  if (Buffer.byteLength(socket) > LONGEST_SOCKET) {
    throw refuse(
      `The path of the runner's data folder is too long for an ssh-agent: ${socket} has more than ${LONGEST_SOCKET} bytes.`,
    );
  }
  const agent = await startSshAgent(program('ssh-agent', env.PATH ?? ''), socket, { env, signal, user });
  signal.throwIfAborted();
  if (agent === undefined) throw refuse('ssh-agent could not be started on the runner.');
  return agent;
};

/**
 * A key as ssh-add reads it, which takes it at its first byte only and line by line: what pasting puts around a key or
 * before its lines is left away.
 */
const asFile = (key: string): string => {
  const lines = key.split(/\r\n?|\n/).map((line) => line.trim());
  const begin = lines.findIndex((line) => line.startsWith('-----BEGIN '));
  return `${lines.slice(Math.max(begin, 0)).join('\n').trimEnd()}\n`;
};

const addKey = async (socket: string, key: SshKey, { privately, env, signal }: KeyOptions): Promise<void> => {
  const sshAdd = program('ssh-add', env.PATH ?? '');
  const end = await withPassphraseProgram(privately, key.passphrase, (ask) =>
    runProgram(sshAdd, ['-q', '-'], {
      env: { ...env, SSH_AUTH_SOCK: socket, SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
      input: asFile(key.private_key),
      timeoutMs: ADD_TIMEOUT_MS,
      signal,
    }),
  );
  if (end.code === 0) return;
  signal.throwIfAborted();
  // Nothing of that is the key's error.
  if (end.error === 'timeout') throw refuse('The ssh key could not be used: ssh-add took too long.');
  if (end.code === null) throw refuse('The ssh key could not be used: ssh-add was ended by a signal.');
  if (end.code === NO_AGENT) throw refuse('The ssh key could not be used: the ssh agent of the run is gone.');
  const params = { key_id: key.key?.id ?? null, key_name: key.key?.name ?? '' };
  throw key.passphrase === ''
    ? new PreparationError(
        'preparation',
        'The ssh key cannot be used: it is damaged, or it has a passphrase that is not stored with it.',
        { code: 'key.damaged', params },
      )
    : new PreparationError('preparation', 'The passphrase of the ssh key is wrong, or the key is damaged.', {
        code: 'key.passphrase_wrong',
        params,
      });
};

/**
 * Opens an ssh key in an agent of its own: it is read over a pipe and is in no file. The agent outlives this process and
 * must be ended, by `close` or by `endAgents`.
 * @throws PreparationError
 */
export const openSshKey = async (key: SshKey, options: KeyOptions): Promise<OpenKey> => {
  const socket = socketIn(options.folder);
  const agent = await startAgent(socket, options);
  try {
    await addKey(socket, key, options);
  } catch (error) {
    await agent.end();
    throw error;
  }
  return { socket, close: () => agent.end() };
};

/**
 * Ends what listens in a folder, or did: agents that were opened there, and the connections that Ansible keeps for later
 * tasks. Whoever started them may be gone, and so may their sockets: their command lines name the folder all the same.
 * @throws when something there cannot be ended
 */
export const endAgents = async (folder: string): Promise<void> => {
  if (!(await killProcessesNaming(`${folder}/`))) throw new Error(`what listens in ${folder} does not end`);
};
