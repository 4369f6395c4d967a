import { post } from './http-post.ts';
import { SendFault } from './send-fault.ts';

export interface TelegramSettings {
  readonly token: string;
  /** Without a slash at its end. */
  readonly url: string;
}

/** Telegram takes no longer text. */
const LONGEST = 4096;

/**
 * Sends a text to a chat by the bot of the settings.
 * @throws SendFault
 */
export const sendTelegram = async (
  settings: TelegramSettings,
  chat: string,
  text: string,
  signal: AbortSignal,
): Promise<void> => {
  const letters = [...text];
  const { text: answer } = await post({
    url: `${settings.url}/bot${settings.token}/sendMessage`,
    body: JSON.stringify({
      chat_id: chat,
      text: letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : text,
      link_preview_options: { is_disabled: true },
    }),
    signal,
  });
  // Something that is no Telegram may answer 200 to everything.
  if (!/"ok"\s*:\s*true/.test(answer)) throw new SendFault('failed', '200');
};
