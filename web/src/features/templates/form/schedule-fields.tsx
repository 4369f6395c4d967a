import { Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Schedule } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { repositoriesQuery } from '../../../api/queries.ts';
import { listText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { FieldRow } from '../../../ui/dialogs/form-dialog.tsx';
import { ObjectSelect } from '../../../ui/forms/object-select.tsx';
import { exactTime } from '../../../ui/time/time.ts';
import type { TemplateForm } from './save-template.ts';
import { hasSimpleSchedule } from './schedule-values.ts';
import css from './template-form.module.css';

interface ScheduleFieldsProps {
  project: number;
  form: UseFormReturnType<TemplateForm>;
  schedules: readonly Schedule[];
  /** Fields of the template that an import could not keep. While there are any, schedules do not start the template. */
  lost: readonly string[];
}

const EXAMPLE = '0 4 * * 1-5';

/** The schedule of the template. With more than one schedule, the form does not change them. */
export const ScheduleFields = ({ project, form, schedules, lost }: ScheduleFieldsProps) => {
  const { t } = useTranslation();
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const lostAlert =
    lost.length > 0 && schedules.length > 0 ? (
      <Alert colour="stop">{t('schedule.lost', { fields: listText(lost) })}</Alert>
    ) : null;
  const link = (
    <Link to="/project/$projectId/schedules" params={{ projectId: project }} search={{}}>
      {t('schedule.open')}
    </Link>
  );
  if (!hasSimpleSchedule(schedules))
    return (
      <>
        {lostAlert}
        <p className={css.remark}>
          {t('schedule.several', { count: schedules.length })} {link}
        </p>
      </>
    );
  const wanted = form.values.schedule.cron_format.trim() !== '';
  // The due times are those of the saved cron.
  const isSaved = form.values.schedule.cron_format.trim() === schedules[0]?.cron_format;
  const times = isSaved ? (schedules[0]?.next_times.slice(0, 3) ?? []) : [];
  return (
    <>
      {lostAlert}
      <FieldRow>
        <TextInput
          label={t('schedule.cron')}
          description={t('schedule.cronHelp')}
          placeholder={EXAMPLE}
          spellCheck={false}
          classNames={{ input: css.mono ?? '' }}
          {...form.getInputProps('schedule.cron_format')}
        />
        <TextInput
          label={t('schedule.name')}
          maxLength={255}
          disabled={!wanted}
          {...form.getInputProps('schedule.name')}
        />
      </FieldRow>
      {wanted ? (
        <>
          <ObjectSelect
            label={t('schedule.onCommit')}
            help={t('schedule.onCommitHelp')}
            placeholder={t('schedule.always')}
            icon="repository"
            items={repositories}
            isOptional
            {...form.getInputProps('schedule.repository_id')}
          />
          <Checkbox
            className={css.gap ?? ''}
            label={t('schedule.active')}
            {...form.getInputProps('schedule.active', { type: 'checkbox' })}
          />
          {schedules.length === 0 ? null : (
            <p className={css.remark}>
              {t('schedule.more')} {link}
            </p>
          )}
          {times.length > 0 ? (
            <p className={css.remark}>{t('schedule.next', { times: times.map((at) => exactTime(at)).join(' · ') })}</p>
          ) : null}
        </>
      ) : null}
    </>
  );
};
