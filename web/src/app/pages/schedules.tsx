import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AllSchedulesPage } from '../../features/schedules/all-schedules-page.tsx';
import { SchedulesPage } from '../../features/schedules/schedules-page.tsx';
import type { SchedulesState } from '../../features/schedules/schedules-state.ts';
import { iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import type { ListSearch, SchedulesSearch } from '../search.ts';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';
import { useListUrl } from '../use-list-url.ts';
import { LAUNCH } from './launch-form.ts';

export const SchedulesRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort, edit, week, only }: SchedulesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (state: SchedulesState) =>
    void navigate({
      to: '.',
      search: (search: SchedulesSearch) => ({ ...search, ...state }),
      // Typing in the filter replaces the history entry; opening a form adds one.
      replace: state.edit === undefined,
      resetScroll: false,
    });
  return (
    <SchedulesPage
      key={projectId}
      project={projectId}
      launch={LAUNCH}
      state={{ q, sort, edit, week, only }}
      onState={change}
    />
  );
};

/** The schedules of all projects: without the drawer, with a link back to the last project. */
export const AllSchedulesRoute = () => {
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
        <AllSchedulesPage back={back} state={{ q, sort }} onState={change} />
      </main>
    </>
  );
};
