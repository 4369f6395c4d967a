import { existsSync } from 'node:fs';
import type { EndReason, ExecutionEnvironment } from '@signalbox/contract';
import { readTail } from '../../files/read-tail.ts';
import { engineDetail } from './image.ts';

/** The exit code of podman and docker if they could not start a container. */
const ENGINE_FAILED = 125;
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

/** Why a run failed, if its container is the reason. The text may contain secrets. */
export const containerEnd = (run: EndedContainer): EndReason | undefined => {
  const { environment, engine, code, bytes, output, outOfMemory } = run;
  if (environment.kind !== 'container' || code === 0) return undefined;
  if (environment.memory_mb !== null && existsSync(outOfMemory))
    return { code: 'container.out_of_memory', params: { megabytes: environment.memory_mb } };
  if (code !== ENGINE_FAILED) return undefined;
  return {
    code: 'container.engine_failed',
    params: { engine, detail: engineDetail(readTail(output, bytes, TAIL_BYTES)) },
  };
};
