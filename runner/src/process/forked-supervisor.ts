import { connect } from 'node:net';
import type { Clock } from './clock.ts';
import { FULL_DISK_CODE, type IdleSupervisor, type SupervisorCommand } from './idle-supervisor.ts';
import { signalProcess } from './process-table.ts';

/** How long the warm process may answer no request, in milliseconds. */
const SILENCE_MS = 3_000;

/** How many requests a warm process has answered. */
export interface ForkProgress {
  answers: number;
}

interface ForkSetup {
  /** Path of the socket of the warm process. */
  socket: string;
  request: { folder: string; env: Record<string, string> };
  /** The same object for all requests to a warm process. */
  progress: ForkProgress;
  clock: Clock;
  /** Starts a supervisor without the warm process. */
  startCold(): IdleSupervisor;
  /** Called if the warm process has answered no request for this time, in seconds. */
  onSilence(seconds: number): void;
}

/**
 * A supervisor that a warm process forks. If the warm process forks none, `startCold` starts one, unless this supervisor was
 * released before. The end of the warm process does not close the connection of a supervisor that it has forked.
 */
export const forkSupervisor = (setup: ForkSetup): IdleSupervisor => {
  const { progress, clock, startCold } = setup;
  const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
  const connection = connect({ path: setup.socket, allowHalfOpen: true });
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
    cancelWait();
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
  const awaitAnswer = (): (() => void) => {
    const { answers } = progress;
    return clock.after(SILENCE_MS, () => {
      // While the warm process answers the requests of other runs, it is only busy.
      if (progress.answers > answers) {
        cancelWait = awaitAnswer();
        return;
      }
      fallBack();
      setup.onSilence(SILENCE_MS / 1000);
    });
  };
  let cancelWait = awaitAnswer();
  connection.unref();
  connection.on('error', () => undefined);
  connection.write(`${JSON.stringify(setup.request)}\n`);
  connection.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (pid !== undefined || !text.includes('\n')) return;
    cancelWait();
    pid = Number.parseInt(text, 10);
    progress.answers += 1;
    if (command) connection.end(JSON.stringify(command));
    else if (isReleased) connection.end();
  });
  connection.on('end', () => connection.destroy());
  connection.on('close', () => {
    cancelWait();
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
