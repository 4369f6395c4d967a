import type { Language } from '@signalbox/contract';
import { failuresText, LOCALES, textsIn } from '@signalbox/lang';
import { FAILURES } from '@signalbox/lang/catalogues';
import { brief } from '../../brief.ts';
import { endReasonIn } from '../../end-reason.ts';
import type { Findings, Starter, TaskAlertInput } from './alert-input.ts';
import { type Translate, translatorFor } from './alert-texts.ts';

/** A message before it is formatted for a channel. */
export interface AlertMessage {
  /** One line about what happened. */
  readonly title: string;
  /** Labels and values, in display order. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** Joins a label and a value in the style of the language. */
  readonly label: (name: string, value: string) => string;
  readonly link: { readonly title: string; readonly url: string } | null;
  /** Selects the colour of the message. */
  readonly outcome: 'good' | 'bad' | 'neutral';
}

/** A duration with its units; empty without a start. */
export const durationOf = (start: string | null, end: string, locale: string): string => {
  if (start === null) return '';
  const total = Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const options = { style: 'short', secondsDisplay: total < 60 ? 'always' : 'auto' } as const;
  // Durations of hours are shown without seconds.
  return new Intl.DurationFormat(locale, options).format({ hours, minutes, seconds: hours > 0 ? 0 : seconds });
};

/** Who or what started a task; a build for a deploy that it started. */
export const whoStarted = (
  { user, schedule, webhook = '' }: Starter,
  buildTaskId: number | null,
  translate: Translate,
): string => {
  if (user !== '') return user;
  if (schedule !== '') return translate('schedule', { name: schedule });
  if (webhook !== '') return translate('webhook', { name: webhook });
  return buildTaskId === null ? translate('system') : translate('afterBuild', { id: buildTaskId });
};

const hostsOf = ({ hosts, hosts_total }: Findings, translate: Translate): string => {
  const names = hosts.join(', ');
  const more = hosts_total - hosts.length;
  return more > 0 ? translate('more', { names, count: more }) : names;
};

const failuresOf = ({ failures = [], failures_total = 0 }: Findings, language: Language): string =>
  failures.length === 0 ? '' : failuresText(textsIn(language, [FAILURES[language]]), failures, failures_total);

/** Joins a label and a value in the style of a language. */
export const labelIn =
  (translate: Translate): AlertMessage['label'] =>
  (name, value) =>
    translate('label', { name, value });

/** Length of abbreviated commit hashes. */
const HASH = 8;

export interface MessageDeps {
  readonly input: TaskAlertInput;
  readonly findings: Findings;
  readonly language: Language;
  /** Time zone of the times in the message. */
  readonly timezone: string;
  readonly url: string;
}

/**
 * Characters that change the text direction: with one in its name, a template could make its failure read
 * differently.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** Removes the characters that change the text direction. */
export const withoutTurning = (text: string): string => text.replaceAll(turning, '');

const OUTCOME: Readonly<Record<string, AlertMessage['outcome']>> = { success: 'good', error: 'bad' };

/**
 * Describes the end of a task in a language: what ran, who started it, its duration, the failed hosts and the first
 * error.
 */
export const messageOf = ({ input, findings, language, timezone, url }: MessageDeps): AlertMessage => {
  const translate = translatorFor(language);
  const { task, template, project } = input;
  const locale = LOCALES[language];
  const ended = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone: timezone });
  const commit = [task.commit_hash?.slice(0, HASH) ?? '', brief(task.commit_message, 120)].filter(Boolean).join(' ');
  const lines: [string, string][] = [
    [translate('project'), project.name],
    [translate('playbook'), task.playbook],
    [translate('version'), task.version ?? ''],
    [translate('build'), task.build_task_id === null ? '' : `#${task.build_task_id}`],
    [translate('commit'), commit],
    [translate('message'), brief(task.message, 200)],
    [translate('by'), whoStarted(input, task.build_task_id, translate)],
    [translate('finished'), ended.format(new Date(task.end))],
    [translate('duration'), durationOf(task.start, task.end, locale)],
    [findings.hosts_total > 0 ? translate('hosts', { count: findings.hosts_total }) : '', hostsOf(findings, translate)],
    [translate('failures'), failuresOf(findings, language)],
    [translate('reason'), task.end_reason ? endReasonIn(language, task.end_reason) : ''],
  ];
  const status = task.status === 'success' || task.status === 'error' ? task.status : 'stopped';
  return {
    title:
      translate(`ended.${status}`, { template: withoutTurning(template.name), id: task.id }) +
      (task.dry_run ? ` (${translate('dryRun')})` : ''),
    lines: lines.map(([name, value]) => [name, withoutTurning(value)] as const).filter(([, value]) => value !== ''),
    label: labelIn(translate),
    link: { title: translate('open'), url },
    outcome: OUTCOME[task.status] ?? 'neutral',
  };
};

/**
 * Creates a message for testing a channel.
 * @param project name of the project; undefined for a message to a user
 */
export const testMessage = (language: Language, project: string | undefined): AlertMessage => {
  const translate = translatorFor(language);
  return {
    title: translate('test.subject'),
    lines: [['Signalbox', project === undefined ? translate('test.text') : translate('test.ofProject', { project })]],
    label: labelIn(translate),
    link: null,
    outcome: 'neutral',
  };
};

/** Returns the message as plain text. */
export const plainText = ({ title, lines, label, link }: AlertMessage): string =>
  [
    title,
    '',
    ...lines.map(([name, value]) => label(name, value)),
    ...(link ? ['', label(link.title, link.url)] : []),
  ].join('\n');
