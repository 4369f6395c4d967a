import { spawn } from 'node:child_process';
import type { ProcessUser } from './user.ts';

/** How long an agent may take to listen, in milliseconds. */
const START_MS = 10_000;

/** A listening agent. It outlives this process, as the playbook that uses it does. */
export interface SshAgent {
  /** Ends the agent at once, and with it its keys. Resolves when it has ended. */
  end(): Promise<void>;
}

/**
 * Starts ssh-agent in its own session, listening on `socket`. Its command line contains the socket: an agent whose
 * parent was killed is found by that, because the kernel hides the environment of this program from its own user.
 * @returns undefined if it could not be started
 */
export const startSshAgent = (
  file: string,
  socket: string,
  options: { env: Record<string, string>; signal: AbortSignal; user?: ProcessUser | undefined },
): Promise<SshAgent | undefined> =>
  new Promise((resolve) => {
    const child = spawn(file, ['-D', '-a', socket], {
      cwd: '/',
      env: options.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
    });
    const gone = new Promise<void>((done) => {
      child.once('exit', () => done());
      child.once('error', () => done());
    });
    if (child.pid === undefined) {
      // There may also be no file descriptor for its pipe.
      void gone.then(() => resolve(undefined));
      return;
    }
    const end = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    const settle = (isReady: boolean) => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', refuse);
      child.stdout.destroy();
      child.unref();
      resolve(isReady ? { end } : undefined);
    };
    const refuse = () => {
      child.kill('SIGKILL');
      settle(false);
    };
    const timer = setTimeout(refuse, START_MS);
    options.signal.addEventListener('abort', refuse, { once: true });
    if (options.signal.aborted) refuse();
    // It prints its socket as soon as it listens.
    child.stdout.once('data', () => settle(true));
    void gone.then(() => settle(false));
  });
