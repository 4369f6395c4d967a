import type { AlertMessage } from '../alert-message.ts';
import type { Channel } from './channel.ts';
import { type ReceiverDeps, receiverChannel } from './receiver-channel.ts';

/** Escapes the three characters that Slack interprets. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const body = ({ title, lines, label, link }: AlertMessage): object => ({
  text: [
    `*${escaped(title).replaceAll('*', '∗')}*`,
    ...lines.map(([name, value]) => escaped(label(name, value))),
    ...(link ? [`<${escaped(link.url).replaceAll('|', '%7C')}|${escaped(link.title)}>`] : []),
  ].join('\n'),
  unfurl_links: false,
});

/** Posts to an incoming webhook of Slack. */
export const slackChannel = (deps: ReceiverDeps): Channel<'receiver'> =>
  receiverChannel(deps, ({ message }) => ({ body: JSON.stringify(body(message)) }));
