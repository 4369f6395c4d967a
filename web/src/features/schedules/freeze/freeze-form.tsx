import { Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FreezeWindow } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { infoQuery } from '../../../api/queries.ts';
import { useSaving } from '../../../api/use-saving.ts';
import { FieldRow, FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Choice } from '../../../ui/forms/choice.tsx';
import { ObjectSelect } from '../../../ui/forms/object-select.tsx';
import { useTranslatedErrors } from '../../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import { timeZones } from '../time-zones.ts';
import {
  type FreezeFormValues,
  freezeFormBody,
  freezeFormProblems,
  freezeFormValues,
  TARGETS,
  type Target,
} from './freeze-form-values.ts';
import { useFreezeObjects } from './use-freeze-objects.ts';

interface FreezeFormProps {
  project: number;
  item: FreezeWindow | undefined;
  onClose: () => void;
}

/** The names of this form for the fields of the server. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ duration_seconds: 'hours', template_id: 'object', inventory_id: 'object', label_id: 'object' },
};

const LABELS: Readonly<Record<Target, 'freeze.project' | 'template.title' | 'freeze.inventory' | 'freeze.label'>> = {
  project: 'freeze.project',
  template: 'template.title',
  inventory: 'freeze.inventory',
  label: 'freeze.label',
};
const ICONS = { template: 'templates', inventory: 'inventory', label: 'label' } as const;

/** The form of a freeze window. */
export const FreezeForm = ({ project, item, onClose }: FreezeFormProps) => {
  const { t } = useTranslation();
  const objects = useFreezeObjects(project);
  const { data: info } = useQuery(infoQuery());
  const form = useForm<FreezeFormValues>({
    initialValues: freezeFormValues(item),
    validate: (values) =>
      Object.fromEntries(Object.entries(freezeFormProblems(values)).map(([field, key]) => [field, t(key)])),
  });
  useTranslatedErrors(form);
  const { values } = form;
  const params = { project_id: project };
  const saving = useSaving<FreezeFormValues>({
    send: (given) => {
      const body = freezeFormBody(given, item);
      return item === undefined
        ? call('createFreezeWindow', { params, body })
        : call('updateFreezeWindow', { params: { ...params, freeze_window_id: item.id }, body });
    },
    stale: queryKey.freezeWindows(project),
    onSaved: () => {
      showToast('ok', t('freeze.saved'));
      onClose();
    },
    onFields: (fields) =>
      form.setErrors(Object.fromEntries(Object.entries(fields).map(([name, text]) => [NAMES[name] ?? name, text]))),
  });
  const { target } = values;
  return (
    <FormDialog
      width={640}
      title={t(item ? 'freeze.edit' : 'freeze.new')}
      which={item?.name}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('freeze.save')}
      onSubmit={form.onSubmit((given) => saving.mutate(given))}
      onClose={onClose}
    >
      <TextInput label={t('form.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={t('freeze.reason')}
        description={t('freeze.reasonHelp')}
        maxLength={1024}
        rows={2}
        {...form.getInputProps('reason')}
      />
      <FieldRow>
        <Select
          label={t('freeze.freezes')}
          allowDeselect={false}
          data={TARGETS.map((value) => ({ value, label: t(LABELS[value]) }))}
          value={target}
          onChange={(chosen) => form.setValues({ target: chosen as Target, object: null })}
        />
        {target === 'project' ? (
          <span />
        ) : (
          <ObjectSelect
            key={target}
            label={t(LABELS[target])}
            placeholder={t('freeze.choose')}
            icon={ICONS[target]}
            items={objects[target]}
            {...form.getInputProps('object')}
          />
        )}
      </FieldRow>
      <Choice
        label={t('freeze.when')}
        options={[
          { value: 'once', label: t('freeze.once') },
          { value: 'repeating', label: t('freeze.repeating') },
        ]}
        value={values.type}
        onChange={(type) => form.setValues({ type })}
      />
      {values.type === 'once' ? (
        <FieldRow>
          {(['starts_at', 'ends_at'] as const).map((name) => (
            <TextInput
              key={name}
              type="datetime-local"
              label={t(name === 'starts_at' ? 'freeze.from' : 'freeze.to')}
              description={t('schedules.yourTime')}
              {...form.getInputProps(name)}
            />
          ))}
        </FieldRow>
      ) : (
        <>
          <FieldRow>
            <TextInput
              label={t('schedule.cron')}
              description={t('freeze.cronHelp')}
              spellCheck={false}
              {...form.getInputProps('cron_format')}
            />
            <TextInput label={t('freeze.hours')} inputMode="decimal" {...form.getInputProps('hours')} />
          </FieldRow>
          <Select
            label={t('schedules.zone')}
            placeholder={info?.schedule_timezone ?? 'UTC'}
            description={t('schedules.zoneHelp', { zone: info?.schedule_timezone ?? 'UTC' })}
            data={timeZones()}
            searchable
            clearable
            limit={100}
            nothingFoundMessage={t('list.noMatch')}
            {...form.getInputProps('timezone')}
          />
        </>
      )}
      <Choice
        label={t('freeze.runs')}
        options={[
          { value: 'hold', label: t('freeze.hold') },
          { value: 'skip', label: t('freeze.skip') },
        ]}
        value={values.scheduled_runs}
        onChange={(scheduled_runs) => form.setValues({ scheduled_runs })}
      />
    </FormDialog>
  );
};
