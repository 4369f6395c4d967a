import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { projectsQuery, roleQuery, templatesQuery, userQuery } from '../../api/queries.ts';
import { mayWith } from '../../ui/access/permissions.ts';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { PROJECT_SCREENS, SCREEN_KEY } from '../project-screens.ts';
import { type ProjectSearch, withoutTask } from '../search.ts';
import { openHit } from './open-hit.ts';
import { dataEntries, type PaletteEntry } from './palette-entries.ts';
import { useSequences } from './use-sequences.ts';

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');

export interface CommandsProps {
  project: number;
  opened: 'palette' | 'shortcuts' | undefined;
  onOpen: (what: 'palette' | 'shortcuts' | undefined) => void;
}

/** The command palette and the shortcuts of the pages of a project. */
export const Commands = ({ project, opened, onOpen }: CommandsProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: templates = [] } = useQuery({ ...templatesQuery(project), enabled: opened === 'palette' });
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: user } = useQuery(userQuery());
  const { data: role } = useQuery({ ...roleQuery(project), enabled: opened === 'palette' });
  const params = { projectId: project };
  const open = (path: (typeof PROJECT_SCREENS)[number]['path']) =>
    void navigate({ to: `/project/$projectId/${path}`, params, search: {} });
  useHotkeys([['mod+K', () => onOpen('palette')]], []);
  useHotkeys([['shift+?', () => onOpen('shortcuts')]]);
  useSequences(SCREEN_KEY, Object.fromEntries(PROJECT_SCREENS.map(({ key, path }) => [key, () => open(path)])));
  const admin = user?.admin
    ? ([
        { id: 'users', icon: 'team', title: t('users.title'), open: () => void navigate({ to: '/users' }) },
        { id: 'system', icon: 'info', title: t('systemPage.title'), open: () => void navigate({ to: '/system' }) },
        { id: 'runners', icon: 'runner', title: t('runners.title'), open: () => void navigate({ to: '/runners' }) },
        { id: 'roles', icon: 'key', title: t('roles.title'), open: () => void navigate({ to: '/roles' }) },
        { id: 'tokens', icon: 'key', title: t('tokens.title'), open: () => void navigate({ to: '/tokens' }) },
      ] as const)
    : [];
  const everywhere = [
    { id: 'active', icon: 'task', title: t('activeTasks.title'), open: () => void navigate({ to: '/tasks' }) },
    {
      id: 'all-schedules',
      icon: 'calendar',
      title: t('schedules.allTitle'),
      open: () => void navigate({ to: '/schedules' }),
    },
  ] as const;
  const screen = t('palette.screen');
  const entries: PaletteEntry[] = [
    ...PROJECT_SCREENS.map(({ path, icon, labelKey }) => ({
      id: path,
      icon,
      title: t(labelKey),
      kind: screen,
      open: () => open(path),
    })),
    ...[...everywhere, ...admin].map((entry) => ({ ...entry, kind: screen })),
    ...dataEntries(
      {
        templates,
        projects: projects.filter(({ id }) => id !== project),
        mayRun: (id) => mayWith(role, id, 'run'),
      },
      { template: t('template.title'), project: t('shell.project') },
      {
        runTemplate: (run) =>
          void navigate({ to: '.', search: (search: ProjectSearch) => ({ ...search, run }), resetScroll: false }),
        openTemplate: (templateId) =>
          void navigate({
            to: '/project/$projectId/templates/$templateId',
            params: { ...params, templateId },
            search: {},
          }),
        openProject: (projectId) =>
          void navigate({ to: '/project/$projectId/history', params: { projectId }, search: {} }),
      },
    ),
  ];
  const close = () => onOpen(undefined);
  return (
    <Suspense>
      {opened === 'palette' ? (
        <Palette
          entries={entries}
          project={project}
          onHit={(hit) => openHit(navigate, hit)}
          onTask={(task) =>
            void navigate({
              to: '.',
              search: (search: ProjectSearch) => ({ ...withoutTask(search), t: task }),
              resetScroll: false,
            })
          }
          onClose={close}
        />
      ) : null}
      {opened === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null}
    </Suspense>
  );
};

/** Which of the two is open. The button in the drawer opens the palette too. */
export const useCommands = () => useState<CommandsProps['opened']>();
