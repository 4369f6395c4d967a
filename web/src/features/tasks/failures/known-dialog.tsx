import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FailureCluster, Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { useSaving } from '../../../api/use-saving.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { failureText } from '../../../ui/tasks/failure-text.ts';
import { keptMoment, localMoment } from '../../../ui/time/local-moment.ts';
import { DAY_MS } from '../../../ui/time/time.ts';

interface KnownDialogProps {
  task: Task;
  failure: number;
  cluster: FailureCluster;
  onClose: () => void;
}

type End = 'none' | 'time' | 'commit';
type Values = { end: End; until: string };

const WEEK_MS = 7 * DAY_MS;

const endOf = ({ remark }: FailureCluster): End => {
  if (remark?.known_until) return 'time';
  return remark?.known_commit ? 'commit' : 'time';
};

/** Until when a failure is known. Until then it stays visible, but needs no attention. */
export const KnownDialog = ({ task, failure, cluster, onClose }: KnownDialogProps) => {
  const { t } = useTranslation();
  const stored = cluster.remark?.known_until ?? null;
  const commit = task.commit_hash ?? cluster.remark?.known_commit ?? '';
  const isSet = cluster.remark !== null && (stored !== null || cluster.remark.known_commit !== '');
  const form = useForm<Values>({
    initialValues: {
      end: endOf(cluster),
      until: localMoment(stored ?? new Date(Date.now() + WEEK_MS).toISOString()),
    },
    validate: { until: (until, { end }) => (end === 'time' && until === '' ? t('cluster.untilRequired') : null) },
  });
  const saving = useSaving<Values>({
    send: ({ end, until }) =>
      call('updateFailure', {
        params: { project_id: task.project_id, failure_id: failure },
        body: {
          known_until: end === 'time' ? keptMoment(until, stored) : null,
          known_commit: end === 'commit' ? commit : '',
        },
      }),
    stale: queryKey.failures(task.project_id),
    onSaved: onClose,
    onFields: (fields) => form.setErrors({ until: fields.known_until ?? fields.known_commit }),
  });
  const ends: readonly (readonly [End, string])[] = [
    ['time', t('cluster.untilTime')],
    ...(commit === '' ? [] : [['commit', t('cluster.untilCommit', { commit: commit.slice(0, 7) })] as const]),
    ...(isSet ? [['none', t('cluster.notKnown')] as const] : []),
  ];
  return (
    <FormDialog
      title={t('cluster.knownTitle')}
      which={failureText(t, cluster)}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('cluster.saveKnown')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <Select
        label={t('cluster.knownTitle')}
        description={t('cluster.knownHelp')}
        allowDeselect={false}
        data={ends.map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('end')}
      />
      {form.values.end === 'time' ? (
        <TextInput
          type="datetime-local"
          label={t('cluster.until')}
          description={t('schedules.yourTime')}
          {...form.getInputProps('until')}
        />
      ) : null}
    </FormDialog>
  );
};
