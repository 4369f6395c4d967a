import type { ChangedFile, ListedCommit, StepPair, Task, TaskCommits } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { listText, numberText } from '../../../lang/locale.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { CommitHash } from '../commit-hash.tsx';
import { ChangedFileItem } from './changed-file.tsx';
import css from './commits.module.css';
import { failingFiles, namedFiles } from './failing-files.ts';
import { useTaskCommits } from './use-task-commits.ts';

/** One commit: its hash, subject, author and time, and of which task it is if only the earlier one includes it. */
export const CommitItem = ({ task, commit, earlier }: { task: Task; commit: ListedCommit; earlier: number }) => {
  const { t } = useTranslation();
  return (
    <li className={css.commit}>
      <CommitHash task={task} hash={commit.hash}>
        <code>{commit.hash.slice(0, 7)}</code>
      </CommitHash>{' '}
      <bdi>{commit.subject}</bdi>
      <small>
        <bdi>{commit.author}</bdi>
        {t('separator.comma')}
        <Ago at={commit.time} />
        {commit.of === 'earlier' ? (
          <>
            {t('separator.comma')}
            {t('compare.onlyIn', { id: earlier })}
          </>
        ) : null}
      </small>
    </li>
  );
};

interface FilesProps {
  task: Task;
  found: TaskCommits;
  failing: ReadonlySet<string>;
  named: ReadonlySet<string>;
}

const Files = ({ task, found, failing, named }: FilesProps) => {
  const { t } = useTranslation();
  const rank = ({ path }: ChangedFile): number => (named.has(path) ? 0 : failing.has(path) ? 1 : 2);
  const files = found.files.toSorted((a, b) => rank(a) - rank(b));
  const more = found.file_count - files.length;
  return (
    <>
      <h3>{t('compare.files')}</h3>
      <ul className={css.list}>
        {files.map((file) => (
          <ChangedFileItem
            key={file.path}
            task={task}
            other={found.other_id}
            file={file}
            isFailing={failing.has(file.path)}
            isNamed={named.has(file.path)}
          />
        ))}
      </ul>
      {more > 0 ? <p className="muted">{t('compare.moreFiles', { count: more, number: numberText(more) })}</p> : null}
    </>
  );
};

interface CommitsProps {
  task: Task;
  other: Task;
  steps: readonly StepPair[];
}

/** The commits and files between the commits of two tasks. Nothing for a user who may not read repositories. */
export const ComparedCommits = ({ task, other, steps }: CommitsProps) => {
  const { t } = useTranslation();
  const { isAsked, query } = useTaskCommits(task, other);
  if (!isAsked) return null;
  const found = query.data;
  const more = found ? found.commit_count - found.commits.length : 0;
  return (
    <section className={css.part} aria-label={t('compare.commits')}>
      <h2>{t('compare.commits')}</h2>
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      {query.isPending ? <p className="muted">{t('compare.readingCommits')}</p> : null}
      {found ? (
        <>
          <p className="muted">
            {listText([
              t('compare.commitCount', { count: found.commit_count, number: numberText(found.commit_count) }),
              t('compare.fileCount', { count: found.file_count, number: numberText(found.file_count) }),
            ])}
          </p>
          {found.shallow ? <p className="muted">{t('compare.shallow')}</p> : null}
          <ul className={css.list}>
            {found.commits.map((commit) => (
              <CommitItem key={commit.hash} task={task} commit={commit} earlier={Math.min(task.id, other.id)} />
            ))}
          </ul>
          {more > 0 ? (
            <p className="muted">{t('compare.moreCommits', { count: more, number: numberText(more) })}</p>
          ) : null}
          {found.files.length === 0 ? null : (
            <Files task={task} found={found} failing={failingFiles(steps)} named={namedFiles(task, other)} />
          )}
        </>
      ) : null}
    </section>
  );
};
