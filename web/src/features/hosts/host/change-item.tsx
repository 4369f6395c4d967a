import type { HostChange } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { diffCounts, diffLines } from '../../../ui/tasks/diff-text.ts';
import { DiffView, LineCounts } from '../../../ui/tasks/diff-view.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import css from './changes.module.css';

const Title = ({ change }: { change: HostChange }) => (
  <span className={css.title}>
    {change.target === '' ? (
      change.step || <code>{change.action}</code>
    ) : (
      <>
        <span className="mono">{change.target}</span> <small>{change.step}</small>
      </>
    )}
  </span>
);

const Where = ({ change }: { change: HostChange }) => {
  const { t } = useTranslation();
  const { task_id: task, line } = change;
  return (
    <span className={css.where}>
      {task === null ? null : <TaskLink id={task} />} <Ago at={change.time} />{' '}
      {task === null || line === 0 ? null : (
        <DialogLink search={{ t: task, tab: 'log', line, with: undefined }} aria-label={t('summary.openLog', { line })}>
          {t('hostPage.line', { line })}
        </DialogLink>
      )}
    </span>
  );
};

/** One change of a host. A change with a difference can be opened. */
export const ChangeItem = ({ change, open = false }: { change: HostChange; open?: boolean }) => {
  const lines = change.diff.split('\n');
  // Without a file, such as for a new folder, a difference can consist of its headers only.
  const hasDiff = diffLines(lines).some(({ kind, text }) => kind !== 'header' && text !== '');
  const { added, removed } = diffCounts(lines);
  return (
    <li className={css.item}>
      <Where change={change} />
      {hasDiff ? (
        <details open={open}>
          <summary>
            <Title change={change} /> <LineCounts added={added} removed={removed} />
          </summary>
          <DiffView lines={lines} />
        </details>
      ) : (
        <Title change={change} />
      )}
    </li>
  );
};
