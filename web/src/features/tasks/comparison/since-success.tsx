import type { ComparedField, Task, TaskCommits } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { comparisonQuery } from '../../../api/run-queries.ts';
import { listText, numberText } from '../../../lang/locale.ts';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { isSet, parsed } from '../details/task-values.ts';
import { CommitItem } from './compared-commits.tsx';
import css from './comparison.module.css';
import { namedFiles } from './failing-files.ts';
import { ContentChange, FieldLabel, FieldValue, isContent } from './field-text.tsx';
import { useTaskCommits } from './use-task-commits.ts';
import { VersionLabel, VersionText } from './version-text.tsx';

/** Fields that are listed even if they did not change, because they are the first suspects. */
const ALWAYS: readonly ComparedField[] = ['commit_hash', 'inventory_id', 'execution_environment', 'runner_name'];
/** Whether a field is added although it did not change. The inventory is not if its content changed. */
const isAddedUnchanged = (field: ComparedField, changed: readonly ComparedField[]): boolean =>
  !changed.includes(field) && !(field === 'inventory_id' && changed.includes('inventory_content'));

/** Number of hosts and of answers that are named. */
const NAMED = 4;
/** Number of commits that are listed. */
const NEWEST = 3;

const Line = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The first files that differ, those that an error message names before the others. */
const Files = ({ commits, named }: { commits: TaskCommits; named: ReadonlySet<string> }) => {
  const { t } = useTranslation();
  const { files, file_count: count } = commits;
  if (files.length === 0) return null;
  const ordered = files.toSorted((a, b) => Number(named.has(b.path)) - Number(named.has(a.path)));
  const more = count - Math.min(NAMED, files.length);
  return (
    <ul className={css.newest} aria-label={t('compare.files')}>
      {ordered.slice(0, NAMED).map(({ path }) => (
        <li key={path}>
          <code>{path}</code> {named.has(path) ? <small>{t('compare.namedFile')}</small> : null}
        </li>
      ))}
      {more > 0 ? <li className="muted">{t('since.more', { count: more })}</li> : null}
    </ul>
  );
};

/** What differs from the last success of the template, next to the failures of a task. */
export const SinceSuccess = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { data } = useQuery(comparisonQuery(task.project_id, task.id, undefined, true));
  const commits = useTaskCommits(task, data?.other ?? null).query.data;
  if (!data) return null;
  const { other, changed, unknown, answers, versions, hosts } = data;
  if (other === null) return <p className="muted">{t('since.never')}</p>;
  const unchanged = <span className="faint">{t('since.unchanged')}</span>;
  const fields = [...changed, ...ALWAYS.filter((field) => isAddedUnchanged(field, changed))];
  const hasAnswers = answers.length > 0 || [task, other].some(({ environment }) => isSet(parsed(environment)));
  const names = (all: readonly string[], count: number): string =>
    count <= NAMED ? listText(all) : `${all.slice(0, NAMED).join(', ')} ${t('since.more', { count: count - NAMED })}`;
  return (
    <section className={css.since} aria-label={t('since.title')}>
      <h2>
        {t('since.title')}
        {t('separator.comma')}
        <TaskLink id={other.id} />
        {t('separator.comma')}
        <Ago at={other.end ?? other.created} />
      </h2>
      <dl>
        {fields.map((field) => (
          <Line key={field} name={<FieldLabel task={task} field={field} />}>
            {isContent(field) ? (
              <ContentChange field={field} hosts={hosts} />
            ) : changed.includes(field) ? (
              <>
                <FieldValue task={task} field={field} />
                <small>
                  {t('since.was')} <FieldValue task={other} field={field} />
                </small>
              </>
            ) : field === 'inventory_id' && unknown.includes('inventory_content') ? (
              <span className="faint">{t('since.contentUnknown')}</span>
            ) : (
              unchanged
            )}
          </Line>
        ))}
        {versions.slice(0, NAMED).map((version) => (
          <Line key={`${version.what} ${version.name}`} name={<VersionLabel version={version} />}>
            <VersionText text={version.later} />
            <small>
              {t('since.was')} <VersionText text={version.earlier} />
            </small>
          </Line>
        ))}
        {hosts ? (
          <Line name={t('task.tabHosts')}>
            {hosts.added_count + hosts.removed_count === 0 ? unchanged : null}
            {hosts.added_count > 0 ? (
              <span title={hosts.added.join('\n')}>
                {t('compare.added', { count: hosts.added_count, number: numberText(hosts.added_count) })}
                <small className="mono">{names(hosts.added, hosts.added_count)}</small>
              </span>
            ) : null}
            {hosts.removed_count > 0 ? (
              <span title={hosts.removed.join('\n')}>
                {t('compare.removed', { count: hosts.removed_count, number: numberText(hosts.removed_count) })}
                <small className="mono">{names(hosts.removed, hosts.removed_count)}</small>
              </span>
            ) : null}
          </Line>
        ) : null}
        {hasAnswers ? (
          <Line name={t('details.answers')}>
            {answers.length === 0 ? unchanged : null}
            {answers.slice(0, NAMED).map(({ name, earlier, later }) => (
              <code key={name}>
                {name}: {earlier ?? '–'} → {later ?? '–'}
              </code>
            ))}
            {answers.length > NAMED ? <small>{t('since.more', { count: answers.length - NAMED })}</small> : null}
          </Line>
        ) : null}
        {commits ? (
          <Line name={t('compare.commits')}>
            {listText([
              t('compare.commitCount', { count: commits.commit_count, number: numberText(commits.commit_count) }),
              t('compare.fileCount', { count: commits.file_count, number: numberText(commits.file_count) }),
            ])}
          </Line>
        ) : null}
      </dl>
      {commits ? (
        <ul className={css.newest}>
          {commits.commits.slice(0, NEWEST).map((commit) => (
            <CommitItem key={commit.hash} task={task} commit={commit} earlier={Math.min(task.id, other.id)} />
          ))}
        </ul>
      ) : null}
      {commits ? <Files commits={commits} named={namedFiles(task, other)} /> : null}
    </section>
  );
};
