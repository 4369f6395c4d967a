import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { infoQuery, projectsQuery } from '../../api/queries.ts';
import { EnvironmentSummary } from '../../ui/execution-environment/environment-summary.tsx';
import css from './template-details.module.css';

/** Where the programs of a template come from: its own choice, or that of its project or of the system. */
export const TemplateEnvironment = ({
  template: { project_id, execution_environment: own },
}: {
  template: Template;
}) => {
  const { t } = useTranslation();
  const { data: projects } = useQuery(projectsQuery());
  const { data: info } = useQuery(infoQuery());
  if (own !== null) return <EnvironmentSummary environment={own} />;
  const project = projects?.find(({ id }) => id === project_id);
  const inherited = project?.execution_environment ?? info?.default_execution_environment;
  if (!project || !inherited) return '–';
  return (
    <>
      <EnvironmentSummary environment={inherited} />{' '}
      <Link className={css.inText} to="/project/$projectId/settings" params={{ projectId: project_id }}>
        ({t('executionEnvironment.ofProject')})
      </Link>
    </>
  );
};
