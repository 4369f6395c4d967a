import { existsSync } from 'node:fs';
import type { EndReason, ExecutionEnvironment } from '@signalbox/contract';
import { readTail } from '../../files/read-tail.ts';
import { engineDetail } from './image.ts';

/** The exit codes of podman and docker for an error of their own, one of their runtime, and a program that is missing. */
const ENGINE_FAILED = [125, 126];
const PROGRAM_MISSING = 127;
const TAIL_BYTES = 4096;

interface EndedContainer {
  readonly environment: ExecutionEnvironment;
  /** The program that started the container; empty if it is not known. */
  readonly engine: string;
  readonly code: number | null;
  /** Size of the output when the program ended, in bytes. */
  readonly bytes: number;
  /** Path of the output. */
  readonly output: string;
  /** Path of the file that exists if the kernel killed a process for the memory limit. */
  readonly outOfMemory: string;
}

const isNotStarted = (code: number | null): boolean =>
  code !== null && (ENGINE_FAILED.includes(code) || code === PROGRAM_MISSING);

const outputTail = (path: string, bytes: number): string => {
  try {
    return readTail(path, bytes, TAIL_BYTES);
  } catch {
    // The run replaced its output. The exit code is still known.
    return '';
  }
};

/** Why a run failed, if its container is the reason. The text may contain secrets. */
export const containerEnd = (run: EndedContainer): EndReason | undefined => {
  const { environment, engine, code, bytes, output, outOfMemory } = run;
  if (environment.kind !== 'container' || code === 0) return undefined;
  if (environment.memory_mb !== null && existsSync(outOfMemory))
    return { code: 'container.out_of_memory', params: { megabytes: environment.memory_mb } };
  if (!isNotStarted(code)) return undefined;
  const detail = engineDetail(outputTail(output, bytes));
  return code === PROGRAM_MISSING
    ? { code: 'container.not_started', params: { image: environment.image, detail } }
    : { code: 'container.engine_failed', params: { engine, detail } };
};

/** The last line of the log of a run whose container was not started; undefined for every other run. */
export const notStartedLine = (environment: ExecutionEnvironment, code: number | null): string | undefined =>
  environment.kind === 'container' && isNotStarted(code)
    ? `The container could not be started (exit code ${code}): see the message of the engine above, and check the image and the engine of the runner.`
    : undefined;
