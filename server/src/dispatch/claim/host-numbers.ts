/** A list of hosts of a project, named by the digest of its hosts. */
interface NamedList {
  readonly task_id: number;
  readonly project_id: number;
  readonly digest: string;
}

/** Maximum number of different hosts, and of entries of all lists, that are kept in memory. */
const MAX_HOSTS = 500_000;
const MAX_ENTRIES = 10_000_000;

const keyOf = ({ project_id, digest }: NamedList): string => `${project_id} ${digest}`;

/** Numbers hosts, so that comparing lists of thousands of hosts takes microseconds. Lists are read once. */
export class HostNumbers {
  readonly #names: string[] = [];
  /** The numbers of the hosts of each project. */
  readonly #numbers = new Map<number, Map<string, number>>();
  readonly #lists = new Map<string, Int32Array>();
  #entries = 0;

  /** Numbers that exist. */
  get size(): number {
    return this.#names.length;
  }

  /** Whether the caller must use a new instance. Numbers are never reused within one. */
  get isFull(): boolean {
    return this.size > MAX_HOSTS || this.#entries > MAX_ENTRIES;
  }

  nameOf(number: number): string {
    return this.#names[number] ?? '';
  }

  /** @throws Error for a list that was not added */
  listOf(task: NamedList): Int32Array {
    const list = this.#lists.get(keyOf(task));
    if (!list) throw new Error(`The hosts of task ${task.task_id} were not read.`);
    return list;
  }

  #numbersOf(projectId: number, hosts: readonly string[]): Int32Array {
    const known = this.#numbers.get(projectId) ?? new Map<string, number>();
    this.#numbers.set(projectId, known);
    return Int32Array.from(hosts, (host) => {
      const before = known.get(host);
      if (before !== undefined) return before;
      const number = this.#names.push(host) - 1;
      known.set(host, number);
      return number;
    });
  }

  /**
   * Reads the lists of tasks that are not known. A task can end before its hosts are read: then the same list is read from
   * the next task that has it, and nothing is stored if there is none.
   * @param read reads the hosts of tasks
   * @returns the tasks that ended, whose lists are not known
   */
  async add(
    tasks: readonly NamedList[],
    read: (ids: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>,
  ): Promise<ReadonlySet<number>> {
    const unknown = Map.groupBy(
      tasks.filter((task) => !this.#lists.has(keyOf(task))),
      keyOf,
    );
    while (unknown.size > 0) {
      const next = [...unknown].flatMap(([key, sources]) => {
        const source = sources.shift();
        if (!source) unknown.delete(key);
        return source ? [source] : [];
      });
      if (next.length === 0) break;
      const found = await read(next.map(({ task_id }) => task_id));
      for (const task of next) {
        const hosts = found.get(task.task_id);
        if (!hosts) continue;
        const list = this.#numbersOf(task.project_id, hosts);
        this.#lists.set(keyOf(task), list);
        this.#entries += list.length;
        unknown.delete(keyOf(task));
      }
    }
    return new Set(tasks.filter((task) => !this.#lists.has(keyOf(task))).map(({ task_id }) => task_id));
  }
}
