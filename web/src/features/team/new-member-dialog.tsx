import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { rolesQuery } from '../../api/access-queries.ts';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { teamQuery, usersQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { roleOfValue, roleOptions } from '../../ui/access/role-labels.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

interface MemberValues {
  user_id: string | null;
  role: string | null;
}

/** Dialog that adds a user to the project. */
export const NewMemberDialog = ({ project, onClose }: { project: number; onClose: () => void }) => {
  const { t } = useTranslation();
  const { data: users = [] } = useQuery(usersQuery());
  const { data: team = [] } = useQuery(teamQuery(project));
  const { data: roles = [] } = useQuery(rolesQuery(project));
  const inTeam = new Set(team.map(({ user_id }) => user_id));
  const form = useForm<MemberValues>({
    initialValues: { user_id: null, role: null },
    validate: {
      user_id: (value) => (value === null ? t('team.userRequired') : null),
      role: (value) => (value === null ? t('team.roleRequired') : null),
    },
  });
  useTranslatedErrors(form);
  const adding = useSaving<MemberValues>({
    send: ({ user_id, role }) =>
      call('addProjectUser', {
        params: { project_id: project },
        body: { user_id: Number(user_id), ...roleOfValue(role ?? '', roles) },
      }),
    stale: queryKey.team(project),
    onSaved: ({ user_id }) => {
      showToast('ok', t('team.added', { name: users.find(({ id }) => String(id) === user_id)?.name ?? '' }));
      onClose();
    },
    onFields: (fields) => form.setErrors(fields),
  });
  return (
    <FormDialog
      title={t('team.add')}
      width={480}
      error={adding.error ? errorText(adding.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={adding.isPending}
      save={t('team.save')}
      onSubmit={form.onSubmit((values) => adding.mutate(values))}
      onClose={onClose}
    >
      <Select
        label={t('column.user')}
        placeholder={t('team.chooseUser')}
        data={users
          .filter(({ id }) => !inTeam.has(id))
          .map(({ id, name, username }) => ({ value: String(id), label: `${name} (${username})` }))}
        searchable
        // This field has the focus at first; its dropdown must not hide the field below it.
        openOnFocus={false}
        nothingFoundMessage={t('list.noMatch')}
        data-autofocus
        {...form.getInputProps('user_id')}
      />
      <Select
        label={t('team.roleTitle')}
        placeholder={t('team.chooseRole')}
        description={t('team.roleHelp')}
        data={roleOptions(t, roles)}
        {...form.getInputProps('role')}
      />
    </FormDialog>
  );
};
