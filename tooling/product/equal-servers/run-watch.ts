import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A task whose playbook was seen running on a runner. */
export interface SeenRun {
  readonly task: number;
  readonly runner: number;
}

const SCAN_MS = 40;
/** A new process is scanned several times, because its command line changes when it executes a program after the fork. */
const YOUNG_SCANS = 6;

interface Known {
  scans: number;
  run: SeenRun | undefined;
}

const read = (pid: string, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');

const isPlaybook = (pid: string): boolean => {
  try {
    return read(pid, 'cmdline')
      .split('\0', 4)
      .some((part) => part.endsWith('/ansible-playbook'));
  } catch {
    return false;
  }
};

/**
 * Watches from outside which playbooks run, by the processes of the machine. It calls `onScan` with the runs of each
 * scan.
 */
export class RunWatch {
  readonly #folders: readonly string[];
  readonly #known = new Map<string, Known>();
  readonly #onScan: (runs: readonly SeenRun[]) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param folders the data folders of the runners */
  constructor(folders: readonly string[], onScan: (runs: readonly SeenRun[]) => void) {
    this.#folders = folders;
    this.#onScan = onScan;
  }

  start(): void {
    this.#timer = setInterval(() => this.#scan(), SCAN_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #scan(): void {
    const pids = new Set(readdirSync('/proc').filter((name) => /^\d+$/.test(name)));
    for (const pid of this.#known.keys()) if (!pids.has(pid)) this.#known.delete(pid);
    for (const pid of pids) {
      const known = this.#known.get(pid) ?? { scans: 0, run: undefined };
      // The process may have ended, or its id may belong to another one by now.
      if (known.run && !isPlaybook(pid)) known.run = undefined;
      if (known.run || known.scans >= YOUNG_SCANS) continue;
      this.#known.set(pid, { scans: known.scans + 1, run: this.#identify(pid) });
    }
    const runs = new Map<number, SeenRun>();
    for (const { run } of this.#known.values()) if (run) runs.set(run.task, run);
    this.#onScan([...runs.values()]);
  }

  /** The run of a process of ansible-playbook. Each process of a run has a marker with a hash of its workspace. */
  #identify(pid: string): SeenRun | undefined {
    if (!isPlaybook(pid)) return undefined;
    try {
      const marker = /(?:^|\0)SIGNALBOX_RUN=(\d+)-(\d+)-([0-9a-f]+)/.exec(read(pid, 'environ'));
      if (!marker) return undefined;
      const [, task, epoch, hash = ''] = marker;
      const runner = this.#folders.findIndex((folder) =>
        createHash('sha256')
          .update(join(folder, 'runs', `${task}-${epoch}`))
          .digest('hex')
          .startsWith(hash),
      );
      return runner < 0 ? undefined : { task: Number(task), runner };
    } catch {
      // It has ended.
      return undefined;
    }
  }
}
