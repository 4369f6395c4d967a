import { withoutColours } from './plain-text.ts';

/** Line numbers of the result of one host, or of one item of its loop. */
export interface ResultLines {
  readonly host: string;
  readonly isFailure: boolean;
  readonly first: number;
  last: number;
}

/** Number of characters at the beginning of a line that are examined. */
const EXAMINED_LENGTH = 1_000;
/** Maximum number of results that are kept between two markers: one for each item of a loop. */
const MAX_RESULTS = 1_000;

/** The beginning of a result in Ansible's own output, with the host, also when the task is delegated to another host. */
const RESULT = /^(ok|changed|skipping|fatal|failed): \[([^\]]+?)(?: -> [^\]]*)?\]/;
/** A further line of a result that is printed as indented JSON or YAML. */
const CONTINUED = /^(?:\s|[}\]])/;

/** Finds the results of hosts among the lines of the output, whatever other callbacks print between them. */
export class ResultFinder {
  #found: ResultLines[] = [];
  #current: ResultLines | undefined;

  /** Reads one masked line of the output. */
  take(number: number, line: string): void {
    const text = withoutColours(line.slice(0, EXAMINED_LENGTH));
    const [, status, host] = RESULT.exec(text) ?? [];
    if (host !== undefined) {
      this.#current = { host, isFailure: status === 'fatal' || status === 'failed', first: number, last: number };
      if (this.#found.length < MAX_RESULTS) this.#found.push(this.#current);
    } else if (text.trim() === '') return;
    else if (this.#current && CONTINUED.test(text)) this.#current.last = number;
    else this.#current = undefined;
  }

  /** Returns the results since the last call. */
  flush(): readonly ResultLines[] {
    const found = this.#found;
    this.#found = [];
    this.#current = undefined;
    return found;
  }
}

/** Maximum number of hosts whose lines are kept until their result arrives. */
const MAX_HOSTS = 100_000;

/** Keeps the line numbers of each host's result until the event with the result itself arrives. */
export class ResultLineStore {
  readonly #failures = new Map<string, ResultLines>();
  readonly #others = new Map<string, ResultLines>();

  add(results: readonly ResultLines[]): void {
    for (const one of results) {
      const store = one.isFailure ? this.#failures : this.#others;
      // A loop prints a result for each item: the lines of the first item are kept.
      if (!store.has(one.host) && store.size < MAX_HOSTS) store.set(one.host, one);
    }
  }

  /** Returns the lines of a host's result and removes them. */
  take(host: string, isFailure: boolean): ResultLines | undefined {
    const found = (isFailure ? this.#failures : this.#others).get(host);
    this.#failures.delete(host);
    this.#others.delete(host);
    return found;
  }
}
