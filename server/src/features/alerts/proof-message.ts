import type { Language } from '@signalbox/contract';
import { brief } from '../../brief.ts';
import { translatorFor } from './alert-texts.ts';

/** Values in the mail with the link that confirms an email address. */
export interface ProofMail {
  readonly to: string;
  readonly username: string;
  readonly url: string;
}

/** Maximum length of a username in the mail. Users choose it, so a longer one could contain a message to the recipient. */
const MAX_NAME = 40;

/** A name that no mail program turns into a link: without slashes and colons, and with a space after each dot and `@`. */
const unlinked = (name: string): string =>
  brief(name.replaceAll(/[:/\\]+/g, ' ').replaceAll(/([.\u2024\u3002\uff0e\uff61@])(?=\S)/gu, '$1 '), MAX_NAME);

/** Subject and text of the mail. It names the user who requested it, because the recipient may be another person. */
export const proofMessage = (language: Language, { username, url }: ProofMail) => {
  const translate = translatorFor(language);
  const values = { username: unlinked(username), host: new URL(url).host };
  const parts = [translate('proof.text', values), url, translate('proof.ignore', values)];
  return { subject: translate('proof.subject', values), text: parts.join('\n\n') };
};
