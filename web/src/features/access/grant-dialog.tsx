import { Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Grant, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useSaving } from '../../api/use-saving.ts';
import { roleOptions } from '../../ui/access/role-labels.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import type { FixedValuesForm } from '../../ui/forms/launch-form.ts';
import { ObjectSelect } from '../../ui/forms/object-select.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './access.module.css';
import { type GrantNames, RIGHT_LABELS, RIGHTS } from './access-text.ts';
import { bodyOf, type GrantValues, valuesOf } from './grant-values.ts';

interface GrantDialogProps {
  template: Template;
  /** The grant to change; undefined for a new one. */
  grant: Grant | undefined;
  names: GrantNames;
  /** The fields of fixed hosts and answers. */
  fixed: FixedValuesForm;
  onClose: () => void;
}

/** Grants rights on a template, or on its view, to a user, a role or a group. */
export const GrantDialog = ({ template, grant, names, fixed, onClose }: GrantDialogProps) => {
  const { t } = useTranslation();
  const project_id = template.project_id;
  const form = useForm<GrantValues>({
    initialValues: valuesOf(grant, grant ? fixed.values(template, grant.answers) : {}),
    validate: ({ to, user, role, group, rights, wholeView, answers }) => ({
      ...(to === 'user' && user === null ? { user: t('team.userRequired') } : {}),
      ...(to === 'role' && role === null ? { role: t('team.roleRequired') } : {}),
      ...(to === 'group' && group.trim() === '' ? { group: t('grants.groupRequired') } : {}),
      ...(rights.includes('run') && !wholeView ? fixed.problems(template, answers) : {}),
    }),
  });
  useTranslatedErrors(form);
  const { values } = form;
  const saving = useSaving<GrantValues>({
    send: (given) => {
      const body = bodyOf(given, template, names.roles, fixed.text(template, given.answers));
      return grant
        ? call('updateGrant', { params: { project_id, grant_id: grant.id }, body })
        : call('createGrant', { params: { project_id }, body });
    },
    stale: queryKey.grants(project_id),
    onSaved: () => {
      showToast('ok', t('grants.saved'));
      onClose();
    },
    onFields: (fields) =>
      form.setErrors({
        ...fields,
        user: fields.user_id,
        role: fields.role ?? fields.role_id,
        group: fields.group_name,
      }),
  });
  const runs = values.rights.includes('run');
  return (
    <FormDialog
      title={grant ? t('grants.editGrant') : t('grants.grantAccess')}
      which={template.name}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('grants.saveGrant')}
      remark={t('grants.atOnce')}
      onSubmit={form.onSubmit((given) => saving.mutate(given))}
      onClose={onClose}
    >
      <Choice
        label={t('grants.grantTo')}
        options={[
          { value: 'user', label: t('column.user') },
          { value: 'role', label: t('team.roleTitle') },
          { value: 'group', label: t('grants.groupTitle') },
        ]}
        value={values.to}
        onChange={(to) => form.setFieldValue('to', to)}
      />
      {values.to === 'user' ? (
        <ObjectSelect
          label={t('column.user')}
          placeholder={t('team.chooseUser')}
          icon="team"
          items={names.users}
          {...form.getInputProps('user')}
        />
      ) : null}
      {values.to === 'role' ? (
        <Select
          label={t('team.roleTitle')}
          placeholder={t('team.chooseRole')}
          data={roleOptions(t, names.roles)}
          {...form.getInputProps('role')}
        />
      ) : null}
      {values.to === 'group' ? (
        <TextInput
          label={t('grants.groupTitle')}
          description={t('grants.groupHelp')}
          spellCheck={false}
          {...form.getInputProps('group')}
        />
      ) : null}
      {template.view_id === null ? null : (
        <Checkbox label={t('grants.wholeView')} {...form.getInputProps('wholeView', { type: 'checkbox' })} />
      )}
      <Checkbox.Group label={t('grants.rights')} error={form.errors.rights} {...form.getInputProps('rights')}>
        <div className={css.rights}>
          {RIGHTS.map((right) => (
            <Checkbox key={right} value={right} label={t(RIGHT_LABELS[right])} disabled={right === 'see'} />
          ))}
        </div>
      </Checkbox.Group>
      {runs ? (
        <>
          <ObjectSelect
            label={t('grants.onlyInventory')}
            placeholder={t('grants.asTemplate')}
            icon="inventory"
            items={names.inventories}
            isOptional
            {...form.getInputProps('inventory')}
          />
          <fixed.Hosts
            label={t('grants.onlyLimit')}
            template={template}
            inventory={values.inventory}
            value={values.limit}
            error={form.errors.limit}
            onChange={(limit) => form.setFieldValue('limit', limit)}
          />
          {values.wholeView || template.survey_vars.length === 0 ? null : (
            <fixed.Fields
              template={template}
              values={values.answers}
              errors={form.errors}
              onChange={(answers) => form.setFieldValue('answers', answers)}
            />
          )}
        </>
      ) : null}
    </FormDialog>
  );
};
