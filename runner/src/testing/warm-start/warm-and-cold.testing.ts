import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IdleSupervisor, SupervisorCommand } from '../../process/idle-supervisor.ts';
import { startSupervisor } from '../../process/supervisor.ts';
import type { TestedWarmProcess } from '../warm-process.testing.ts';

export const PATH = '/usr/local/bin:/usr/bin:/bin';

/** A run of `ansible-playbook` in a folder. */
export interface ComparedRun {
  /** Content of files by their path. */
  files: Record<string, string>;
  env?: Record<string, string>;
  args: readonly string[];
  user?: SupervisorCommand['user'];
  /** A signal to send once this file exists in the working folder. */
  at?: { file: string; signal: NodeJS.Signals };
  /** The order of lines depends on the order of sets, which differs between processes, or on parallel processes. */
  isUnordered?: boolean;
}

interface RunResult {
  output: string;
  exit: unknown;
}

/** Removes what differs between two runs of one kind: process ids, times, addresses and random names. */
const withoutVariance = (output: string): string =>
  output
    .replace(/^random .*$/gm, '')
    .replace(/\b0x[0-9a-f]+/g, 'ADDRESS')
    .replace(/ansible-local-\w+(\/tmp\w+)?/g, 'ansible-local')
    .replace(/ansible-tmp-[\w.-]+/g, 'ansible-tmp')
    .replace(/AnsiballZ_\w+|ansible_\w+_payload_\w+/g, 'payload')
    .replace(/#\d+ \(deleted\)/g, 'deleted')
    .replace(/pipe:\[\d+\]/g, 'pipe')
    .replace(/^( *\d+ )\d+\.\d+: /gm, 'DEBUG ')
    .replace(/\d+:\d\d:\d\d(\.\d+)?/g, 'TIME')
    .replace(/\d+\.\d{3,}/g, 'NUMBER')
    .replace(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replace(/\b(pid|PID)\W+\d+/g, 'PID');

/** Waits until a file exists. */
const exists = async (file: string): Promise<void> => {
  while (!existsSync(file)) await delay(20);
};

const execute = async (
  supervisor: IdleSupervisor,
  folder: string,
  command: SupervisorCommand,
  at: ComparedRun['at'],
) => {
  supervisor.start(command);
  if (at) {
    await exists(join(command.cwd, at.file));
    supervisor.signal(at.signal);
  }
  await supervisor.ended;
  const output = readFileSync(join(folder, 'output.log'), 'utf8');
  const {
    seconds: _,
    bytes: __,
    ...exit
  } = JSON.parse(readFileSync(join(folder, 'exit'), 'utf8')) as Record<string, unknown>;
  return { output, exit };
};

/** Executes a run with a new process and with the warm process. Both have the same paths. */
export const runWarmAndCold = async (warm: TestedWarmProcess, root: string, run: ComparedRun) => {
  const once = async (isWarm: boolean): Promise<RunResult> => {
    for (const name of ['run', 'checkout', 'temporary']) {
      rmSync(join(root, name), { recursive: true, force: true });
      mkdirSync(join(root, name), { recursive: true });
    }
    chmodSync(join(root, 'temporary'), 0o777);
    for (const [name, content] of Object.entries(run.files)) {
      const path = join(root, 'checkout', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { mode: 0o644 });
    }
    const folder = join(root, 'run');
    const marker = 'warm-start-test';
    const supervisor = isWarm
      ? warm.process.supervisor(folder, marker)
      : startSupervisor(folder, marker, '/usr/bin/python3', PATH);
    const command: SupervisorCommand = {
      argv: [warm.program.path, ...run.args],
      cwd: join(root, 'checkout'),
      env: {
        PATH,
        HOME: join(root, 'temporary'),
        LANG: 'C.UTF-8',
        ANSIBLE_LOCAL_TEMP: join(root, 'temporary'),
        ANSIBLE_FORCE_COLOR: '1',
        PYTHONUNBUFFERED: '1',
        ...run.env,
        SIGNALBOX_RUN: marker,
      },
      user: run.user ?? null,
      output_cap: 50_000_000,
      time_limit: 0,
    };
    return execute(supervisor, folder, command, run.at);
  };
  const compared = (output: string) => {
    const lines = withoutVariance(output).split('\n');
    return (run.isUnordered ? lines.toSorted() : lines).join('\n');
  };
  const cold = await once(false);
  const started = await once(true);
  return {
    cold: { ...cold, output: compared(cold.output) },
    warm: { ...started, output: compared(started.output) },
    outputs: [cold.output, started.output] as const,
  };
};
