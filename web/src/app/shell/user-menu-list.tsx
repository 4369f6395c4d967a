import { Menu } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../api/queries.ts';
import { useSignOut } from '../../features/session/use-sign-out.ts';
import { Icon } from '../../ui/basics/icon.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import type { ButtonElement } from '../../ui/menus/lazy-menu.tsx';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';

const AccountDialog = lazyPart(() => import('../../features/users/account-dialog.tsx'), 'AccountDialog');
const SystemDialog = lazyPart(() => import('../../features/system/system-dialog.tsx'), 'SystemDialog');

/** The menu of the signed-in user. */
export const UserMenuList = ({ button }: { button: ButtonElement }) => {
  const { t } = useTranslation();
  const { data: user } = useSuspenseQuery(userQuery());
  const [opened, setOpened] = useState<'account' | 'system'>();
  const close = () => setOpened(undefined);
  const signOut = useSignOut();
  return (
    <>
      <OpenedMenu button={button} position="top-start" width={236}>
        <Menu.Label>
          {user.username}
          {user.admin ? `, ${t('shell.admin')}` : ''}
        </Menu.Label>
        {user.admin ? (
          <Menu.Item component={Link} to="/users" leftSection={<Icon name="team" />}>
            {t('shell.users')}
          </Menu.Item>
        ) : null}
        {user.admin ? (
          <Menu.Item component={Link} to="/runners" leftSection={<Icon name="runner" />}>
            {t('shell.runners')}
          </Menu.Item>
        ) : null}
        {user.admin ? (
          <Menu.Item component={Link} to="/roles" leftSection={<Icon name="key" />}>
            {t('roles.title')}
          </Menu.Item>
        ) : null}
        {user.admin ? (
          <Menu.Item component={Link} to="/tokens" leftSection={<Icon name="key" />}>
            {t('tokens.title')}
          </Menu.Item>
        ) : null}
        <Menu.Item component={Link} to="/tasks" leftSection={<Icon name="task" />}>
          {t('activeTasks.title')}
        </Menu.Item>
        <Menu.Item component={Link} to="/schedules" leftSection={<Icon name="calendar" />}>
          {t('schedules.allTitle')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpened('account')}>
          {t('shell.account')}
        </Menu.Item>
        {user.admin ? (
          <Menu.Item component={Link} to="/system" leftSection={<Icon name="info" />}>
            {t('systemPage.title')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Icon name="info" />} onClick={() => setOpened('system')}>
            {t('shell.system')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/api/docs" leftSection={<Icon name="link" />}>
          {t('shell.api')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => signOut.mutate()}>
          {t('shell.signOut')}
        </Menu.Item>
      </OpenedMenu>
      <Suspense>
        {opened === 'system' ? <SystemDialog onClose={close} /> : null}
        {opened === 'account' ? <AccountDialog onClose={close} /> : null}
      </Suspense>
    </>
  );
};
