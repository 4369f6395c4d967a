import type { AlertMessage } from '../alert-message.ts';
import type { Channel } from './channel.ts';
import { escapedMarkdown } from './markdown.ts';
import { type ReceiverDeps, receiverChannel } from './receiver-channel.ts';

const COLORS = { good: 'Good', bad: 'Attention', neutral: 'Default' } as const;

const card = ({ title, lines, link, outcome }: AlertMessage): object => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body: [
    {
      type: 'TextBlock',
      text: escapedMarkdown(title),
      weight: 'Bolder',
      size: 'Medium',
      wrap: true,
      color: COLORS[outcome],
    },
    { type: 'FactSet', facts: lines.map(([name, value]) => ({ title: name, value: escapedMarkdown(value) })) },
  ],
  ...(link ? { actions: [{ type: 'Action.OpenUrl', title: link.title, url: link.url }] } : {}),
});

const body = (message: AlertMessage): object => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card(message) }],
});

/** Posts an adaptive card to a workflow of Microsoft Teams. */
export const teamsChannel = (deps: ReceiverDeps): Channel<'receiver'> =>
  receiverChannel(deps, ({ message }) => ({ body: JSON.stringify(body(message)) }));
