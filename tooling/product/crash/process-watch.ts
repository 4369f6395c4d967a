import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Role = 'guardian' | 'keeper' | 'ansible' | 'child' | 'git' | 'galaxy' | 'agent';

/** A living process of a run. */
export interface RunProcess {
  readonly pid: number;
  /** Field 22 of /proc/pid/stat: with the pid it names one process for ever. */
  readonly start: string;
  readonly role: Role;
  readonly taskId: number;
  readonly command: string;
}

/** A process changes its command line when it is executed, soon after it was forked: until then it is looked at again. */
const YOUNG_LOOKS = 8;
const LOOK_MS = 10;

const read = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');

/** Parent and start of a process; undefined when it is gone, or only waits for its parent to look. */
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

/** Sees the processes of one product's runs come and go, by the marker that each of them carries. */
export class ProcessWatch {
  readonly #runs: string;
  readonly #known = new Map<number, { looks: number; found: RunProcess | undefined }>();
  readonly #first = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param data the data folder of the product */
  constructor(data: string) {
    this.#runs = join(data, 'runner', 'runs');
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const pids = new Set<number>();
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      pids.add(pid);
      const known = this.#known.get(pid);
      if (known && known.looks >= YOUNG_LOOKS) continue;
      const found = this.#identify(pid);
      this.#known.set(pid, { looks: (known?.looks ?? 0) + 1, found });
      if (found) this.#note(found);
    }
    for (const pid of this.#known.keys()) if (!pids.has(pid)) this.#known.delete(pid);
  }

  #note({ taskId, role }: RunProcess): void {
    const key = `${taskId} ${role}`;
    if (!this.#first.has(key)) this.#first.set(key, performance.now());
  }

  /** When a process of this role was first seen for a task, on the clock of `performance.now`. */
  firstSeen(taskId: number, role: Role): number | undefined {
    return this.#first.get(`${taskId} ${role}`);
  }

  /** What lives now: looked at afresh, because what was seen may be gone. */
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
      const words = read(pid, 'cmdline').split('\0').slice(0, -1);
      const role = this.#roleOf(words, stat.parent);
      return role && { pid, start: stat.start, role, taskId: Number(run[1]), command: words.join(' ').slice(0, 120) };
    } catch {
      return undefined;
    }
  }

  /** The marker names also the folder of the run, in short: other products on this machine have other ones. */
  #isOurs(name: string, place: string): boolean {
    return createHash('sha256').update(join(this.#runs, name)).digest('hex').startsWith(place);
  }

  #roleOf(words: readonly string[], parent: number): Role | undefined {
    const under = this.#known.get(parent)?.found?.role;
    const names = words.slice(0, 4).map((word) => basename(word));
    // The guardian forks the keeper, which forks what it then executes.
    if (names.includes('supervisor.py'))
      return under === 'keeper' ? undefined : under === 'guardian' ? 'keeper' : 'guardian';
    if (names.includes('ansible-playbook')) return under === 'keeper' ? 'ansible' : 'child';
    if (names.includes('ansible-galaxy')) return 'galaxy';
    if (names[0]?.startsWith('git')) return 'git';
    return names[0] === 'ssh-agent' ? 'agent' : 'child';
  }
}
