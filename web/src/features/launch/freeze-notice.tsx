import { TextInput } from '@mantine/core';
import type { FreezeWindow, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { freezeWindowsQuery, roleQuery } from '../../api/queries.ts';
import { mayOverride } from '../../ui/access/permissions.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { useNowAs } from '../../ui/time/clock.ts';
import { dayAndTime } from '../../ui/time/when-text.ts';
import type { NewTaskFormState } from './new-task-form.tsx';

const freezes = (
  { template_id, inventory_id, label_id }: FreezeWindow,
  { id, labels }: Template,
  inventory: string | null,
): boolean => {
  if (template_id !== null) return template_id === id;
  if (inventory_id !== null) return String(inventory_id) === inventory;
  return label_id === null || labels.includes(label_id);
};

export interface ActiveFreeze {
  /** The windows that are active now for the task, the one that ends last first. */
  readonly windows: readonly FreezeWindow[];
  /** Whether the user may start the task with a reason. */
  readonly mayStart: boolean;
}

/** The freeze windows that concern a new task now; undefined without any. */
export const useActiveFreeze = (template: Template, inventory: string | null): ActiveFreeze | undefined => {
  const { data = [] } = useQuery(freezeWindowsQuery(template.project_id));
  const { data: role } = useQuery(roleQuery(template.project_id));
  const isActive =
    (now: number) =>
    ({ current }: FreezeWindow) =>
      current !== null && Date.parse(current.from) <= now && Date.parse(current.to) > now;
  const active = useNowAs((now) =>
    data
      .filter(isActive(now))
      .map(({ id }) => id)
      .join(),
  );
  const windows = data
    .filter(({ id }) => active.split(',').includes(String(id)))
    .filter((window) => freezes(window, template, inventory))
    .toSorted((a, b) => ((a.current?.to ?? '') < (b.current?.to ?? '') ? 1 : -1));
  return windows.length === 0 ? undefined : { windows, mayStart: mayOverride(role, template.id) };
};

/** Shows the active freeze windows, and asks for a reason or explains why the user can't start the task. */
export const FreezeNotice = ({ freeze, form }: { freeze: ActiveFreeze; form: NewTaskFormState }) => {
  const { t } = useTranslation();
  return (
    <>
      {freeze.windows.map(({ id, name, reason, current }) => (
        <Alert key={id} colour="stop">
          {t('freeze.now', { name, reason, to: dayAndTime(current?.to ?? '') })}
          {freeze.mayStart ? null : <div>{t('freeze.blocked')}</div>}
        </Alert>
      ))}
      {freeze.mayStart ? (
        <TextInput
          label={t('freeze.startReason')}
          description={t('freeze.startReasonHelp')}
          maxLength={1024}
          withAsterisk
          {...form.getInputProps('freeze_reason')}
        />
      ) : null}
    </>
  );
};
