import { Modal } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '../../api/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import { ProjectAvatar } from '../../ui/project-avatar.tsx';
import { storage } from '../../ui/storage.ts';
import { DrawerContent } from './drawer.tsx';
import { LiveNotice } from './live-notice.tsx';
import { Overlays } from './overlays.tsx';
import css from './shell.module.css';

/** Below this width the drawer slides, in pixels. */
const MOBILE = 960;

const PhoneDrawer = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { data: projects } = useSuspenseQuery(projectsQuery());
  const index = projects.findIndex(({ id }) => id === project);
  const name = projects[index]?.name ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer
  useEffect(close, [pathname]);
  return (
    <header className={css.topbar}>
      <IconButton icon="menu" label={t('shell.menu')} aria-expanded={opened} onClick={open} />
      <ProjectAvatar name={name} index={index} small />
      <span className="grow cut">{name}</span>
      <Modal.Root
        opened={opened}
        onClose={close}
        classNames={{ inner: css.slideInner ?? '', content: css.slide ?? '' }}
      >
        <Modal.Overlay className={css.slideScrim} />
        <Modal.Content aria-label={t('shell.menu')}>
          <DrawerContent project={project} />
        </Modal.Content>
      </Modal.Root>
    </header>
  );
};

/** Drawer, page, and the dialogs that lie over any page of a project. */
export const ProjectShell = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const phone = useMediaQuery(`(max-width: ${MOBILE}px)`, undefined, { getInitialValueInEffect: false });
  useEffect(() => storage.setLastProject(projectId), [projectId]);
  return (
    <div className={css.shell}>
      {phone ? (
        <PhoneDrawer project={projectId} />
      ) : (
        <aside className={css.drawer} aria-label={t('product')}>
          <DrawerContent project={projectId} />
        </aside>
      )}
      <main className={css.main}>
        <LiveNotice />
        <Outlet />
      </main>
      <Overlays project={projectId} />
    </div>
  );
};
