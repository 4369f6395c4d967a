import type { LogPart, Task } from '@signalbox/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { logComparisonQuery } from '../../../api/comparison-queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import css from './compared-log.module.css';
import { type Compared, ComparedLogPart } from './compared-log-part.tsx';
import { foldParts } from './folded-parts.ts';
import { earlierOf, laterOf } from './task-order.ts';

const keyOf = ({ earlier_line, later_line, name }: LogPart): string =>
  `${earlier_line ?? '-'} ${later_line ?? '-'} ${name}`;

interface FoldedProps {
  parts: readonly LogPart[];
  /** Id of the task without these steps. */
  missing: number;
  tasks: Compared;
}

/** Steps in a row that one log does not have, as one line that opens: all of their lines differ. */
const FoldedParts = ({ parts, missing, tasks }: FoldedProps) => {
  const { t } = useTranslation();
  return (
    <details className={css.folded}>
      <summary>{t('compare.notInRun', { count: parts.length, number: numberText(parts.length), id: missing })}</summary>
      {parts.map((part) => (
        <ComparedLogPart key={keyOf(part)} part={part} tasks={tasks} />
      ))}
    </details>
  );
};

/** The lines in which the logs of two tasks differ, by step. */
export const ComparedLog = ({ task, other }: { task: Task; other: Task }) => {
  const { t } = useTranslation();
  const query = useInfiniteQuery(logComparisonQuery(task.project_id, task.id, other.id));
  const pages = query.data?.pages ?? [];
  const last = pages.at(-1);
  const parts = pages.flatMap((page) => page.parts);
  const tasks = { earlier: earlierOf(task, other).id, later: laterOf(task, other).id };
  return (
    <section className={css.log} aria-label={t('task.tabLog')}>
      <h2>{t('task.tabLog')}</h2>
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      {query.isPending ? <p className="muted">{t('compareLog.reading')}</p> : null}
      {last?.removed.map((id) => (
        <p key={id} className="muted">
          {t('compareLog.removed', { id })}
        </p>
      ))}
      {last && last.removed.length === 0 ? (
        <>
          <p className="muted">{t('compareLog.help')}</p>
          {foldParts(parts).map((row) =>
            'part' in row ? (
              <ComparedLogPart key={keyOf(row.part)} part={row.part} tasks={tasks} />
            ) : (
              <FoldedParts
                key={row.parts.map(keyOf)[0]}
                parts={row.parts}
                missing={row.missingIn === 'earlier' ? tasks.earlier : tasks.later}
                tasks={tasks}
              />
            ),
          )}
          {parts.length === 0 ? (
            <p className="muted">{t(last.next === null ? 'compareLog.same' : 'compareLog.sameSoFar')}</p>
          ) : null}
          {last.next === null ? null : (
            <p className={css.continue}>
              {t('compareLog.upTo', { part: numberText(last.next - 1), total: numberText(last.total) })}
              <Button small onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
                {t('compareLog.continue')}
              </Button>
            </p>
          )}
        </>
      ) : null}
    </section>
  );
};
