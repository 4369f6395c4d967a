import type { Overview } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { locale, numberText } from '../../../lang/locale.ts';
import { buttonClass } from '../../../ui/basics/button.tsx';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { durationText } from '../../../ui/time/time.ts';
import { Ago } from '../../../ui/time/times.tsx';
import css from './overview.module.css';
import { Section } from './section.tsx';
import { TemplateLink } from './template-link.tsx';

type Slower = Overview['slower'][number];

const percentText = ({ before_ms, after_ms }: Slower): string =>
  (after_ms / Math.max(1, before_ms) - 1).toLocaleString(locale(), { style: 'percent', maximumFractionDigits: 0 });

/** The templates that became slower: since when, by how much, and the step that accounts for most of it. */
export const SlowerTemplates = ({ project, templates }: { project: number; templates: readonly Slower[] }) => {
  const { t } = useTranslation();
  if (templates.length === 0) return null;
  return (
    <Section id="slower" title={t('overview.slower')} count={numberText(templates.length)}>
      <ul className={css.list}>
        {templates.map((one) => (
          <li key={one.template_id} className={css.entry}>
            <StatusIcon colour="stop" shape="bars" />
            <div className={css.what}>
              <p className={css.line}>
                <TemplateLink project={project} template={one.template_id} name={one.name} />
                <Ago at={one.since} />
              </p>
              <p className={css.reason}>
                {t('overview.slowerBy', {
                  percent: percentText(one),
                  before: durationText(one.before_ms),
                  after: durationText(one.after_ms),
                })}
              </p>
              {one.step === '' ? null : (
                <p className={css.small}>
                  <DialogLink
                    search={{ t: one.task_id, tab: 'timeline', line: undefined, find: undefined, with: undefined }}
                  >
                    {t('overview.slowerStep', { name: one.step })}
                  </DialogLink>
                </p>
              )}
            </div>
            <span className={css.action}>
              <DialogLink
                className={buttonClass('outline', true)}
                search={{
                  ...{ t: one.task_id, tab: 'compare', line: undefined, with: one.before_id },
                  step: one.step === '' ? undefined : one.step,
                }}
              >
                {t('task.tabCompare')}
              </DialogLink>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
};
