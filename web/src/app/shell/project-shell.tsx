import { useMediaQuery } from '@mantine/hooks';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isMissing } from '../../api/api-error.ts';
import { mutationKey } from '../../api/keys.ts';
import { roleQuery } from '../../api/queries.ts';
import { LiveNotice } from '../../live/live-notice.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { storage } from '../../ui/browser/storage.ts';
import { Commands, useCommands } from '../palette/commands.tsx';
import { DrawerContent } from './drawer.tsx';
import { NewObjects } from './new-object-forms.tsx';
import { Overlays } from './overlays.tsx';
import css from './shell.module.css';
import { useStatusFavicon } from './status-favicon.ts';

/** Windows narrower than this, in pixels, get the sliding drawer. */
const MOBILE = 960;

const NoSuchProject = lazyPart(() => import('../pages/not-found.tsx'), 'NoSuchProject');
const PhoneDrawer = lazyPart(() => import('./phone-drawer.tsx'), 'PhoneDrawer');

/** The drawer, the page, and the dialogs over any page of a project. */
export const ProjectShell = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const phone = useMediaQuery(`(max-width: ${MOBILE}px)`, undefined, { getInitialValueInEffect: false });
  const [opened, setOpened] = useCommands();
  const arm = useStatusFavicon(projectId);
  const search = () => setOpened('palette');
  useEffect(() => storage.setLastProject(projectId), [projectId]);
  // The project was deleted, or the user is no longer a member: nothing of the project stays visible.
  const isDeleted = isMissing(useQuery(roleQuery(projectId)).error);
  // The page that deletes a project navigates to another project itself.
  const isDeleting = useIsMutating({ mutationKey: mutationKey.deleteProject(projectId) }) > 0;
  if (isDeleted && !isDeleting) {
    return (
      <Suspense>
        <NoSuchProject />
      </Suspense>
    );
  }
  return (
    <div className={css.shell}>
      {phone ? (
        <Suspense fallback={<div className={css.topbar} />}>
          <PhoneDrawer project={projectId} arm={arm} onSearch={search} />
        </Suspense>
      ) : (
        <aside className={css.drawer} aria-label={t('product')}>
          <DrawerContent project={projectId} arm={arm} onSearch={search} />
        </aside>
      )}
      <main className={css.main}>
        <LiveNotice />
        <NewObjects project={projectId}>
          <Outlet />
        </NewObjects>
      </main>
      <Overlays project={projectId} />
      <Commands project={projectId} opened={opened} onOpen={setOpened} />
    </div>
  );
};
