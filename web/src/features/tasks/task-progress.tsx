import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { templateTasksQuery } from '../../api/queries.ts';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { taskDuration, usualDuration } from '../../ui/time/time.ts';
import { remainingSteps } from './remaining-steps.ts';
import { badOutcomes, type Play, playStyle, type Run } from './results/run-model.ts';
import css from './task-progress.module.css';

/** Numbers of the failed and of the unreachable hosts of a play. */
const badResults = (run: Run, play: Play): { failed: number; unreachable: number } => {
  const counts = play.steps.map((step) => {
    if (step.counts) return step.counts;
    const bad = badOutcomes(run, step);
    const failed = bad.filter(({ result }) => result === 'failed').length;
    return { failed, unreachable: bad.length - failed };
  });
  return {
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    unreachable: counts.reduce((sum, { unreachable }) => sum + unreachable, 0),
  };
};

/** The failed and the unreachable hosts of a play, or how many steps it has. */
const countText = (t: TFunction, run: Run, play: Play): string => {
  const { failed, unreachable } = badResults(run, play);
  const parts = [
    ...(failed > 0 ? [t('run.badHosts', { count: failed })] : []),
    ...(unreachable > 0 ? [t('result.unreachable', { count: unreachable })] : []),
  ];
  return parts.length > 0 ? parts.join(t('separator.comma')) : t('run.steps', { count: play.steps.length });
};

/** How long a running task takes in all, as it is expected; undefined if that is unknown. */
const expectedDuration = ({ start, expected_end: end }: Task): number | undefined =>
  start === null || !end ? undefined : Date.parse(end) - Date.parse(start);

/** Progress bar of a task: one section for each play, as long as its number of steps. Failed plays are red. */
export const TaskProgress = ({ run, task }: { run: Run; task: Task }) => {
  const { t } = useTranslation();
  const now = useNow();
  const { data: before = [] } = useQuery(templateTasksQuery(task.project_id, task.template_id, 20));
  if (run.plays.length === 0) return null;
  // A stopped or aborted run shows the part that it did not reach.
  const isCut = task.status !== 'success' && run.recap === undefined;
  const rest = task.end === null ? run.recap === undefined : isCut || task.status === 'stopped';
  const duration = expectedDuration(task) ?? usualDuration(before.filter(({ id }) => id < task.id));
  const ahead = rest ? remainingSteps(run.steps.length, taskDuration(task, now), duration) : 0;
  return (
    <ol className={css.progress} aria-label={t('task.plays')}>
      {run.plays.map((play) => {
        const { colour, shape } = playStyle(run, play, task.status);
        // A play that continues after a failure shows both.
        const isFailing = colour === 'error' && task.end === null && play.end === undefined && run.recap === undefined;
        const done = isFailing ? play.steps.length - 1 : play.steps.length;
        return (
          <li key={play.play} className={colour} style={{ flexGrow: Math.max(1, play.steps.length) }}>
            <div className={css.rails}>
              {done > 0 || !isFailing ? <div className={css.rail} style={{ flexGrow: Math.max(1, done) }} /> : null}
              {isFailing ? <div className={`${css.rail} active`} style={{ flexGrow: 1 }} data-running /> : null}
            </div>
            <div className={`${css.playName} ${colour === 'active' || isFailing ? css.now : ''}`}>
              <StatusIcon colour={colour} shape={shape} size={12} />
              <span className="cut">{play.name}</span>
              <small>{countText(t, run, play)}</small>
            </div>
          </li>
        );
      })}
      {ahead > 0 ? (
        <li className="wait" style={{ flexGrow: ahead }} aria-hidden="true">
          <div className={css.ahead} />
        </li>
      ) : null}
    </ol>
  );
};
