import { useSuspenseQuery } from '@tanstack/react-query';
import { userQuery } from '../../api/queries.ts';
import { PersonAvatar } from '../../ui/basics/avatars.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { LazyMenu } from '../../ui/menus/lazy-menu.tsx';
import css from './shell.module.css';

const load = () => import('./user-menu-list.tsx');
const UserMenuList = lazyPart(load, 'UserMenuList');

/** The signed-in user, with a menu. */
export const UserMenu = () => {
  const { data: user } = useSuspenseQuery(userQuery());
  const button = (
    <button type="button" className={css.who} title={user.name}>
      <PersonAvatar name={user.name} />
      <span className="cut">{user.name}</span>
    </button>
  );
  return (
    <LazyMenu load={load} button={button}>
      <UserMenuList button={button} />
    </LazyMenu>
  );
};
