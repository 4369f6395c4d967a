import { Menu } from '@mantine/core';
import type { SavedFilter } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../api/api-error.ts';
import { call } from '../../../../api/call.ts';
import { queryKey } from '../../../../api/keys.ts';
import { roleQuery } from '../../../../api/queries.ts';
import { mayDo } from '../../../../ui/access/permissions.ts';
import { Button } from '../../../../ui/basics/button.tsx';
import { Icon } from '../../../../ui/basics/icon.tsx';
import { lazyPart } from '../../../../ui/browser/lazy-part.ts';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { LazyMenu } from '../../../../ui/menus/lazy-menu.tsx';
import { showToast } from '../../../../ui/toast/toast-store.ts';
import type { HistoryState } from '../history-state.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { conditionsOf, isChanged, stateOf } from './filter-state.ts';

const load = () => import('../../../../ui/menus/opened-menu.tsx');
const OpenedMenu = lazyPart(load, 'OpenedMenu');

interface FilterActionsProps {
  project: number;
  state: HistoryState;
  onState: (change: HistoryState) => void;
  /** The saved filter whose tab is open. */
  current: SavedFilter | undefined;
  /** Whether the list is filtered. */
  isNarrowed: boolean;
}

/** Saves the filter of the history, and changes or deletes the saved filter whose tab is open. */
export const FilterActions = ({ project, state, onState, current, isNarrowed }: FilterActionsProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: role } = useQuery(roleQuery(project));
  const [asked, setAsked] = useState<'save' | 'rename' | 'delete'>();
  const close = () => setAsked(undefined);
  const mayShare = mayDo(role, 'edit_templates');
  const saved = (name: string) => showToast('ok', t('savedFilters.wasSaved', { name }));
  const refresh = () => client.invalidateQueries({ queryKey: queryKey.savedFilters(project) });
  const onError = (error: Error) => {
    close();
    showToast('error', errorText(error));
    // The filter may have been deleted by another user.
    void refresh();
  };
  const params = (filter: SavedFilter) => ({ project_id: project, saved_filter_id: filter.id });
  const update = useMutation({
    mutationFn: (filter: SavedFilter) =>
      call('updateSavedFilter', { params: params(filter), body: { filter: conditionsOf(state) } }),
    onSuccess: async (_, { name }) => {
      await refresh();
      saved(name);
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: (filter: SavedFilter) => call('deleteSavedFilter', { params: params(filter) }),
    onSuccess: async (_, { name }) => {
      close();
      onState({ filter: undefined });
      await refresh();
      showToast('ok', t('savedFilters.wasDeleted', { name }));
    },
    onError,
  });
  const isDifferent = current ? isChanged(current, state) : isNarrowed;
  const button = (
    <Button small>
      {t('savedFilters.menu')}
      <Icon name="down" />
    </Button>
  );
  return (
    <>
      {isDifferent && isNarrowed ? (
        <Button variant="quiet" small onClick={() => setAsked('save')}>
          {t(current ? 'savedFilters.saveNew' : 'savedFilters.save')}
        </Button>
      ) : null}
      {current && (!current.shared || mayShare) ? (
        <LazyMenu load={load} button={button}>
          <OpenedMenu button={button} position="bottom-start" width={280}>
            <Menu.Item disabled={!isDifferent} onClick={() => update.mutate(current)}>
              {t('savedFilters.update')}
            </Menu.Item>
            <Menu.Item onClick={() => setAsked('rename')}>{t('savedFilters.rename')}</Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => setAsked('delete')}>{t('savedFilters.delete')}</Menu.Item>
          </OpenedMenu>
        </LazyMenu>
      ) : null}
      <Suspense>
        {asked === 'save' || (asked === 'rename' && current) ? (
          <FilterDialog
            project={project}
            filter={asked === 'rename' ? current : undefined}
            conditions={conditionsOf(state)}
            mayShare={mayShare}
            onSaved={(filter) => {
              close();
              if (asked === 'save') onState(stateOf(filter));
              saved(filter.name);
            }}
            onClose={close}
          />
        ) : null}
      </Suspense>
      {asked === 'delete' && current ? (
        <ConfirmDialog
          title={t('savedFilters.delete')}
          which={current.name}
          action={t('action.delete')}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(current)}
          onClose={close}
        >
          <p>{t('savedFilters.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
