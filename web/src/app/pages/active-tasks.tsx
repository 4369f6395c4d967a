import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActiveTasksPage } from '../../features/tasks/active/active-tasks-page.tsx';
import { iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import type { ListSearch } from '../search.ts';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';
import { useListUrl } from '../use-list-url.ts';

/** The tasks of all projects that wait or run: without the drawer, with a link back to the last project. */
export const ActiveTasksRoute = () => {
  const { t } = useTranslation();
  const { q, sort }: ListSearch = useSearch({ strict: false });
  const change = useListUrl<ListSearch>();
  const back = (
    <Link to="/" className={iconButtonClass()} aria-label={t('shell.back')} data-tooltip={t('shell.back')}>
      <Icon name="back" />
    </Link>
  );
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        <ActiveTasksPage back={back} state={{ q, sort }} onState={change} />
      </main>
    </>
  );
};
