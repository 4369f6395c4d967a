import { withoutColours } from './plain-text.ts';

/** Where the output shows the result of one host, or of one item of its loop. */
export interface ResultLines {
  readonly host: string;
  readonly isFailure: boolean;
  readonly first: number;
  last: number;
}

/** Longest beginning of a line that is looked at, in characters. */
const BEGINNING = 1_000;
/** Results between two marks that are kept: of one task there is one, or one for each item. */
const MOST_RESULTS = 1_000;

/** How Ansible's own output begins the result of a host, which may be delegated to another one. */
const RESULT = /^(ok|changed|skipping|fatal|failed): \[([^\]]+?)(?: -> [^\]]*)?\]/;
/** How a result goes on that is printed as indented JSON or YAML. */
const CONTINUED = /^(?:\s|[}\]])/;

/** Finds the results of hosts among the lines of the output, whatever other callbacks print between them. */
export class ResultFinder {
  #found: ResultLines[] = [];
  #current: ResultLines | undefined;

  take(number: number, line: string): void {
    const text = withoutColours(line.slice(0, BEGINNING));
    const [, word, host] = RESULT.exec(text) ?? [];
    if (host !== undefined) {
      this.#current = { host, isFailure: word === 'fatal' || word === 'failed', first: number, last: number };
      if (this.#found.length < MOST_RESULTS) this.#found.push(this.#current);
    } else if (text.trim() === '') return;
    else if (this.#current && CONTINUED.test(text)) this.#current.last = number;
    else this.#current = undefined;
  }

  /** What was found since the last call. */
  flush(): readonly ResultLines[] {
    const found = this.#found;
    this.#found = [];
    this.#current = undefined;
    return found;
  }
}

/** Hosts whose lines wait for their result. */
const MOST_HOSTS = 100_000;

/** Keeps the first lines of each host's result until the result itself comes. */
export class ResultPlaces {
  readonly #failures = new Map<string, ResultLines>();
  readonly #others = new Map<string, ResultLines>();

  add(results: readonly ResultLines[]): void {
    for (const one of results) {
      const places = one.isFailure ? this.#failures : this.#others;
      // Of the items of a loop the first one counts.
      if (!places.has(one.host) && places.size < MOST_HOSTS) places.set(one.host, one);
    }
  }

  /** The lines of a host's result, which is then over. */
  take(host: string, isFailure: boolean): ResultLines | undefined {
    const found = (isFailure ? this.#failures : this.#others).get(host);
    this.#failures.delete(host);
    this.#others.delete(host);
    return found;
  }
}
