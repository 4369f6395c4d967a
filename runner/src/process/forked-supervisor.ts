import { connect } from 'node:net';
import { FULL_DISK_CODE, type IdleSupervisor, type SupervisorCommand } from './idle-supervisor.ts';
import { signalProcess } from './process-table.ts';

/** How long the warm process may answer no request, in milliseconds. */
const FORK_MS = 3_000;

/** How many requests a warm process has answered. */
export interface ForkProgress {
  answers: number;
}

export interface ForkRequest {
  folder: string;
  env: Record<string, string>;
}

/**
 * A supervisor that a warm process forks. If it cannot, `startCold` starts one instead, unless the supervisor was ended
 * meanwhile. The connection is open as long as the supervisor lives, whether the warm process continues or not.
 * @param socket path of the socket of the warm process
 */
export const forkSupervisor = (
  socket: string,
  request: ForkRequest,
  progress: ForkProgress,
  startCold: () => IdleSupervisor,
): IdleSupervisor => {
  const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
  const connection = connect({ path: socket, allowHalfOpen: true });
  let pid: number | undefined;
  let text = '';
  let hasEnded = false;
  let command: SupervisorCommand | undefined;
  let isReleased = false;
  let cold: IdleSupervisor | undefined;

  const finish = (isFull: boolean) => {
    hasEnded = true;
    end(isFull);
  };
  const fallBack = () => {
    if (cold || hasEnded || pid !== undefined) return;
    // A process that was forked too late ends, because its connection is closed without a command.
    clearInterval(timer);
    connection.destroy();
    if (isReleased) return finish(false);
    try {
      cold = startCold();
    } catch {
      return finish(false);
    }
    if (command) cold.start(command);
    void cold.ended.then(finish);
  };
  let answers = progress.answers;
  const timer = setInterval(() => {
    // With many runs at once, the others come first.
    if (progress.answers === answers) fallBack();
    answers = progress.answers;
  }, FORK_MS);
  connection.unref();
  connection.on('error', () => undefined);
  connection.write(`${JSON.stringify(request)}\n`);
  connection.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (pid !== undefined || !text.includes('\n')) return;
    clearInterval(timer);
    pid = Number.parseInt(text, 10);
    progress.answers += 1;
    if (command) connection.end(JSON.stringify(command));
    else if (isReleased) connection.end();
  });
  connection.on('end', () => connection.destroy());
  connection.on('close', () => {
    clearInterval(timer);
    if (pid === undefined) fallBack();
    else finish(Number(text.split('\n')[1]) === FULL_DISK_CODE);
  });
  const release = () => {
    isReleased = true;
    if (cold) cold.release();
    else if (pid === undefined) connection.destroy();
    else connection.end();
  };
  return {
    get pid() {
      return cold ? cold.pid : pid;
    },
    isRunning: () => !hasEnded && (cold?.isRunning() ?? true),
    start: (given) => {
      command = given;
      if (cold) cold.start(given);
      else if (pid !== undefined) connection.end(JSON.stringify(given));
    },
    release,
    signal: (name) => {
      if (cold) cold.signal(name);
      else if (pid === undefined) release();
      else signalProcess(pid, name);
    },
    ended,
  };
};
