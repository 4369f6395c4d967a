import { plainText } from '../alert-message.ts';
import type { Channel, Recipients } from './channel.ts';
import { post } from './http-post.ts';
import { SendError } from './send-error.ts';

export interface TelegramSettings {
  readonly token: string;
  /** Without a trailing slash. */
  readonly url: string;
}

/** Maximum length of a Telegram message, in characters. */
const MAX_MESSAGE_LENGTH = 4096;

/**
 * Sends a text to a chat as the configured bot.
 * @throws SendError
 */
const sendTelegram = async (
  settings: TelegramSettings,
  chat: string,
  text: string,
  signal: AbortSignal,
): Promise<void> => {
  const characters = [...text];
  const { text: answer } = await post({
    url: `${settings.url}/bot${settings.token}/sendMessage`,
    body: JSON.stringify({
      chat_id: chat,
      text: characters.length > MAX_MESSAGE_LENGTH ? `${characters.slice(0, MAX_MESSAGE_LENGTH - 1).join('')}…` : text,
      link_preview_options: { is_disabled: true },
    }),
    signal,
  });
  // Another service behind a wrong URL may answer 200 to every request.
  if (!/"ok"\s*:\s*true/.test(answer)) throw new SendError('failed', '200');
};

/** Sends alerts to the Telegram chats of projects, all with the one bot of the server. */
export const telegramChannel = (settings: TelegramSettings | undefined): Channel<'chat'> => {
  const configured = ({ chat }: Recipients['chat']): TelegramSettings => {
    if (!settings || chat === '') throw new SendError('not_configured');
    return settings;
  };
  return {
    recipient: 'chat',
    lane: 'chat',
    isConfigured: settings !== undefined,
    describe: ({ projectId }) => ({ name: '', queue: `chat:${projectId}` }),
    validate: (recipient) => void configured(recipient),
    deliver: (recipient, { message }, signal) =>
      sendTelegram(configured(recipient), recipient.chat, plainText(message), signal),
  };
};
