import type { Language } from '@signalbox/contract';
import { LOCALES } from '@signalbox/lang';
import { brief } from '../../brief.ts';
import type { SilentAlertInput } from './alert-input.ts';
import { type AlertMessage, durationOf, labelIn, withoutTurning } from './alert-message.ts';
import { translatorFor } from './alert-texts.ts';

interface MessageDeps {
  readonly input: SilentAlertInput;
  readonly language: Language;
  /** Time zone of the times in the message. */
  readonly timezone: string;
  readonly url: string;
}

/** Describes in a language that hosts of a running task do not answer: which ones, in which step, and since when. */
export const silentMessageOf = ({ input, language, timezone, url }: MessageDeps): AlertMessage => {
  const translate = translatorFor(language);
  const { silent, template, project } = input;
  const names = brief(silent.hosts.join(', '), 300);
  const more = silent.total - silent.hosts.length;
  const time = new Intl.DateTimeFormat(LOCALES[language], {
    ...{ dateStyle: 'medium', timeStyle: 'long', timeZone: timezone },
  });
  const usual = durationOf(
    silent.since,
    new Date(Date.parse(silent.since) + silent.usual_ms).toISOString(),
    LOCALES[language],
  );
  const lines: [string, string][] = [
    [translate('project'), project.name],
    [translate('playbook'), silent.playbook],
    [translate('silentHosts'), more > 0 ? translate('more', { names, count: more }) : names],
    [translate('step'), brief(silent.name, 255)],
    [translate('since'), time.format(new Date(silent.since))],
    [translate('usual'), usual],
  ];
  return {
    title: withoutTurning(translate('silent', { template: template.name, id: silent.id, count: silent.total })),
    lines: lines.map(([name, value]) => [name, withoutTurning(value)] as const).filter(([, value]) => value !== ''),
    label: labelIn(translate),
    link: { title: translate('open'), url },
    outcome: 'neutral',
  };
};
