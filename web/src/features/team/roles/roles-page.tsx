import type { ProjectUser } from '@signalbox/contract';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { useDeletion } from '../../../api/use-deletion.ts';
import { listText } from '../../../lang/locale.ts';
import { roleTitle } from '../../../ui/access/role-labels.ts';
import { IconButton } from '../../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ListPage } from '../../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../../ui/lists/list-table.tsx';
import table from '../../../ui/lists/table.module.css';
import { showToast } from '../../../ui/toast/toast-store.ts';
import { RoleDialog, type RoleValues } from './role-dialog.tsx';
import { listedRights, RIGHT_LABELS } from './role-rights.ts';
import type { RoleRow } from './role-rows.ts';

interface RolesPageProps {
  before?: ReactNode;
  /** All roles; undefined while they load. */
  roles: readonly RoleRow[] | undefined;
  /** The members of the project; undefined for the roles of the system. */
  members: readonly ProjectUser[] | undefined;
  mayEdit: boolean;
  create: (values: RoleValues) => Promise<unknown>;
  update: (id: number, values: RoleValues) => Promise<unknown>;
  remove: (id: number) => Promise<unknown>;
  stale: QueryKey;
  error: Error | null;
  onRetry: () => void;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The roles of a project or of the system, with the names of their rights. */
export const RolesPage = (props: RolesPageProps) => {
  const { before, roles, members, mayEdit, create, update, remove, stale, error, state, onState } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const [edited, setEdited] = useState<RoleRow | 'new'>();
  const { deletion, ask, confirm, close } = useDeletion<RoleRow>({
    remove: ({ id }) => remove(id),
    onRemoved: async ({ name }) => {
      showToast('ok', t('roles.deleted', { name }));
      await client.invalidateQueries({ queryKey: stale });
    },
    onRefused: (text) => showToast('error', text),
  });
  const membersWith = (role: RoleRow): readonly ProjectUser[] =>
    (members ?? []).filter(({ role: slug, role_id }) => slug === role.slug && role_id === role.role_id);
  const origin = ({ slug, of_system }: RoleRow): string =>
    slug === 'custom' ? t(of_system ? 'roles.ofSystem' : 'roles.ofProject') : t('roles.fixed');
  const rightsText = ({ slug, rights }: RoleRow): string => {
    if (slug === 'owner') return t('roles.everything');
    if (rights.length === 0) return t('roles.readsOnly');
    // The names of rights begin with capitals, which would be wrong within a text.
    return listedRights(rights)
      .map((right) => t(RIGHT_LABELS[right]))
      .join(' · ');
  };
  const columns: ShownColumn<RoleRow>[] = [
    { id: 'name', title: 'column.name', text: (role) => roleTitle(t, role), width: '20%' },
    { id: 'rights', title: 'roles.rights', text: rightsText, wraps: true },
    { id: 'origin', title: 'roles.origin', text: origin, wraps: true, width: '18%' },
    ...(members
      ? [
          {
            id: 'people',
            title: 'roles.people',
            text: (role: RoleRow) => listText(membersWith(role).map(({ name }) => name)),
            width: '22%',
            cell: (role: RoleRow) => {
              const names = membersWith(role).map(({ name }) => name);
              return (
                <span className={table.cell}>
                  <span className="cut" title={names.join(', ')}>
                    {names.length === 0 ? '–' : listText(names)}
                  </span>
                </span>
              );
            },
          } as const,
        ]
      : []),
  ];
  const rows = roles && arrange(roles, columns, state);
  return (
    <>
      <ListPage
        title={t('roles.title')}
        before={before}
        add={mayEdit ? t('roles.add') : undefined}
        onAdd={() => setEdited('new')}
        filter={t('roles.filter')}
        count={roles?.length}
        shown={rows?.length ?? 0}
        state={state}
        onState={onState}
        error={error ? errorText(error) : undefined}
        onRetry={props.onRetry}
        emptyTitle={t('roles.title')}
        emptyText={t('roles.emptyText')}
      >
        <ListTable
          label={t('roles.title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          state={state}
          onState={onState}
          actions={
            mayEdit
              ? (role) =>
                  role.values ? (
                    <>
                      <IconButton
                        icon="edit"
                        label={t('roles.editOne', { name: role.name })}
                        onClick={() => setEdited(role)}
                      />
                      <IconButton
                        icon="trash"
                        label={t('roles.deleteOne', { name: role.name })}
                        onClick={() => ask(role)}
                      />
                    </>
                  ) : null
              : undefined
          }
        />
      </ListPage>
      {edited ? (
        <RoleDialog
          role={edited === 'new' ? undefined : edited.values}
          starts={(roles ?? []).filter(({ slug }) => slug !== 'custom' && slug !== 'owner')}
          members={members && (edited === 'new' ? [] : membersWith(edited))}
          send={(values) => (edited === 'new' ? create(values) : update(edited.id, values))}
          stale={stale}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {deletion ? (
        <ConfirmDialog
          title={t('roles.deleteTitle')}
          which={deletion.item.name}
          action={t('action.delete')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t('roles.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
