import type { FailureCluster, Task } from '@signalbox/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { AssignmentLine } from '../../../ui/tasks/assignment-line.tsx';
import { failureText } from '../../../ui/tasks/failure-text.ts';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { exactTime } from '../../../ui/time/time.ts';
import { Ago } from '../../../ui/time/times.tsx';
import { copyText } from '../../../ui/toast/copy-text.ts';
import { RunOnHosts } from '../hosts/run-on-hosts.tsx';
import { LogExcerpt } from '../log/log-excerpt.tsx';
import type { LogSource } from '../log/log-source.ts';
import { OpenLog } from '../log/open-log.tsx';
import { clusterHosts } from './cluster-hosts.ts';
import { ClusterDifferences, ClusterMessage } from './cluster-message.tsx';
import { ClusterSeen } from './cluster-seen.tsx';
import css from './clusters.module.css';
import { KnownDialog } from './known-dialog.tsx';
import { NoteDialog } from './note-dialog.tsx';

/** Number of lines of the log that are shown around a failure, and of hosts that are named. */
const [BEFORE, AFTER] = [2, 2];
const NAMED = 12;

export interface ClusterItemProps {
  task: Task;
  cluster: FailureCluster;
  log: LogSource;
  /** Whether the user may write notes. */
  mayWrite: boolean;
  onLine: (line: number) => void;
  onRunOn: ((limit: string) => void) | undefined;
}

const Known = ({ remark }: { remark: NonNullable<FailureCluster['remark']> }) => {
  const { t } = useTranslation();
  const { known_until: until, known_commit: commit, known_by: by } = remark;
  return (
    <span className={css.known} title={by}>
      <Icon name="clock" />
      {until === null
        ? t('cluster.knownCommit', { commit: commit.slice(0, 7) })
        : t('cluster.knownUntil', { time: exactTime(until) })}
    </span>
  );
};

/** All hosts of a task with the same failure: what it is, what differs, whether it is known, and what to do. */
export const ClusterItem = ({ task, cluster, log, mayWrite, onLine, onRunOn }: ClusterItemProps) => {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'note' | 'known'>();
  const { hosts, first, last, first_hosts: names, remark, path, failure_id: failure } = cluster;
  const params = { project_id: task.project_id, task_id: task.id, fingerprint: cluster.fingerprint };
  const isQuiet = remark?.known === true;
  const copyHosts = () => copyText(clusterHosts(params).then((found) => found.join('\n')));
  const close = () => setDialog(undefined);
  return (
    <section className={`${css.cluster} ${isQuiet ? css.quiet : ''}`} aria-label={failureText(t, cluster)}>
      <div className={css.head}>
        <h2>
          <span className={css.count}>{t('cluster.hosts', { count: hosts, number: numberText(hosts) })}</span>{' '}
          {failureText(t, cluster)}
        </h2>
        {isQuiet ? <Known remark={remark} /> : null}
        {path === '' ? null : <code className={css.path}>{path}</code>}
      </div>
      <p className={css.where}>
        {t('cluster.step')} <strong>{cluster.step}</strong>
        {t('separator.comma')}
        {hosts === 1 ? (
          <>
            {t('cluster.on')} <code>{first.host}</code> <Ago at={new Date(first.at).toISOString()} />
          </>
        ) : (
          <>
            {t('cluster.first')} <code>{first.host}</code> <Ago at={new Date(first.at).toISOString()} />
            {t('separator.comma')}
            {t('cluster.last')} <code>{last.host}</code> <Ago at={new Date(last.at).toISOString()} />
          </>
        )}
      </p>
      <ClusterSeen task={task.id} seen={cluster.seen} />
      {remark?.assignment ? <AssignmentLine assignment={remark.assignment} /> : null}
      <ClusterMessage cluster={cluster} />
      {remark && remark.note !== '' ? (
        <div className={css.note}>
          <Icon name="edit" />
          <div>
            <Markdown text={remark.note} />
            <small>
              {remark.note_by}
              {remark.note_at === null ? null : (
                <>
                  {t('separator.comma')}
                  <Ago at={remark.note_at} />
                </>
              )}
            </small>
          </div>
        </div>
      ) : null}
      <ClusterDifferences cluster={cluster} />
      {hosts > 1 && hosts <= NAMED ? (
        <p className={css.names}>
          {names.map((host) => (
            <code key={host}>{host}</code>
          ))}
        </p>
      ) : null}
      {isQuiet || task.log_removed ? null : (
        <LogExcerpt
          log={log}
          from={first.line - BEFORE}
          to={first.line + AFTER}
          marked={[first.line, first.line]}
          onLine={onLine}
        />
      )}
      <div className={css.actions}>
        {onRunOn ? (
          <RunOnHosts
            small
            label={t('host.runOn', { count: hosts, number: numberText(hosts) })}
            limit={async () => limitOf(await clusterHosts(params))}
            onRun={onRunOn}
          />
        ) : null}
        <OpenLog task={task} line={first.line} onLine={onLine} />
        <Button small variant="quiet" icon="copy" onClick={() => void copyHosts()}>
          {t('cluster.copyHosts')}
        </Button>
        {mayWrite && failure !== null ? (
          <>
            <Button small variant="quiet" icon="edit" onClick={() => setDialog('note')}>
              {t('cluster.note')}
            </Button>
            <Button small variant="quiet" icon="clock" onClick={() => setDialog('known')}>
              {t('cluster.known')}
            </Button>
          </>
        ) : null}
      </div>
      {dialog === 'note' && failure !== null ? (
        <NoteDialog project={task.project_id} failure={failure} cluster={cluster} onClose={close} />
      ) : null}
      {dialog === 'known' && failure !== null ? (
        <KnownDialog task={task} failure={failure} cluster={cluster} onClose={close} />
      ) : null}
    </section>
  );
};
