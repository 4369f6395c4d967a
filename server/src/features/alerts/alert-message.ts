import type { Language } from '@signalbox/contract';
import { LOCALES } from '@signalbox/lang';
import { brief } from '../../brief.ts';
import { endReasonIn } from '../../end-reason.ts';
import type { AlertFacts, Findings } from './alert-facts.ts';
import { type Say, sayIn } from './alert-words.ts';

/** A message before it takes the form of a channel. */
export interface AlertMessage {
  /** What happened, in one line. */
  readonly title: string;
  /** What people want to know of it, each with its name. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Puts a name before its value as the language does. */
  readonly label: (name: string, value: string) => string;
  readonly link: { readonly title: string; readonly url: string } | null;
  /** For the colour of a mark. */
  readonly outcome: 'good' | 'bad' | 'neutral';
}

const durationOf = (start: string | null, end: string, locale: string): string => {
  if (start === null) return '';
  const total = Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const options = { style: 'short', secondsDisplay: total < 60 ? 'always' : 'auto' } as const;
  // Nobody wants to know the seconds of hours.
  return new Intl.DurationFormat(locale, options).format({ hours, minutes, seconds: hours > 0 ? 0 : seconds });
};

const whoOf = ({ user, schedule, task }: AlertFacts, say: Say): string => {
  if (user !== '') return user;
  if (schedule !== '') return say('schedule', { name: schedule });
  return task.build_task_id === null ? say('nobody') : say('afterBuild', { id: task.build_task_id });
};

const hostsOf = ({ hosts, hosts_total }: Findings, say: Say): string => {
  const names = hosts.join(', ');
  const more = hosts_total - hosts.length;
  return more > 0 ? say('more', { names, count: more }) : names;
};

const labelIn =
  (say: Say): AlertMessage['label'] =>
  (name, value) =>
    say('label', { name, value });

/** Letters of a commit that people tell commits by. */
const HASH = 8;

export interface MessageNeeds {
  readonly facts: AlertFacts;
  readonly findings: Findings;
  readonly language: Language;
  /** The zone in which moments are told. */
  readonly timezone: string;
  readonly url: string;
}

/** Marks that turn the direction of all that follows: with one in its name, a template could make its failure read as another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

const OUTCOME: Readonly<Record<string, AlertMessage['outcome']>> = { success: 'good', error: 'bad' };

/** Tells in a language how a task ended: what ran, by whom, how long, which hosts failed, and the first error. */
export const messageOf = ({ facts, findings, language, timezone, url }: MessageNeeds): AlertMessage => {
  const say = sayIn(language);
  const { task, template, project } = facts;
  const locale = LOCALES[language];
  const ended = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone: timezone });
  const commit = [task.commit_hash?.slice(0, HASH) ?? '', brief(task.commit_message, 120)].filter(Boolean).join(' ');
  const lines: [string, string][] = [
    [say('project'), project.name],
    [say('playbook'), task.playbook],
    [say('version'), task.version ?? ''],
    [say('build'), task.build_task_id === null ? '' : `#${task.build_task_id}`],
    [say('commit'), commit],
    [say('message'), brief(task.message, 200)],
    [say('by'), whoOf(facts, say)],
    [say('finished'), ended.format(new Date(task.end))],
    [say('duration'), durationOf(task.start, task.end, locale)],
    [findings.hosts_total > 0 ? say('hosts', { count: findings.hosts_total }) : '', hostsOf(findings, say)],
    [say('reason'), task.end_reason ? endReasonIn(language, task.end_reason) : ''],
  ];
  const status = task.status === 'success' || task.status === 'error' ? task.status : 'stopped';
  return {
    title:
      say(`ended.${status}`, { template: template.name.replaceAll(turning, ''), id: task.id }) +
      (task.dry_run ? ` (${say('dryRun')})` : ''),
    facts: lines
      .map(([name, value]) => [name, value.replaceAll(turning, '')] as const)
      .filter(([, value]) => value !== ''),
    label: labelIn(say),
    link: { title: say('open'), url },
    outcome: OUTCOME[task.status] ?? 'neutral',
  };
};

/** A message that says nothing but that it arrived. @param project its name; undefined for one to a user */
export const testMessage = (language: Language, project: string | undefined): AlertMessage => {
  const say = sayIn(language);
  return {
    title: say('test.subject'),
    facts: [['Signalbox', project === undefined ? say('test.text') : say('test.ofProject', { project })]],
    label: labelIn(say),
    link: null,
    outcome: 'neutral',
  };
};

/** The message as a plain text. */
export const plainText = ({ title, facts, label, link }: AlertMessage): string =>
  [
    title,
    '',
    ...facts.map(([name, value]) => label(name, value)),
    ...(link ? ['', label(link.title, link.url)] : []),
  ].join('\n');
