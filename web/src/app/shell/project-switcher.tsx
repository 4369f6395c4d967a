import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '../../api/queries.ts';
import { ProjectAvatar } from '../../ui/basics/avatars.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { LazyMenu } from '../../ui/menus/lazy-menu.tsx';
import css from './shell.module.css';

const load = () => import('./project-list.tsx');
const ProjectList = lazyPart(load, 'ProjectList');

/** The current project, with a menu of the other ones. */
export const ProjectSwitcher = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data: projects } = useSuspenseQuery(projectsQuery());
  const index = projects.findIndex(({ id }) => id === project);
  const name = projects[index]?.name ?? `#${project}`;
  const button = (
    <button type="button" className={css.switch} title={name}>
      <ProjectAvatar name={name} index={index} />
      <span className="grow cut">{name}</span>
      <span className="sr">{t('shell.switch')}</span>
      <Icon name="upDown" />
    </button>
  );
  return (
    <LazyMenu load={load} button={button}>
      <ProjectList project={project} button={button} />
    </LazyMenu>
  );
};
