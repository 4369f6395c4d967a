import { Menu } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectsQuery, userQuery } from '../../api/queries.ts';
import { Icon } from '../../ui/icon.tsx';
import { ProjectAvatar } from '../../ui/project-avatar.tsx';
import css from './shell.module.css';

/** The project that is shown, and the way to the others. */
export const ProjectSwitcher = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data: projects } = useSuspenseQuery(projectsQuery());
  const { data: user } = useSuspenseQuery(userQuery());
  const index = projects.findIndex(({ id }) => id === project);
  const name = projects[index]?.name ?? `#${project}`;
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <button type="button" className={css.switch} title={name}>
          <ProjectAvatar name={name} index={index} />
          <span className="grow cut">{name}</span>
          <span className="sr">{t('shell.switch')}</span>
          <Icon name="upDown" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {projects.map(({ id, name: other }, at) => (
          <Menu.Item
            key={id}
            title={other}
            component={Link}
            to={`/project/${id}/history`}
            leftSection={<ProjectAvatar name={other} index={at} small />}
            rightSection={id === project ? <Icon name="check" /> : null}
            aria-current={id === project || undefined}
          >
            {other}
          </Menu.Item>
        ))}
        {user.can_create_project ? (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to="/project/new" leftSection={<Icon name="plus" />}>
              {t('shell.newProject')}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
};
