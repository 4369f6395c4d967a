import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { templateTasksQuery } from '../../api/queries.ts';
import { useNow } from '../../ui/clock.ts';
import { Lamp } from '../../ui/lamp.tsx';
import { taskDuration, usualDuration } from '../../ui/time.ts';
import { badCount, type Play, playLook, type Run } from './results/run-model.ts';
import css from './task.module.css';
import { restOfTrack } from './track-rest.ts';

const badIn = (run: Run, play: Play): number => play.steps.reduce((sum, step) => sum + badCount(run, step), 0);

/** The plays of a task as sections as long as they have steps: how far it is, and where it failed. */
export const Track = ({ run, task }: { run: Run; task: Task }) => {
  const { t } = useTranslation();
  const now = useNow();
  const { data: before = [] } = useQuery(templateTasksQuery(task.project_id, task.template_id, 20));
  if (run.plays.length === 0) return null;
  const running = task.end === null && run.recap === undefined;
  const rest = running
    ? restOfTrack(run.steps.length, taskDuration(task, now), usualDuration(before.filter(({ id }) => id < task.id)))
    : 0;
  return (
    <ol className={css.track} aria-label={t('task.plays')}>
      {run.plays.map((play) => {
        const { lamp, shape } = playLook(run, play, task.status);
        const bad = badIn(run, play);
        return (
          <li key={play.play} className={lamp} style={{ flexGrow: Math.max(1, play.steps.length) }}>
            <div className={css.rail} />
            <div className={`${css.playName} ${lamp === 'active' ? css.now : ''}`}>
              <Lamp colour={lamp} shape={shape} size={12} />
              <span className="cut">{play.name}</span>
              <small>
                {bad > 0 ? t('run.badHosts', { count: bad }) : t('run.steps', { count: play.steps.length })}
              </small>
            </div>
          </li>
        );
      })}
      {rest > 0 ? (
        <li className="wait" style={{ flexGrow: rest }} aria-hidden="true">
          <div className={css.ahead} />
        </li>
      ) : null}
    </ol>
  );
};
