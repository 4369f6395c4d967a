import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '../../api/queries.ts';
import { ProjectAvatar } from '../../ui/basics/avatars.tsx';
import { IconButton } from '../../ui/basics/button.tsx';
import { DrawerContent, type DrawerContentProps } from './drawer.tsx';
import css from './shell.module.css';

/** The header of narrow windows, which opens the drawer. */
export const PhoneDrawer = ({ project, arm, onSearch }: DrawerContentProps) => {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { data: projects } = useSuspenseQuery(projectsQuery());
  const index = projects.findIndex(({ id }) => id === project);
  const name = projects[index]?.name ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer
  useEffect(close, [pathname]);
  // Esc in a dialog that was opened from the drawer must not close the drawer.
  const closeByKey = ({ key, currentTarget, target }: KeyboardEvent) => {
    if (key === 'Escape' && target instanceof Element && target.closest('[role="dialog"]') === currentTarget) close();
  };
  return (
    <header className={css.topbar}>
      <IconButton icon="menu" label={t('shell.menu')} aria-expanded={opened} onClick={open} />
      <ProjectAvatar name={name} index={index} small />
      <span className="grow cut" title={name}>
        {name}
      </span>
      <Modal.Root
        opened={opened}
        onClose={close}
        closeOnEscape={false}
        classNames={{ inner: css.slideInner ?? '', content: css.slide ?? '' }}
      >
        <Modal.Overlay className={css.slideScrim} />
        <Modal.Content aria-label={t('shell.menu')} onKeyDownCapture={closeByKey}>
          <DrawerContent
            project={project}
            arm={arm}
            onSearch={() => {
              close();
              onSearch();
            }}
          />
        </Modal.Content>
      </Modal.Root>
    </header>
  );
};
