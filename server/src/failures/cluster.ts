import type { FailureCluster, FailureMember, HostRecord } from '@signalbox/contract';
import type { Fingerprint } from './fingerprint.ts';
import { keyOf } from './form.ts';
import { FormValues } from './values.ts';

/** What is known about a cluster without the project: it is stored when the run ends. */
export type RunCluster = Omit<FailureCluster, 'failure_id' | 'seen' | 'remark'>;

export interface ClusterStep {
  readonly step: number;
  readonly name: string;
  readonly action: string;
  readonly path?: string | undefined;
}

/** Forms of a cluster whose values are kept; hosts of further forms are only counted. */
const MAX_FORMS = 4;
const FIRST_HOSTS = 20;
const HOST_BYTES = 100;

/** The hosts of a run on which a step failed in the same way. */
export class Cluster {
  readonly #print: Pick<Fingerprint, 'id' | 'cause' | 'title'>;
  readonly #step: ClusterStep;
  readonly #result: 'failed' | 'unreachable';
  readonly #first: FailureMember;
  #last: FailureMember;
  readonly #lines = new Map<string, number>();
  readonly #forms = new Map<string, FormValues>();

  constructor(print: Pick<Fingerprint, 'id' | 'cause' | 'title'>, step: ClusterStep, record: HostRecord) {
    this.#print = print;
    this.#step = step;
    this.#result = record.result === 'unreachable' ? 'unreachable' : 'failed';
    this.#first = { host: record.host, at: record.at, line: record.line };
    this.#last = this.#first;
  }

  /** Names of the hosts, each with the first log line of its failure. */
  get lines(): ReadonlyMap<string, number> {
    return this.#lines;
  }

  /** Approximate size in bytes. */
  get bytes(): number {
    return [...this.#forms.values()].reduce((sum, { bytes }) => sum + bytes, this.#lines.size * HOST_BYTES);
  }

  /** Adds a failure. A host counts once. */
  add({ host, at, line }: HostRecord, { form }: Pick<Fingerprint, 'form'>): void {
    if (this.#lines.has(host)) return;
    this.#lines.set(host, line);
    this.#last = { host, at, line };
    const key = keyOf(form);
    let values = this.#forms.get(key);
    if (!values) {
      if (this.#forms.size >= MAX_FORMS) return;
      values = new FormValues(form);
      this.#forms.set(key, values);
    }
    values.add(host, form.values);
  }

  get summary(): RunCluster {
    const forms = [...this.#forms.values()].sort((a, b) => b.hosts - a.hosts);
    return {
      fingerprint: this.#print.id,
      result: this.#result,
      cause: this.#print.cause,
      title: this.#print.title,
      action: this.#step.action,
      step: this.#step.name,
      step_number: this.#step.step,
      path: this.#step.path ?? '',
      hosts: this.#lines.size,
      first_hosts: [...this.#lines.keys()].slice(0, FIRST_HOSTS),
      first: this.#first,
      last: this.#last,
      messages: forms.map(({ message }) => message),
      groups: forms[0]?.groups ?? [],
    };
  }
}
