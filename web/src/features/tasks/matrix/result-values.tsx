import type { FailureCluster, Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { repositoriesQuery, templateQuery } from '../../../api/queries.ts';
import { clustersQuery } from '../../../api/run-queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { TextButton } from '../../../ui/basics/text-button.tsx';
import { fileUrl } from '../../../ui/tasks/commit-url.ts';
import { failureText } from '../../../ui/tasks/failure-text.ts';
import { FIRST_CLUSTERS } from '../failures/failure-summary.tsx';
import { badHostCount, type HostOutcome, isBad, type Run, type Step } from '../results/run-model.ts';
import css from './result-panel.module.css';
import type { ResultText } from './result-text.ts';

export interface ResultValuesProps {
  task: Task;
  run: Run;
  step: Step;
  outcome: HostOutcome;
  text: ResultText;
  onSummary: () => void;
}

/** The file of a step and its line, with a link to it where the repository is hosted. */
const DefinedAt = ({ task, path }: { task: Task; path: string }) => {
  const { data: template } = useQuery(templateQuery(task.project_id, task.template_id));
  const { data: repositories } = useQuery(repositoriesQuery(task.project_id));
  const repository = repositories?.find(({ id }) => id === template?.repository_id);
  const url = repository && task.commit_hash ? fileUrl(repository.git_url, task.commit_hash, path) : undefined;
  if (url === undefined) return path;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {path}
    </a>
  );
};

/** The cluster of a failure; undefined if several at the step could be the one. */
const clusterOf = (
  clusters: readonly FailureCluster[],
  step: Step,
  outcome: HostOutcome,
): FailureCluster | undefined => {
  const own = clusters.filter(
    ({ result, step_number }) => result === outcome.result && (result === 'unreachable' || step_number === step.step),
  );
  if (own.length === 1) return own[0];
  return own.find(({ first_hosts }) => first_hosts.includes(outcome.host));
};

const ClusterLink = ({ task, run, step, outcome, onSummary }: Omit<ResultValuesProps, 'text'>) => {
  const { t } = useTranslation();
  const version = `${badHostCount(run)} ${task.status}`;
  const { data } = useQuery(clustersQuery(task.project_id, task.id, { limit: FIRST_CLUSTERS, version }));
  const cluster = clusterOf(data?.clusters ?? [], step, outcome);
  if (!cluster) return null;
  const { hosts } = cluster;
  return (
    <>
      <dt>{t('matrix.cluster')}</dt>
      <dd>
        <TextButton onClick={onSummary}>
          {t('matrix.clusterOf', { what: failureText(t, cluster), count: hosts, number: numberText(hosts) })}
        </TextButton>
      </dd>
    </>
  );
};

/** Where a result comes from: its module, its step in the repository, and the failure that it belongs to. */
export const ResultValues = (props: ResultValuesProps) => {
  const { task, step, outcome, text } = props;
  const { t } = useTranslation();
  return (
    <dl className={css.values}>
      <dt>{t('host.module')}</dt>
      <dd>
        <code>{step.action}</code>
      </dd>
      {text.attempts === undefined ? null : (
        <>
          <dt>{t('matrix.attempts')}</dt>
          <dd>{numberText(text.attempts)}</dd>
        </>
      )}
      {outcome.delegated_to ? (
        <>
          <dt>{t('matrix.delegated')}</dt>
          <dd>
            <code>{outcome.delegated_to}</code>
          </dd>
        </>
      ) : null}
      {step.path ? (
        <>
          <dt>{t('matrix.defined')}</dt>
          <dd>
            <code>
              <DefinedAt task={task} path={step.path} />
            </code>
          </dd>
        </>
      ) : null}
      {isBad(outcome.result) && outcome.rescued !== true ? <ClusterLink {...props} /> : null}
    </dl>
  );
};
