import { Language, type Message } from '@signalbox/contract';
import { LOCALES, textsIn } from '@signalbox/lang';
import { END_REASONS, ERRORS, EVENTS } from '@signalbox/lang/catalogues';
import type { ScheduleAlertInput } from './alert-input.ts';
import { type AlertMessage, labelIn, withoutTurning } from './alert-message.ts';
import { translatorFor } from './alert-texts.ts';

/** Reasons are errors, and those of a runner are reasons that end tasks. */
const REASONS = new Map(
  Language.options.map((language) => [
    language,
    textsIn(language, [EVENTS[language], ERRORS[language], END_REASONS[language]]),
  ]),
);

const reasonIn = (language: Language, reason: Message): string => REASONS.get(language)?.(reason) ?? reason.code;

interface MessageDeps {
  readonly input: ScheduleAlertInput;
  readonly language: Language;
  /** Time zone of the times in the message. */
  readonly timezone: string;
  readonly url: string;
}

/** Describes in a language that a schedule started no task: which one, when it was due, and why. */
export const scheduleMessageOf = ({ input, language, timezone, url }: MessageDeps): AlertMessage => {
  const translate = translatorFor(language);
  const { schedule, due, reason } = input.not_started;
  const time = new Intl.DateTimeFormat(LOCALES[language], {
    ...{ dateStyle: 'medium', timeStyle: 'long', timeZone: timezone },
  });
  const lines: [string, string][] = [
    [translate('project'), input.project.name],
    [translate('template'), input.template.name],
    [translate('due'), time.format(new Date(due))],
    [translate('reason'), reasonIn(language, reason)],
  ];
  return {
    title: withoutTurning(translate('notStarted', { name: schedule.name })),
    lines: lines.map(([name, value]) => [name, withoutTurning(value)] as const),
    label: labelIn(translate),
    link: { title: translate('openSchedule'), url },
    outcome: 'bad',
  };
};
