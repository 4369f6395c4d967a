import type { RunSteps, RunSummary, StepSummary } from '@signalbox/contract';
import { call } from '../../../api/call.ts';
import type { Play, Run, Step } from './run-model.ts';

/** Maximum number of steps that are kept in memory; later steps are in the log. */
const MAX_STEPS = 5000;
const PAGE = 1000;
/** Number of the newest steps that may still get results and are fetched again. */
const OPEN_STEPS = 20;

/** A run without results: its plays and steps with their counts. */
const buildLongRun = (summary: RunSummary, summaries: readonly StepSummary[]): Run => {
  const plays: Play[] = summary.plays.map((play) => ({ ...play, end: play.end ?? undefined, steps: [] }));
  const byNumber = new Map(plays.map((play) => [play.play, play]));
  const steps: Step[] = [];
  for (const one of summaries) {
    const step: Step = { ...one, end: one.end ?? undefined, hosts: [] };
    steps.push(step);
    (byNumber.get(step.play) ?? plays.at(-1))?.steps.push(step);
  }
  const { recap_line: line, recap_at: at } = summary;
  const recap = line === null || at === null ? undefined : { line, at, hosts: {} };
  return { plays, steps, hosts: [], recap, long: summary };
};

export interface LongFetch {
  summary(): Promise<RunSummary>;
  steps(range: { from: number; limit: number }): Promise<RunSteps>;
}

export const longFetchOf = (project_id: number, task_id: number): LongFetch => ({
  summary: () => call('getTaskSummary', { params: { project_id, task_id } }),
  steps: (query) => call('listTaskSteps', { params: { project_id, task_id }, query }),
});

/** Follows a run that is too long to be loaded: fetches its counts and the steps that may have changed. */
export class LongRun {
  readonly #fetch: LongFetch;
  #steps: StepSummary[] = [];
  #isComplete = false;

  constructor(fetch: LongFetch) {
    this.#fetch = fetch;
  }

  async poll(): Promise<Run> {
    const summary = await this.#fetch.summary();
    // At the end all steps are fetched again, because results of early steps may arrive late.
    const isNewEnd = summary.complete && !this.#isComplete;
    const known = isNewEnd ? 0 : Math.max(0, this.#steps.length - OPEN_STEPS);
    const steps = this.#steps.slice(0, known);
    for (let total = Number.POSITIVE_INFINITY; steps.length < Math.min(total, MAX_STEPS); ) {
      const page = await this.#fetch.steps({ from: steps.length + 1, limit: PAGE });
      if (page.steps.length === 0) break;
      steps.push(...page.steps);
      total = page.total;
    }
    this.#steps = steps;
    this.#isComplete = summary.complete;
    return buildLongRun(summary, steps);
  }
}
