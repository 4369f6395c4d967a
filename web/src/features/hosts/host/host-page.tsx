import type { HostPage as Host } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { errorText, isMissing } from '../../../api/api-error.ts';
import { hostQuery } from '../../../api/host-queries.ts';
import { roleQuery, templatesQuery } from '../../../api/queries.ts';
import { mayWith } from '../../../ui/access/permissions.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../../ui/page/not-found-notice.tsx';
import changes from './changes.module.css';
import { HostChanges, LatestChanges } from './host-changes.tsx';
import { HostFacts, LatestFacts } from './host-facts.tsx';
import { HostFailures } from './host-failures.tsx';
import { HostHead } from './host-head.tsx';
import { HostRuns } from './host-runs.tsx';
import { type HostTab, HostTabs } from './host-tabs.tsx';
import { HostTemplates } from './host-templates.tsx';
import { HostValues } from './host-values.tsx';
import { RunOnHost } from './run-on-host.tsx';
import { SilentNotice } from './silent-notice.tsx';
import { takesAnyLimit } from './takes-any-limit.ts';

export interface HostPageProps {
  project: number;
  host: number;
  tab: HostTab;
}

const Content = ({ project, host, tab }: Omit<HostPageProps, 'host'> & { host: Host }) => {
  const { t } = useTranslation();
  const { data: named = [] } = useQuery(templatesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const ran = new Set(host.templates.map(({ template_id }) => template_id));
  const runnable = named
    .filter((template) => takesAnyLimit(template) && mayWith(role, template.id, 'run'))
    .toSorted((a, b) => Number(ran.has(b.id)) - Number(ran.has(a.id)));
  return (
    <>
      <HostHead project={project} host={host} named={named}>
        <RunOnHost limit={host.host} label={t('hostPage.runOn')} templates={runnable} />
      </HostHead>
      <HostValues project={project} host={host} />
      <HostTabs
        project={project}
        host={host.id}
        tab={tab}
        counts={{ runs: host.run_count, changes: host.change_count, failures: host.failure_count }}
      />
      {host.silent.map((silent) => (
        <SilentNotice key={silent.task_id} silent={silent} host={host.host} />
      ))}
      {tab === 'overview' ? (
        <>
          <HostTemplates
            project={project}
            templates={host.templates}
            named={named}
            silent={new Map(host.silent.map((silent) => [silent.template_id, silent.task_id]))}
          />
          <div className={changes.columns}>
            <LatestChanges project={project} host={host.id} />
            <LatestFacts project={project} host={host.id} />
          </div>
        </>
      ) : null}
      {tab === 'changes' ? <HostChanges project={project} host={host.id} /> : null}
      {tab === 'facts' ? <HostFacts project={project} host={host.id} /> : null}
      {tab === 'runs' ? <HostRuns project={project} host={host.id} named={named} /> : null}
      {tab === 'failures' ? <HostFailures project={project} host={host.id} /> : null}
    </>
  );
};

/** One host: how it is, what ran on it, and what failed. */
export const HostPage = ({ project, host, tab }: HostPageProps) => {
  const { t } = useTranslation();
  const query = useQuery(hostQuery(project, host));
  if (isMissing(query.error))
    return (
      <NotFoundNotice what="host">
        <Link to="/project/$projectId/hosts" params={{ projectId: project }} search={{}}>
          {t('hostPage.allHosts')}
        </Link>
      </NotFoundNotice>
    );
  if (query.error && !query.data) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  return query.data ? <Content project={project} host={query.data} tab={tab} /> : <div aria-busy="true" />;
};
