import { Menu } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectsQuery, userQuery } from '../../api/queries.ts';
import { ProjectAvatar } from '../../ui/basics/avatars.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import type { ButtonElement } from '../../ui/menus/lazy-menu.tsx';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';

/** The list of projects with an entry that creates a new one. */
export const ProjectList = ({ project, button }: { project: number; button: ButtonElement }) => {
  const { t } = useTranslation();
  const { data: projects } = useSuspenseQuery(projectsQuery());
  const { data: user } = useSuspenseQuery(userQuery());
  return (
    <OpenedMenu button={button} position="bottom-start" width="target">
      {projects.map(({ id, name }, at) => (
        <Menu.Item
          key={id}
          title={name}
          component={Link}
          to={`/project/${id}/history`}
          leftSection={<ProjectAvatar name={name} index={at} small />}
          rightSection={id === project ? <Icon name="check" /> : null}
          aria-current={id === project || undefined}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item component={Link} to="/tasks" leftSection={<Icon name="task" />}>
        {t('activeTasks.title')}
      </Menu.Item>
      {user.can_create_project ? (
        <>
          <Menu.Divider />
          <Menu.Item component={Link} to="/project/new" leftSection={<Icon name="plus" />}>
            {t('shell.newProject')}
          </Menu.Item>
        </>
      ) : null}
    </OpenedMenu>
  );
};
