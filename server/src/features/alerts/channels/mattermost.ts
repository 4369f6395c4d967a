import type { AlertMessage } from '../alert-message.ts';
import type { Channel } from './channel.ts';
import { escapedMarkdown } from './markdown.ts';
import { type ReceiverDeps, receiverChannel } from './receiver-channel.ts';

const body = ({ title, lines, label, link }: AlertMessage): object => ({
  text: [
    `**${escapedMarkdown(title)}**`,
    ...lines.map(([name, value]) => escapedMarkdown(label(name, value))),
    ...(link ? [`[${escapedMarkdown(link.title)}](${link.url})`] : []),
  ].join('\n'),
  username: 'Signalbox',
});

/** Posts to an incoming webhook of Mattermost. */
export const mattermostChannel = (deps: ReceiverDeps): Channel<'receiver'> =>
  receiverChannel(deps, ({ message }) => ({ body: JSON.stringify(body(message)) }));
