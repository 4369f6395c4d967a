import type { HostFacts } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import table from '../../../ui/lists/table.module.css';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { exactTime } from '../../../ui/time/time.ts';
import { Ago } from '../../../ui/time/times.tsx';
import css from './changes.module.css';
import type { FactRow } from './fact-rows.ts';

interface FactTableProps {
  rows: readonly FactRow[];
  now: HostFacts;
  before: HostFacts | undefined;
}

/** Facts now, and before if there is an earlier version, with the task that gathered them. */
export const FactTable = ({ rows, now, before }: FactTableProps) => {
  const { t } = useTranslation();
  return (
    <>
      <table className={`${table.table} ${css.facts}`}>
        <thead>
          <tr>
            <th scope="col">{t('hostPage.fact')}</th>
            {before === undefined ? null : <th scope="col">{exactTime(before.time)}</th>}
            <th scope="col">{t('hostPage.factNow')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, before: earlier, now: current, differs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {before === undefined ? null : <td>{earlier}</td>}
              <td className={differs ? css.now : undefined}>{current}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.collected}>
        {t('hostPage.collected')} <Ago at={now.time} /> {now.task_id === null ? null : <TaskLink id={now.task_id} />}
        {t('separator.stop')} {t('hostPage.masked')}
      </p>
    </>
  );
};
