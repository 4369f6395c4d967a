import { withoutColours } from './plain-text.ts';

/** Line numbers of the result of one host, or of one item of its loop, with the difference that is printed before it. */
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
/** The first line of a difference, and a further one. Ansible prints the difference of a result before the result. */
const DIFFERENCE = /^--- /;
const OF_DIFFERENCE = /^[-+ @\\]/;

/** Finds the results of hosts among the lines of the output, whatever other callbacks print between them. */
export class ResultFinder {
  #found: ResultLines[] = [];
  #current: ResultLines | undefined;
  /** First line of the differences whose result is not read yet. */
  #difference: number | undefined;

  /** Reads one masked line of the output. */
  take(number: number, line: string): void {
    const text = withoutColours(line.slice(0, EXAMINED_LENGTH));
    const [, status, host] = RESULT.exec(text) ?? [];
    if (host !== undefined) {
      const isFailure = status === 'fatal' || status === 'failed';
      this.#current = { host, isFailure, first: this.#difference ?? number, last: number };
      this.#difference = undefined;
      if (this.#found.length < MAX_RESULTS) this.#found.push(this.#current);
    } else if (text.trim() === '') return;
    else if (DIFFERENCE.test(text) || (this.#difference !== undefined && OF_DIFFERENCE.test(text))) {
      this.#difference ??= number;
      this.#current = undefined;
    } else if (this.#current && CONTINUED.test(text)) this.#current.last = number;
    else {
      this.#current = undefined;
      this.#difference = undefined;
    }
  }

  /** Returns the results since the last call. */
  flush(): readonly ResultLines[] {
    const found = this.#found;
    this.#found = [];
    this.#current = undefined;
    this.#difference = undefined;
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
      // A loop prints a result for each item, and those of several hosts in turn: from the first item to the last one.
      const known = store.get(one.host);
      if (known) known.last = Math.max(known.last, one.last);
      else if (store.size < MAX_HOSTS) store.set(one.host, one);
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
