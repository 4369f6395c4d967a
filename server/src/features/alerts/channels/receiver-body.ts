import type { ReceiverKind, ToldEndReason } from '@signalbox/contract';
import { endReasonIn } from '../../../end-reason.ts';
import type { AlertFacts, Findings } from '../alert-facts.ts';
import { type AlertMessage, plainText } from '../alert-message.ts';

/** What a program is told: the message, and for the end of a task what it was made from. */
export interface BodyNeeds {
  readonly message: AlertMessage;
  readonly messageId: string;
  /** When the task ended; for a test, when it was sent. */
  readonly at: string;
  /** Undefined for a test. */
  readonly ended?: { readonly facts: AlertFacts; readonly findings: Findings };
}

/** Slack reads these three as its own marks. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const slack = ({ title, facts, label, link }: AlertMessage): object => ({
  text: [
    `*${forSlack(title).replaceAll('*', '∗')}*`,
    ...facts.map(([name, value]) => forSlack(label(name, value))),
    ...(link ? [`<${forSlack(link.url).replaceAll('|', '%7C')}|${forSlack(link.title)}>`] : []),
  ].join('\n'),
  unfurl_links: false,
});

/** What a playbook says must not become a link, a mention or a picture. */
const forMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&').replaceAll('@', '@\u200b');

const mattermost = ({ title, facts, label, link }: AlertMessage): object => ({
  text: [
    `**${forMarkdown(title)}**`,
    ...facts.map(([name, value]) => forMarkdown(label(name, value))),
    ...(link ? [`[${forMarkdown(link.title)}](${link.url})`] : []),
  ].join('\n'),
  username: 'Signalbox',
});

const COLOURS = { good: 'Good', bad: 'Attention', neutral: 'Default' } as const;

const teams = ({ title, facts, link, outcome }: AlertMessage): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          {
            type: 'TextBlock',
            text: forMarkdown(title),
            weight: 'Bolder',
            size: 'Medium',
            wrap: true,
            color: COLOURS[outcome],
          },
          { type: 'FactSet', facts: facts.map(([name, value]) => ({ title: name, value: forMarkdown(value) })) },
        ],
        ...(link ? { actions: [{ type: 'Action.OpenUrl', title: link.title, url: link.url }] } : {}),
      },
    },
  ],
});

const reasonOf = ({ end_reason: reason }: AlertFacts['task']): ToldEndReason | null =>
  reason ? { ...reason, text: endReasonIn('en', reason) } : null;

const webhook = ({ message, messageId, at, ended }: BodyNeeds): object => ({
  id: messageId,
  event: ended ? 'task.ended' : 'test',
  at,
  url: message.link?.url ?? null,
  text: plainText(message),
  ...(ended
    ? {
        project: ended.facts.project,
        template: ended.facts.template,
        task: { ...ended.facts.task, end_reason: reasonOf(ended.facts.task) },
        user: ended.facts.user,
        schedule: ended.facts.schedule,
        failed_hosts: ended.findings.hosts,
        failed_hosts_total: ended.findings.hosts_total,
        first_error: ended.findings.first_error,
      }
    : {}),
});

/** The JSON that a receiver of this kind takes. */
export const bodyFor = (kind: ReceiverKind, needs: BodyNeeds): string => {
  const made = { slack, teams, mattermost, webhook: () => webhook(needs) }[kind](needs.message);
  return JSON.stringify(made);
};
