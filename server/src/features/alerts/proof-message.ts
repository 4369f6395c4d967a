import type { Language } from '@signalbox/contract';
import { sayIn } from './alert-words.ts';
import { brief } from './findings.ts';

/** A mail by which a user proves that an address is theirs. */
export interface ProofMail {
  readonly to: string;
  readonly username: string;
  readonly url: string;
}

/** Maximum length of a username in the mail: users choose it, and it must not carry a message of its own. */
const NAME = 60;

/** Subject and text of the mail. It names the user who requested it, because the recipient may be somebody else. */
export const proofMessage = (language: Language, { username, url }: ProofMail) => {
  const say = sayIn(language);
  const values = { username: brief(username, NAME), host: new URL(url).host };
  const parts = [say('proof.text', values), url, say('proof.ignore', values)];
  return { subject: say('proof.subject', values), text: parts.join('\n\n') };
};
