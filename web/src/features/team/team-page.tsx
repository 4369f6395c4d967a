import { Select } from '@mantine/core';
import type { ProjectUser } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rolesQuery } from '../../api/access-queries.ts';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { roleQuery, teamQuery, userQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { mayDo } from '../../ui/access/permissions.ts';
import { roleOfValue, roleOptions, roleValue, titleOfValue } from '../../ui/access/role-labels.ts';
import { PersonAvatar } from '../../ui/basics/avatars.tsx';
import { buttonClass, IconButton } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import table from '../../ui/lists/table.module.css';
import { showToast } from '../../ui/toast/toast-store.ts';
import { LeaveButton } from './leave-button.tsx';
import { NewMemberDialog } from './new-member-dialog.tsx';
import css from './team.module.css';

/** The role of a member. A change is saved immediately. */
const RoleSelect = ({ member, project }: { member: ProjectUser; project: number }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: roles = [] } = useQuery(rolesQuery(project));
  const change = useMutation({
    mutationFn: (value: string) =>
      call('updateProjectUser', {
        params: { project_id: project, user_id: member.user_id },
        body: { user_id: member.user_id, ...roleOfValue(value, roles) },
      }),
    onSuccess: (_, value) =>
      showToast('ok', t('team.changed', { name: member.name, role: titleOfValue(t, value, roles) })),
    onError: (error) => showToast('error', errorText(error)),
    // The user's own permissions may have changed too.
    onSettled: () => client.invalidateQueries({ queryKey: queryKey.project(project) }),
  });
  return (
    <Select
      className={css.role ?? ''}
      aria-label={t('team.roleOf', { name: member.name })}
      data={roleOptions(t, roles)}
      value={change.isPending ? change.variables : roleValue(member)}
      onChange={(role) => {
        if (role && role !== roleValue(member)) change.mutate(role);
      }}
      allowDeselect={false}
      // Not disabled, which would remove the focus.
      readOnly={change.isPending}
    />
  );
};

interface TeamPageProps {
  project: number;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The members of a project and their roles. */
export const TeamPage = ({ project, state, onState }: TeamPageProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery(teamQuery(project));
  const role = useQuery(roleQuery(project));
  const { data: me } = useQuery(userQuery());
  const [isAdding, setAdding] = useState(false);
  const mayEdit = mayDo(role.data, 'manage_users');
  const { deletion, ask, confirm, close } = useDeletion<ProjectUser>({
    remove: ({ user_id }) => call('removeProjectUser', { params: { project_id: project, user_id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('team.removed', { name }));
      await client.invalidateQueries({ queryKey: queryKey.project(project) });
    },
    onRefused: (text) => showToast('error', text),
  });
  const { data: roles = [] } = useQuery(rolesQuery(project));
  const roleText = (member: ProjectUser): string => titleOfValue(t, roleValue(member), roles);
  const columns: ShownColumn<ProjectUser>[] = [
    {
      id: 'name',
      title: 'column.name',
      text: ({ name }) => name,
      cell: ({ name, user_id }) => (
        <span className={table.cell}>
          <PersonAvatar name={name} />
          <span className="cut" title={name}>
            {name}
          </span>
          {user_id === me?.id ? <span className={css.you}>{t('team.you')}</span> : null}
        </span>
      ),
    },
    { id: 'username', title: 'users.username', text: ({ username }) => username, width: '28%' },
    {
      id: 'role',
      title: 'team.roleTitle',
      text: roleText,
      cell: (member) => (mayEdit ? <RoleSelect member={member} project={project} /> : roleText(member)),
      width: '26%',
    },
  ];
  const rows = query.data && arrange(query.data, columns, state);
  return (
    <>
      <ListPage
        title={t('team.title')}
        extra={
          <>
            <Link to="/project/$projectId/roles" params={{ projectId: project }} className={buttonClass('quiet')}>
              {t('roles.title')}
            </Link>
            {role.data?.role ? <LeaveButton project={project} isOwner={role.data.role === 'owner'} /> : null}
          </>
        }
        add={mayEdit ? t('team.add') : undefined}
        onAdd={() => setAdding(true)}
        filter={t('team.filter')}
        count={query.data?.length}
        shown={rows?.length ?? 0}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t('team.emptyTitle')}
        emptyText={t('team.emptyText')}
      >
        <ListTable
          label={t('team.title')}
          columns={columns}
          rows={rows}
          keyOf={({ user_id }) => user_id}
          state={state}
          onState={onState}
          actions={
            mayEdit
              ? (member) => (
                  <IconButton
                    icon="trash"
                    label={t('team.remove', { name: member.name })}
                    onClick={() => ask(member)}
                  />
                )
              : undefined
          }
        />
      </ListPage>
      {isAdding ? <NewMemberDialog project={project} onClose={() => setAdding(false)} /> : null}
      {deletion ? (
        <ConfirmDialog
          title={t('team.removeTitle')}
          which={deletion.item.name}
          action={t('team.removeAction')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t('team.removeText', { name: deletion.item.name })}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
