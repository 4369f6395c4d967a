import type { Event, OwnRole } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { mayDo } from '../../../ui/access/permissions.ts';
import { buttonClass } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { FirstRunStep, type NamedObject } from './first-run-step.tsx';

/** Maximum number of repositories whose playbooks the step offers. */
const MAX_REPOSITORIES = 3;

interface TemplateStepProps {
  number: number;
  project: number;
  role: OwnRole;
  templates: readonly NamedObject[];
  repositories: readonly NamedObject[];
  created: readonly Event[] | undefined;
  isNext: boolean;
}

/** The step to a template: chosen from the playbooks of a repository, which is possible early, or entered into the form. */
export const TemplateStep = ({ project, role, templates, repositories, ...step }: TemplateStepProps) => {
  const { t } = useTranslation();
  const params = { projectId: project };
  return (
    <FirstRunStep
      {...step}
      title={t('firstRun.template')}
      text={t('firstRun.templateText')}
      items={templates}
      link={({ id, name }) => (
        <Link to="/project/$projectId/templates/$templateId" params={{ ...params, templateId: id }} search={{}}>
          {name}
        </Link>
      )}
      more={(text) => (
        <Link to="/project/$projectId/templates" params={params} search={{}}>
          {text}
        </Link>
      )}
    >
      {templates.length > 0 ? null : mayDo(role, 'edit_templates') ? (
        <>
          {repositories.slice(0, MAX_REPOSITORIES).map(({ id, name }, index) => (
            <Link
              key={id}
              className={buttonClass(step.isNext && index === 0 ? 'primary' : 'outline')}
              to="/project/$projectId/repositories/$repositoryId/playbooks"
              params={{ ...params, repositoryId: id }}
            >
              <Icon name="search" />
              {t('firstRun.find', { repository: name })}
            </Link>
          ))}
          {step.isNext ? (
            <Link
              className={buttonClass('outline')}
              to="/project/$projectId/templates/new/edit"
              params={params}
              search={{}}
            >
              <Icon name="plus" />
              {t('templateForm.new')}
            </Link>
          ) : null}
        </>
      ) : step.isNext ? (
        <p>{t('firstRun.mayNot')}</p>
      ) : null}
    </FirstRunStep>
  );
};
