import { Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ProjectUser, RoleChoice, RoleRight, RoleSlug } from '@signalbox/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { useSaving } from '../../../api/use-saving.ts';
import { roleTitle } from '../../../ui/access/role-labels.ts';
import { FieldRow, FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useTranslatedErrors } from '../../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import { RoleEffect } from './role-effect.tsx';
import { RIGHT_GROUPS, RIGHT_HELP, RIGHT_LABELS } from './role-rights.ts';
import css from './roles.module.css';

export interface RoleValues {
  name: string;
  starts_from: Exclude<RoleSlug, 'owner'>;
  rights: RoleRight[];
}

interface RoleDialogProps {
  /** The role to change; undefined for a new one. */
  role: RoleValues | undefined;
  /** The fixed roles from which a role can start. */
  starts: readonly RoleChoice[];
  /** The members with the role; undefined for a role of the system. */
  members: readonly ProjectUser[] | undefined;
  send: (values: RoleValues) => Promise<unknown>;
  stale: QueryKey;
  onClose: () => void;
}

const withRight = (rights: readonly RoleRight[], right: RoleRight, isChosen: boolean): RoleRight[] =>
  isChosen ? [...rights, right] : rights.filter((one) => one !== right);

/** A role of a project or of the system: its rights, and what they change. */
export const RoleDialog = ({ role, starts, members, send, stale, onClose }: RoleDialogProps) => {
  const { t } = useTranslation();
  const form = useForm<RoleValues>({
    initialValues: role ?? { name: '', starts_from: 'guest', rights: [] },
    validate: { name: (name) => (name.trim() === '' ? t('form.nameRequired') : null) },
  });
  useTranslatedErrors(form);
  const saving = useSaving<RoleValues>({
    send,
    stale,
    onSaved: ({ name }) => {
      showToast('ok', t('roles.saved', { name }));
      onClose();
    },
    onFields: (fields) => form.setErrors(fields),
  });
  const { rights, starts_from } = form.values;
  const start = starts.find(({ slug }) => slug === starts_from);
  return (
    <FormDialog
      title={role ? t('roles.edit') : t('roles.add')}
      which={role?.name}
      width={860}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('roles.save')}
      remark={members && members.length > 0 ? t('roles.atOnce', { count: members.length }) : undefined}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <div className={css.columns}>
        <div>
          <FieldRow>
            <TextInput label={t('column.name')} data-autofocus maxLength={255} {...form.getInputProps('name')} />
            <Select
              label={t('roles.startsFrom')}
              data={starts.map((choice) => ({ value: choice.slug, label: roleTitle(t, choice) }))}
              allowDeselect={false}
              value={starts_from}
              onChange={(slug) => {
                const chosen = starts.find((choice) => choice.slug === slug);
                if (!chosen) return;
                form.setValues({
                  starts_from: chosen.slug as RoleValues['starts_from'],
                  rights: [...chosen.rights],
                });
              }}
            />
          </FieldRow>
          <p className={css.reads}>{t('roles.reads')}</p>
          <div className={css.groups}>
            {RIGHT_GROUPS.map(({ title, rights: ofGroup }) => (
              <fieldset key={title} className={css.group}>
                <legend>{t(title)}</legend>
                {ofGroup.map((right) => {
                  const isIncluded = right === 'stop_tasks' && rights.includes('run_tasks');
                  return (
                    <Checkbox
                      key={right}
                      label={t(RIGHT_LABELS[right])}
                      description={right in RIGHT_HELP ? t(RIGHT_HELP[right as keyof typeof RIGHT_HELP]) : undefined}
                      checked={isIncluded || rights.includes(right)}
                      disabled={isIncluded}
                      onChange={({ currentTarget: { checked } }) =>
                        form.setFieldValue('rights', (before) => withRight(before, right, checked))
                      }
                    />
                  );
                })}
              </fieldset>
            ))}
          </div>
        </div>
        <RoleEffect rights={rights} start={start} members={members} />
      </div>
    </FormDialog>
  );
};
