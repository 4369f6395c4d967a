import type { SlowerSince, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../apps/page-apps.ts';
import { listText, numberText } from '../../lang/locale.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { DialogLink } from '../../ui/basics/links.tsx';
import { COMPARED_FIELD_LABELS } from '../../ui/tasks/compared-fields.ts';
import { versionName } from '../../ui/tasks/version-name.ts';
import { durationText } from '../../ui/time/time.ts';
import { Ago } from '../../ui/time/times.tsx';
import css from './times.module.css';

/** From which run on a template is slower, which steps are slower, and what changed in that run. */
export const Slower = ({ template, slower }: { template: Template; slower: SlowerSince }) => {
  const { t } = useTranslation();
  const { file } = usePageApp(template.app);
  const {
    task_id: id,
    before_id,
    before_ms,
    after_ms,
    steps,
    changed,
    answers,
    versions,
    hosts_before: hostsBefore,
    hosts_after: hostsAfter,
  } = slower;
  const names = changed.map((field) => t(field === 'tpl_playbook' ? file.column : COMPARED_FIELD_LABELS[field]));
  const hosts =
    hostsBefore === hostsAfter
      ? []
      : [t('times.hostCount', { before: numberText(hostsBefore), after: numberText(hostsAfter) })];
  const all = [...names, ...versions.map((version) => versionName(t, version)), ...hosts, ...answers];
  return (
    <Alert
      colour="stop"
      action={
        <DialogLink search={{ t: id, tab: 'compare', line: undefined, with: before_id, step: steps[0]?.name }}>
          {t('times.compare', { id, other: before_id })}
        </DialogLink>
      }
    >
      <p className={css.since}>
        <DialogLink search={{ t: id, tab: 'timeline', line: undefined, find: undefined, with: undefined }}>
          #{id}
        </DialogLink>{' '}
        <Ago at={slower.created} />{' '}
        {t('times.slower', { before: durationText(before_ms), after: durationText(after_ms) })}
      </p>
      <p>
        {all.length === 0 ? t('times.nothingChanged') : t('times.changed', { names: listText(all), count: all.length })}
      </p>
      {steps.length === 0 ? null : (
        <ul className={css.causes}>
          {steps.map((step) => (
            <li key={`${step.play} ${step.name} ${step.step}`}>
              <DialogLink
                search={{ t: step.task_id, tab: 'timeline', line: undefined, find: undefined, with: undefined }}
              >
                {step.name}
              </DialogLink>{' '}
              {t('times.cause', { before: durationText(step.before_ms), after: durationText(step.after_ms) })}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
};
