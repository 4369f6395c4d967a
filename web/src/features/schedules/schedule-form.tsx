import { Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schedule, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { infoQuery, repositoriesQuery, roleQuery, templatesQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { mayByRole } from '../../ui/access/permissions.ts';
import { FieldRow, FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import type { LaunchForm } from '../../ui/forms/launch-form.ts';
import { ObjectSelect } from '../../ui/forms/object-select.tsx';
import { useOptional } from '../../ui/forms/use-optional.ts';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { SavedLaunchSelect } from './saved-launch-select.tsx';
import {
  type ScheduleFormValues,
  scheduleFormBody,
  scheduleFormProblems,
  scheduleFormValues,
} from './schedule-form-values.ts';
import { useScheduleName } from './schedule-row.tsx';
import css from './schedules.module.css';
import { timeZones } from './time-zones.ts';

interface ScheduleFormProps<V extends object> {
  project: number;
  item: Schedule | undefined;
  mayEdit: boolean;
  launch: LaunchForm<V>;
  onClose: () => void;
}

/** The names of this form for the fields of the server. */
const NAMES: Readonly<Record<string, string>> = { interval_seconds: 'interval' };

const OVERLAPS = [
  { value: 'template', labelKey: 'schedules.overlaps.template' },
  { value: 'skip', labelKey: 'schedules.overlaps.skip' },
  { value: 'queue', labelKey: 'schedules.overlaps.queue' },
  { value: 'parallel', labelKey: 'schedules.overlaps.parallel' },
] as const;

/** Form of a schedule: when it is due, and what its tasks are started with. */
export const ScheduleForm = <V extends object>(props: ScheduleFormProps<V>) => {
  const { data: templates } = useQuery(templatesQuery(props.project));
  // The first values of the form depend on the template.
  return templates ? <LoadedForm {...props} templates={templates} /> : null;
};

const LoadedForm = <V extends object>(props: ScheduleFormProps<V> & { templates: readonly Template[] }) => {
  const { project, item, mayEdit, launch, onClose, templates } = props;
  const { t } = useTranslation();
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const { data: info } = useQuery(infoQuery());
  const { data: role } = useQuery(roleQuery(project));
  const nameOf = useScheduleName();
  const optional = useOptional();
  const templateOf = (id: string | null) => templates.find((one) => String(one.id) === id);
  const own = scheduleFormValues(item);
  const first = templateOf(own.template_id);
  const secrets = item?.secret_answers ?? [];
  const form = useForm<ScheduleFormValues & V>({
    initialValues: {
      ...(first ? launch.values(first, item?.launch_values) : {}),
      ...own,
    } as ScheduleFormValues & V,
    validate: (values) => {
      const chosen = templateOf(values.template_id);
      const problems = Object.entries(scheduleFormProblems(values)).map(([field, key]) => [field, t(key)]);
      const ofLaunch = chosen && values.saved_launch_id === null ? launch.problems(chosen, values, secrets, t) : {};
      return { ...ofLaunch, ...Object.fromEntries(problems) };
    },
  });
  useTranslatedErrors(form);
  const { values } = form;
  const template = templateOf(values.template_id);
  const field = (name: keyof ScheduleFormValues) => form.getInputProps(name as never);
  const set = (change: Partial<ScheduleFormValues>) => form.setValues(change as Partial<ScheduleFormValues & V>);
  const params = { project_id: project };
  const saving = useSaving<ScheduleFormValues & V>({
    send: (given) => {
      const chosen = templateOf(given.template_id);
      if (!chosen) return Promise.resolve();
      const body = scheduleFormBody(given, launch.body(chosen, given), item);
      return item === undefined
        ? call('createSchedule', { params, body })
        : call('updateSchedule', { params: { ...params, schedule_id: item.id }, body });
    },
    stale: queryKey.anySchedules(project),
    onSaved: () => {
      showToast('ok', t('schedules.saved'));
      onClose();
    },
    onFields: (fields) =>
      form.setErrors(
        launch.serverFields(
          Object.fromEntries(Object.entries(fields).map(([name, text]) => [NAMES[name] ?? name, text])),
        ),
      ),
  });
  const choose = (id: string | null) => {
    const chosen = templateOf(id);
    // Another template has another survey.
    if (chosen)
      form.setValues({ ...launch.values(chosen), template_id: id, saved_launch_id: null } as Partial<
        ScheduleFormValues & V
      >);
    else set({ template_id: id });
  };
  const overlaps = OVERLAPS.filter(({ value }) => value !== 'parallel' || template?.allow_parallel_tasks);
  return (
    <FormDialog
      width={720}
      title={t(item ? 'schedules.editTitle' : 'schedules.new')}
      which={item && nameOf(item)}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('schedules.save')}
      mayEdit={mayEdit}
      onSubmit={form.onSubmit((given) => saving.mutate(given))}
      onClose={onClose}
    >
      <FieldRow>
        <TextInput label={t('form.name')} maxLength={255} data-autofocus={mayEdit || undefined} {...field('name')} />
        <ObjectSelect
          label={t('template.title')}
          placeholder={t('schedules.chooseTemplate')}
          icon="templates"
          items={templates.filter(({ id }) => id === item?.template_id || mayByRole(role, id, 'edit_schedules'))}
          {...field('template_id')}
          onChange={choose}
        />
      </FieldRow>
      <FieldRow>
        <Choice
          label={t('schedules.when')}
          options={[
            { value: 'cron', label: t('schedule.cron') },
            { value: 'interval', label: t('schedules.interval') },
            { value: 'run_at', label: t('schedules.onceChoice') },
          ]}
          value={values.type}
          onChange={(type) => set({ type })}
        />
        {values.type === 'cron' ? (
          <TextInput
            label={t('schedule.cron')}
            description={t('schedules.cronHelp')}
            placeholder="0 4 * * 1-5"
            spellCheck={false}
            {...field('cron_format')}
          />
        ) : values.type === 'interval' ? (
          <TextInput label={t('schedules.minutes')} inputMode="numeric" {...field('interval')} />
        ) : (
          <TextInput
            type="datetime-local"
            label={t('schedules.runAt')}
            description={t('schedules.yourTime')}
            {...field('run_at')}
          />
        )}
      </FieldRow>
      <FieldRow>
        {values.type === 'cron' ? (
          <Select
            label={t('schedules.zone')}
            description={t('schedules.zoneHelp', { zone: info?.schedule_timezone ?? 'UTC' })}
            placeholder={info?.schedule_timezone ?? 'UTC'}
            data={timeZones()}
            searchable
            clearable
            limit={100}
            nothingFoundMessage={t('list.noMatch')}
            {...field('own_timezone')}
          />
        ) : null}
        <Select
          label={t('schedules.overlap')}
          description={t('schedules.overlapHelp')}
          allowDeselect={false}
          data={overlaps.map(({ value, labelKey }) => ({ value, label: t(labelKey) }))}
          {...field('overlap')}
        />
      </FieldRow>
      <FieldRow>
        <TextInput
          type="datetime-local"
          label={t('schedules.startsAt')}
          description={t('schedules.yourTime')}
          {...optional}
          {...field('starts_at')}
        />
        <TextInput
          type="datetime-local"
          label={t('schedules.endsAt')}
          description={t('schedules.yourTime')}
          {...optional}
          {...field('ends_at')}
        />
      </FieldRow>
      <FieldRow>
        <TextInput
          label={t('schedules.jitter')}
          description={t('schedules.jitterHelp')}
          inputMode="numeric"
          {...field('jitter_seconds')}
        />
        <ObjectSelect
          label={t('schedule.onCommit')}
          placeholder={t('schedule.always')}
          icon="repository"
          items={repositories}
          isOptional
          {...field('repository_id')}
        />
      </FieldRow>
      <Checkbox label={t('schedule.active')} {...form.getInputProps('active' as never, { type: 'checkbox' })} />
      {template ? (
        <section className={css.values} aria-label={t('schedules.values')}>
          <h3>{t('schedules.values')}</h3>
          <SavedLaunchSelect
            template={template}
            value={values.saved_launch_id}
            onChange={(saved_launch_id) => set({ saved_launch_id })}
            error={form.errors.saved_launch_id}
          />
          {values.saved_launch_id === null ? (
            <launch.Fields
              key={template.id}
              template={template}
              form={form}
              stored={item?.template_id === template.id ? item.launch_values : undefined}
              storedSecrets={secrets}
            />
          ) : null}
        </section>
      ) : null}
    </FormDialog>
  );
};
