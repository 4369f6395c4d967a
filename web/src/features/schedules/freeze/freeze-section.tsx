import type { FreezeWindow } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { freezeWindowsQuery } from '../../../api/queries.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { RowActions } from '../../../ui/lists/row-actions.tsx';
import { useNowAs } from '../../../ui/time/clock.ts';
import { dayAndTime, longDuration, whenText, zoneText } from '../../../ui/time/when-text.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import css from './freeze.module.css';
import { FreezeForm } from './freeze-form.tsx';
import { targetOf } from './freeze-form-values.ts';
import { useTargetText } from './use-target-text.ts';

/** What a window freezes, as a link to it. */
const Target = ({ project, window }: { project: number; window: FreezeWindow }) => {
  const { target, id } = targetOf(window);
  const text = useTargetText(project)(window);
  if (id === null) return text;
  const params = { projectId: project };
  switch (target) {
    case 'template':
      return (
        <Link to="/project/$projectId/templates/$templateId" params={{ ...params, templateId: id }} search={{}}>
          {text}
        </Link>
      );
    case 'inventory':
      return (
        <Link to="/project/$projectId/inventory" params={params} search={{ edit: id }}>
          {text}
        </Link>
      );
    default:
      return (
        <Link to="/project/$projectId/templates" params={params} search={{ label: id }}>
          {text}
        </Link>
      );
  }
};

const Time = ({ window: { current } }: { window: FreezeWindow }) => {
  const { t } = useTranslation();
  const isActive = useNowAs((now) => (current && Date.parse(current.from) <= now ? 1 : 0));
  if (current === null) return <span className="muted">{t('freeze.over')}</span>;
  const to = dayAndTime(current.to);
  if (isActive === 1) return <b className={css.active}>{t('freeze.active', { to })}</b>;
  return <span>{t('freeze.span', { from: dayAndTime(current.from), to })}</span>;
};

/** When a window repeats, and for how long. */
const useRepetition = (): ((window: FreezeWindow) => string[]) => {
  const { t } = useTranslation();
  return ({ cron_format, duration_seconds, timezone }) =>
    duration_seconds === null
      ? []
      : [
          whenText(t, { cron_format, run_at: null, interval_seconds: null }),
          longDuration(duration_seconds),
          zoneText(timezone),
        ];
};

const useRemoval = (project: number, onRemoved: () => void) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('deleteFreezeWindow', { params: { project_id: project, freeze_window_id: id } }),
    onSuccess: () => showToast('ok', t('freeze.deleted')),
    onError: (error) => showToast('error', errorText(error)),
    onSettled: async () => {
      onRemoved();
      await client.invalidateQueries({ queryKey: queryKey.freezeWindows(project) });
    },
  });
};

/** When a window is next or now; the last ones are over. */
const timeOf = ({ current }: FreezeWindow): number => (current === null ? Number.MAX_VALUE : Date.parse(current.from));

const byTime = (a: FreezeWindow, b: FreezeWindow): number => timeOf(a) - timeOf(b);

interface FreezeSectionProps {
  project: number;
  mayEdit: boolean;
  /** Id of the window whose form is open. */
  edited: number | 'new' | undefined;
  onEdit: (window: number | 'new' | undefined) => void;
}

/** The freeze windows of a project, with the form that creates and changes them. Nothing for a project without any. */
export const FreezeSection = ({ project, mayEdit, edited, onEdit }: FreezeSectionProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(freezeWindowsQuery(project));
  const windows = useMemo(() => (data ?? []).toSorted(byTime), [data]);
  const repetition = useRepetition();
  const [removed, setRemoved] = useState<FreezeWindow>();
  const removal = useRemoval(project, () => setRemoved(undefined));
  const item = windows.find(({ id }) => id === edited);
  return (
    <>
      {windows.length === 0 ? null : (
        <section className={css.section} aria-label={t('freeze.title')}>
          <h2>{t('freeze.title')}</h2>
          <ul>
            {windows.map((window) => (
              <li key={window.id}>
                <Icon name="lock" />
                <span className={css.lines}>
                  <span>
                    <b>{window.name}</b> <Time window={window} />
                  </span>
                  <small>
                    <Target project={project} window={window} />
                    {[
                      '',
                      ...repetition(window),
                      t(window.scheduled_runs === 'hold' ? 'freeze.holdsRuns' : 'freeze.skipsRuns'),
                    ].join(t('separator.comma'))}
                  </small>
                  <small>{window.reason}</small>
                </span>
                {mayEdit ? (
                  <span className={css.actions}>
                    <RowActions
                      name={window.name}
                      onEdit={() => onEdit(window.id)}
                      onDelete={() => setRemoved(window)}
                    />
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </section>
      )}
      {mayEdit && (edited === 'new' || item) ? (
        <FreezeForm key={edited} project={project} item={item} onClose={() => onEdit(undefined)} />
      ) : null}
      {removed ? (
        <ConfirmDialog
          title={t('freeze.deleteTitle')}
          which={removed.name}
          action={t('action.delete')}
          isBusy={removal.isPending}
          onConfirm={() => removal.mutate(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t('freeze.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
