import type { ChangedFile, Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { taskDiffQuery } from '../../../api/comparison-queries.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { DiffView, LineCounts } from '../../../ui/tasks/diff-view.tsx';
import css from './commits.module.css';

interface FileProps {
  task: Task;
  other: number;
  file: ChangedFile;
}

/** The lines of a difference from its first position on: what git prints before is shown in the title. */
const linesOf = (diff: string): string[] => {
  const lines = diff.replace(/\n$/, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return first < 0 ? [] : lines.slice(first);
};

const FileDifferences = ({ task, other, file }: FileProps) => {
  const { t } = useTranslation();
  const query = useQuery(taskDiffQuery(task.project_id, task.id, other, file));
  if (query.error) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  if (!query.data) return <p className="muted">{t('compare.readingFile')}</p>;
  const lines = linesOf(query.data.diff);
  return (
    <>
      {lines.length === 0 ? <p className="muted">{t('compare.noLines')}</p> : <DiffView lines={lines} />}
      {query.data.complete ? null : <p className="muted">{t('compare.diffCut')}</p>}
    </>
  );
};

interface ItemProps extends FileProps {
  /** Whether a step of it failed. */
  isFailing: boolean;
  /** Whether the error message of a task names it. */
  isNamed: boolean;
}

/** A file that differs between two commits. Opening it reads its differences. */
export const ChangedFileItem = ({ isFailing, isNamed, ...props }: ItemProps) => {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const { path, renamed_from: from, change, added, removed } = props.file;
  return (
    <li className={css.file}>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <code>
            <bdi>{path}</bdi>
          </code>{' '}
          {added === null || removed === null ? (
            <small>{t('compare.notText')}</small>
          ) : (
            <LineCounts added={added} removed={removed} />
          )}{' '}
          {change === 'added' ? <small>{t('compare.fileAdded')}</small> : null}
          {change === 'deleted' ? <small>{t('compare.fileDeleted')}</small> : null}
          {from === null ? null : <small>{t('compare.renamedFrom', { path: from })}</small>}{' '}
          {isNamed ? (
            <>
              <span className={css.failing}>{t('compare.namedFile')}</span>{' '}
            </>
          ) : null}
          {isFailing ? <span className={css.failing}>{t('compare.failedStep')}</span> : null}
        </summary>
        {isOpen ? <FileDifferences {...props} /> : null}
      </details>
    </li>
  );
};
