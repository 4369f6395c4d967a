import type { RunHost, RunSteps } from '@signalbox/contract';

/** A run as its results show it. */
export interface RunResults {
  readonly status: string;
  /** Tags and skipped tags of its launch. */
  readonly tags: string;
  readonly steps: RunSteps['steps'];
  /** The hosts by name, with their results in all steps. */
  readonly hosts: ReadonlyMap<string, Pick<RunHost, 'cells' | 'failures' | 'unreachable'>>;
}

/** Reads the results of runs. */
export interface ResultsDeps {
  readonly runSteps: (taskId: number, first: number, limit: number) => Promise<Pick<RunSteps, 'steps'>>;
  /** Hosts by name, with their results in the first steps. */
  readonly runHosts: (taskId: number, first: number, limit: number, steps: number) => Promise<{ hosts: RunHost[] }>;
}

/** Steps or hosts per page. */
const PAGE = 1000;

export const readResults = async (
  { runSteps, runHosts }: ResultsDeps,
  { id, status, tags, skip_tags }: { readonly id: number; status: string; tags: string; skip_tags: string },
): Promise<RunResults> => {
  const steps: RunSteps['steps'] = [];
  for (let last = PAGE; last === PAGE; ) {
    const page = await runSteps(id, steps.length + 1, PAGE);
    steps.push(...page.steps);
    last = page.steps.length;
  }
  const hosts = new Map<string, RunHost>();
  for (let first = 1, last = PAGE; last === PAGE; first += PAGE) {
    const page = await runHosts(id, first, PAGE, steps.length);
    for (const host of page.hosts) hosts.set(host.host, host);
    last = page.hosts.length;
  }
  return { status, tags: JSON.stringify([tags, skip_tags]), steps, hosts };
};

/** Where a failure occurred. */
export interface FailedStep {
  readonly result: 'failed' | 'unreachable';
  readonly action: string;
  readonly step: string;
}

/** Any result among the letters of a host, and one of a host that was not reached. */
const ANY = /[^.]/;
const UNREACHABLE = /u/;

/**
 * Returns whether a run shows that a host no longer has a failure: it passed the step, or failed it in another way. An
 * unreachable host is reached. If the run does not have the step, it shows this only if it was successful with the same tags.
 * @param tags the tags of the last run with the failure; undefined if that was deleted
 */
export const passesIn = (
  run: RunResults,
  failed: FailedStep,
  tags: string | undefined,
): ((host: string) => boolean) => {
  const own = run.steps.flatMap(({ name, action }, at) =>
    name === failed.step && action === failed.action ? [at] : [],
  );
  const isWhole = run.status === 'success' && (tags ?? JSON.stringify(['', ''])) === run.tags;
  return (name) => {
    const host = run.hosts.get(name);
    if (!host || !ANY.test(host.cells)) return false;
    if (failed.result === 'unreachable') return host.unreachable === 0;
    if (own.length === 0) return isWhole && host.unreachable === 0 && host.failures === 0;
    const cells = own.map((at) => host.cells[at] ?? '.').join('');
    return ANY.test(cells) && !UNREACHABLE.test(cells);
  };
};
