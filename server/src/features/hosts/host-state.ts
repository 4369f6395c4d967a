import type { Selectable } from 'kysely';
import type { HostStateTable } from '../../database/host.schema.ts';
import { outcomeOf, type PastRun } from './host-template.ts';

/** The columns of a row that runs determine. */
export type TemplateState = Omit<
  Selectable<HostStateTable>,
  'host_id' | 'template_id' | 'groups_ended' | 'facts_ended'
>;

const MOMENTS = ['last_success', 'last_change', 'last_failure'] as const;

const NO_MOMENTS = {
  ...{ last_success: null, last_success_task: null },
  ...{ last_change: null, last_change_task: null },
  ...{ last_failure: null, last_failure_task: null },
};

/** Adds a run of a template to its state on a host. Runs come in any order; adding the same run again changes nothing. */
export const withRunOfTemplate = (before: TemplateState | undefined, run: PastRun): TemplateState => {
  const [task, ended, [, changed, failures, , , , unreachable], early] = run;
  const failed = failures > 0 || unreachable > 0;
  const happened = { last_success: !failed && early === 0, last_change: changed > 0, last_failure: failed };
  const isLater = (time: number, of: number) => ended > time || (ended === time && task >= of);
  const last = { task_id: task, ended, outcome: outcomeOf(run) };
  const next = before
    ? { ...before, ...(isLater(before.ended, before.task_id) ? last : {}) }
    : { ...NO_MOMENTS, ...last };
  for (const moment of MOMENTS) {
    const [time, of] = [next[moment], next[`${moment}_task`]];
    if (!happened[moment] || (time !== null && !isLater(time, of ?? 0))) continue;
    next[moment] = ended;
    next[`${moment}_task`] = task;
  }
  return next;
};
