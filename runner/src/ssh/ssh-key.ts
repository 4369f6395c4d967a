import { join } from 'node:path';
import type { EndReasonDetail } from '@signalbox/contract';
import { ownDetail } from '../errors/own-detail.ts';
import { PreparationError } from '../errors/preparation-error.ts';
import { findProgram } from '../process/find-program.ts';
import { killProcessesNaming } from '../process/process-table.ts';
import { runProgram } from '../process/program.ts';
import { type SshAgent, startSshAgent } from '../process/ssh-agent.ts';
import type { ProcessUser } from '../process/user.ts';
import { withPassphraseProgram } from './askpass-program.ts';

/** Maximum length of a socket path on Linux, in bytes. */
const MAX_SOCKET_BYTES = 107;

/** Exit code of ssh-add if it cannot reach its agent. */
const NO_AGENT = 2;
const ADD_TIMEOUT_MS = 20_000;

export interface SshKey {
  private_key: string;
  passphrase: string;
  /** The saved key, which an error names. */
  key?: { id: number; name: string } | undefined;
}

export interface KeyOptions {
  /** The folder of the agent's socket. It belongs to the user of the agent and has mode 0700. */
  folder: string;
  /** The folder of the passphrase while the key is opened. It belongs to the runner. */
  privately: string;
  /** The user of the agent. The agent answers only this user and root. */
  user?: ProcessUser | undefined;
  env: Record<string, string>;
  signal: AbortSignal;
}

export interface OpenKey {
  /** The value for SSH_AUTH_SOCK. */
  socket: string;
  /** Ends the agent, and with it the key. */
  close(): Promise<void>;
}

/** The path of the agent's socket in a folder. */
export const socketIn = (folder: string): string => join(folder, 'agent');

const refuse = (code: EndReasonDetail, message: string, value?: string) =>
  new PreparationError('preparation', message, {
    code: 'key.agent_failed',
    params: ownDetail(code, message.replace(/\.$/, ''), value),
  });

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
  if (Buffer.byteLength(socket) > MAX_SOCKET_BYTES) {
    throw refuse(
      'socket_path_too_long',
      `The path of the runner's data folder is too long for an ssh-agent: ${socket} has more than ${MAX_SOCKET_BYTES} bytes.`,
      socket,
    );
  }
  const agent = await startSshAgent(program('ssh-agent', env.PATH ?? ''), socket, { env, signal, user });
  signal.throwIfAborted();
  if (agent === undefined) throw refuse('agent_not_started', 'ssh-agent could not be started on the runner.');
  return agent;
};

/**
 * A key in the form that ssh-add reads: text before and after the key, and blanks around its lines, are removed. They are often
 * added by pasting.
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
  // The key is not the cause of any of these errors.
  if (end.error === 'timeout') throw refuse('key_timeout', 'The ssh key could not be used: ssh-add took too long.');
  if (end.code === null) throw refuse('key_signal', 'The ssh key could not be used: ssh-add was ended by a signal.');
  if (end.code === NO_AGENT)
    throw refuse('agent_ended', 'The ssh key could not be used: the ssh agent of the run has ended.');
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
 * Opens an ssh key in a new agent. The key is sent over a pipe and never written to a file. The agent outlives this process and
 * must be ended with `close` or `endAgents`.
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
 * Ends the agents and the ssh masters of a folder. They are found by the folder in their command lines, because their parents
 * and sockets may no longer exist.
 * @throws if one of them cannot be ended
 */
export const endAgents = async (folder: string): Promise<void> => {
  if (!(await killProcessesNaming(`${folder}/`))) throw new Error(`what listens in ${folder} does not end`);
};
