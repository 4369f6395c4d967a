import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../process/clock.ts';
import type { WarmStart } from '../process/warm-child.ts';
import { WarmProcess } from '../process/warm-process.ts';

/** A script that executes its second argument, in place of an installed program. */
const SCRIPT = `#!/usr/bin/python3
import sys
import json
exec(compile(sys.argv[2], "<string>", "exec"))
`;

/** How the supervisor and its program are started. */
export const START_MODES = [
  { title: 'A supervisor that is started', isForked: false, isInside: false },
  { title: 'A supervisor that is forked', isForked: true, isInside: false },
  { title: 'A supervisor and a program that are forked', isForked: true, isInside: true },
];
export type StartMode = (typeof START_MODES)[number];

export interface TestedWarmProcess {
  process: WarmProcess;
  program: WarmStart;
  folder: string;
  /** What was logged. */
  log: string[];
  close(): void;
}

/** Starts a warm process with a script. It is ready when this resolves. @throws Error if it does not get ready */
export const startWarmProcess = async (change: Partial<WarmStart> = {}, clock?: Clock): Promise<TestedWarmProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-warm-'));
  // Run users read the program.
  chmodSync(folder, 0o755);
  const path = join(folder, 'program');
  writeFileSync(path, SCRIPT, { mode: 0o755 });
  const program = { path, interpreter: '/usr/bin/python3', module: 'json', configuration: [], parsed: [], ...change };
  const log: string[] = [];
  const warm = new WarmProcess({
    folder: join(folder, 'warm'),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    python: () => 'python3',
    program: () => program,
    log: (text) => log.push(text),
    ...(clock ? { clock } : {}),
  });
  if (!(await warm.start())) throw new Error(`The warm process did not start. ${log.join('\n')}`);
  const close = () => {
    warm.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { process: warm, program, folder, log, close };
};
