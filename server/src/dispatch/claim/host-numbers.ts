import { type HostNames, isEncryptedHost } from '../../secrets/host-names.ts';

/** A list of hosts of a project, named by the digest of its hosts. */
interface NamedList {
  readonly task_id: number;
  readonly project_id: number;
  readonly digest: string;
}

/** The names that tasks are compared by. */
export type ComparedNames = Pick<HostNames, 'compared'>;

interface List {
  readonly numbers: Int32Array;
  /** Those of the numbers whose names contain a secret of the task. */
  readonly hidden: ReadonlySet<number>;
}

/** Maximum number of different hosts, and of entries of all lists, that are kept in memory. */
const MAX_HOSTS = 500_000;
const MAX_ENTRIES = 10_000_000;

const keyOf = ({ project_id, digest }: NamedList): string => `${project_id} ${digest}`;

/** Numbers hosts, so that comparing lists of thousands of hosts takes microseconds. Lists are read once. */
export class HostNumbers {
  readonly #names: string[] = [];
  /** The numbers of the hosts of each project, by stored text and by name. */
  readonly #numbers = new Map<number, Map<string, number>>();
  readonly #lists = new Map<string, List>();
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
    return this.#listOf(task).numbers;
  }

  /** Whether the name of a host contains a secret of a task. */
  isHidden(task: NamedList, number: number): boolean {
    return this.#listOf(task).hidden.has(number);
  }

  #listOf(task: NamedList): List {
    const list = this.#lists.get(keyOf(task));
    if (!list) throw new Error(`The hosts of task ${task.task_id} were not read.`);
    return list;
  }

  #number(projectId: number, hosts: readonly string[], names: ComparedNames): List {
    const known = this.#numbers.get(projectId) ?? new Map<string, number>();
    this.#numbers.set(projectId, known);
    const hidden = new Set<number>();
    const numbers = Int32Array.from(hosts, (host) => {
      const isHidden = isEncryptedHost(host);
      let number = known.get(host);
      if (number === undefined) {
        const name = isHidden ? names.compared(projectId, host) : host;
        // A name that seems to be encrypted is always stored encrypted, so it is known by its stored text only.
        const isPlain = !isEncryptedHost(name);
        number = (isPlain ? known.get(name) : undefined) ?? this.#names.push(name) - 1;
        known.set(host, number);
        if (isPlain) known.set(name, number);
      }
      if (isHidden) hidden.add(number);
      return number;
    });
    return { numbers, hidden };
  }

  /**
   * Reads the lists of tasks that are not known. A task can end before its hosts are read: then the same list is read from
   * the next task that has it, and nothing is stored if there is none.
   * @param names decrypts names
   * @param read reads the hosts of tasks
   * @returns the tasks that ended, whose lists are not known
   */
  async add(
    tasks: readonly NamedList[],
    names: ComparedNames,
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
        this.#lists.set(keyOf(task), this.#number(task.project_id, hosts, names));
        this.#entries += hosts.length;
        unknown.delete(keyOf(task));
      }
    }
    return new Set(tasks.filter((task) => !this.#lists.has(keyOf(task))).map(({ task_id }) => task_id));
  }
}
