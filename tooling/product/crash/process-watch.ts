import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Role = 'watchdog' | 'supervisor' | 'ansible' | 'child' | 'git' | 'galaxy' | 'agent';

/** A running process of a run. */
export interface RunProcess {
  readonly pid: number;
  /** Field 22 of /proc/pid/stat: together with the pid, it identifies a process. */
  readonly start: string;
  readonly role: Role;
  readonly taskId: number;
  readonly command: string;
}

/** A new process is scanned several times, because its command line changes when it executes a program after the fork. */
const YOUNG_SCANS = 8;
const SCAN_MS = 10;

const read = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');

/** Returns parent and start of a process, or undefined if it has ended or is a zombie. */
const statOf = (pid: number): { parent: number; start: string } | undefined => {
  try {
    const stat = read(pid, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { parent: Number(fields[1]), start: fields[19] ?? '' };
  } catch {
    return undefined;
  }
};

/** Watches the processes of the runs of one product. Each process has a marker in its environment. */
export class ProcessWatch {
  readonly #runs: string;
  readonly #known = new Map<number, { scans: number; found: RunProcess | undefined }>();
  readonly #first = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param data the data folder of the product */
  constructor(data: string) {
    this.#runs = join(data, 'runner', 'runs');
  }

  start(): void {
    this.#timer = setInterval(() => this.scan(), SCAN_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  scan(): void {
    const pids = new Set<number>();
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      pids.add(pid);
      const known = this.#known.get(pid);
      if (known && known.scans >= YOUNG_SCANS) continue;
      const found = this.#identify(pid);
      this.#known.set(pid, { scans: (known?.scans ?? 0) + 1, found });
      if (found) this.#note(found);
    }
    for (const pid of this.#known.keys()) if (!pids.has(pid)) this.#known.delete(pid);
  }

  #note({ taskId, role }: RunProcess): void {
    const key = `${taskId} ${role}`;
    if (!this.#first.has(key)) this.#first.set(key, performance.now());
  }

  /** When a process of this role was first seen for a task, on the clock of `performance.now()`. */
  firstSeen(taskId: number, role: Role): number | undefined {
    return this.#first.get(`${taskId} ${role}`);
  }

  /** Returns the processes that still run; a known process may have ended since the last scan. */
  living(taskId?: number, role?: Role): RunProcess[] {
    return [...this.#known.values()]
      .flatMap(({ found }) => found ?? [])
      .filter((one) => (taskId === undefined || one.taskId === taskId) && (role === undefined || one.role === role))
      .filter(({ pid, start }) => statOf(pid)?.start === start);
  }

  #identify(pid: number): RunProcess | undefined {
    const stat = statOf(pid);
    if (!stat) return undefined;
    try {
      const marker = /(?:^|\0)SIGNALBOX_RUN=([^\0]*)/.exec(read(pid, 'environ'))?.[1];
      const run = /^(\d+)-(\d+)-([0-9a-f]+)$/.exec(marker ?? '');
      if (!run || !this.#isOurs(`${run[1]}-${run[2]}`, run[3] ?? '')) return undefined;
      const parts = read(pid, 'cmdline').split('\0').slice(0, -1);
      const role = this.#roleOf(parts, stat.parent);
      return role && { pid, start: stat.start, role, taskId: Number(run[1]), command: parts.join(' ').slice(0, 120) };
    } catch {
      return undefined;
    }
  }

  /** The marker contains a hash of the workspace, which differs from that of other products on this machine. */
  #isOurs(name: string, folderHash: string): boolean {
    return createHash('sha256').update(join(this.#runs, name)).digest('hex').startsWith(folderHash);
  }

  #roleOf(parts: readonly string[], parent: number): Role | undefined {
    const under = this.#known.get(parent)?.found?.role;
    const names = parts.slice(0, 4).map((part) => basename(part));
    // The watchdog forks the supervisor, which forks the programs that it executes.
    if (names.includes('supervisor.py'))
      return under === 'supervisor' ? undefined : under === 'watchdog' ? 'supervisor' : 'watchdog';
    if (names.includes('ansible-playbook')) return under === 'supervisor' ? 'ansible' : 'child';
    if (names.includes('ansible-galaxy')) return 'galaxy';
    if (names[0]?.startsWith('git')) return 'git';
    return names[0] === 'ssh-agent' ? 'agent' : 'child';
  }
}
