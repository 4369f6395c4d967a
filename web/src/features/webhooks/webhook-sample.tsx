import { Textarea } from '@mantine/core';
import type { Template } from '@signalbox/contract';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { listText } from '../../lang/locale.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { TextButton } from '../../ui/basics/text-button.tsx';
import { CodeEditor } from '../../ui/forms/code-editor.tsx';
import { jsonProblem } from '../../ui/forms/code-problem.ts';
import type { SampleTesting } from './use-sample-test.ts';
import { useTargetLabels } from './use-target-labels.ts';
import type { Rules, Sample } from './webhook-values.ts';
import css from './webhooks.module.css';

interface SampleProps {
  template: Template | undefined;
  rules: Rules;
  sample: Sample;
  testing: SampleTesting;
  onChange: (sample: Sample) => void;
  ref: Ref<HTMLElement>;
  /** Takes the newest received call as the sample; undefined without one. */
  onUseLast: (() => void) | undefined;
}

const EXAMPLE = `{
  "action": "published",
  "release": {
    "tag_name": "v2.14.0"
  }
}
`;

const HEADERS_EXAMPLE = 'X-GitHub-Event: release';

/** What a call like the sample would do, in one sentence with the reason or the values. */
const Outcome = ({
  template,
  rules,
  testing: { test },
}: Pick<SampleProps, 'rules' | 'testing'> & { template: Template }) => {
  const { t } = useTranslation();
  const labelOf = useTargetLabels(template);
  if (!test?.isJson) return null;
  if (!test.isMatch) {
    const failed = rules.matchers.find(({ key }) => test.matchers.get(key)?.is_match === false);
    const value = failed && test.matchers.get(failed.key)?.value;
    const path = failed?.path ?? '';
    return (
      <Alert colour="wait">
        <b>{t('webhooks.wouldNotStart')}</b>{' '}
        {value === null ? t('webhooks.becauseMissing', { path }) : t('webhooks.because', { path, value })}
      </Alert>
    );
  }
  const values = rules.extractors.flatMap((row) => {
    const value = test.extractors.get(row.key)?.value;
    return value === null || value === undefined ? [] : [`${labelOf(row)} ${value}`];
  });
  return (
    <Alert colour="ok">
      <b>{t('webhooks.wouldStart', { template: template.name })}</b>{' '}
      {values.length > 0 ? t('webhooks.withValues', { values: listText(values) }) : null} {t('webhooks.startsNothing')}
    </Alert>
  );
};

/** The call with which conditions and values are tried, and what it would do. */
export const WebhookSample = ({ ref, template, rules, sample, testing, onChange, onUseLast }: SampleProps) => {
  const { t } = useTranslation();
  const problem = jsonProblem(sample.body, 'object');
  const isForm = sample.body.startsWith('payload=');
  return (
    <section ref={ref} tabIndex={-1} className={css.sample} aria-label={t('webhooks.try')}>
      {onUseLast ? <TextButton onClick={onUseLast}>{t('webhooks.useLast')}</TextButton> : null}
      <CodeEditor
        label={t('webhooks.try')}
        language="json"
        value={sample.body}
        example={EXAMPLE}
        tinted={testing.test?.lines ?? []}
        error={
          problem?.key === 'code.json' && !isForm
            ? t('code.line', { line: problem.line, problem: t('code.json') })
            : undefined
        }
        onChange={(body) => onChange({ ...sample, body })}
      />
      <Textarea
        className={css.mono ?? ''}
        label={t('webhooks.headers')}
        description={t('webhooks.headersHelp')}
        placeholder={HEADERS_EXAMPLE}
        spellCheck={false}
        rows={4}
        value={sample.headers}
        onChange={(event) => onChange({ ...sample, headers: event.currentTarget.value })}
      />
      <div aria-live="polite">
        {testing.error === undefined ? null : <Alert colour="error">{testing.error}</Alert>}
        {template ? <Outcome template={template} rules={rules} testing={testing} /> : null}
      </div>
      <p className={css.help}>{t('webhooks.limits')}</p>
    </section>
  );
};
