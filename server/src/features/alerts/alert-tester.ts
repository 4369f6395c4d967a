import { randomUUID } from 'node:crypto';
import type { AlertTest, Language } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { type AlertMessage, testMessage } from './alert-message.ts';
import type { Channel, RecipientKind, Recipients } from './channels/channel.ts';
import type { Channels } from './channels/channels.ts';
import { type SmtpSettings, sendMail } from './channels/email.ts';
import { SendError } from './channels/send-error.ts';
import { type ProofMail, proofMessage } from './proof-message.ts';

export interface AlertTesterDeps {
  readonly channels: Channels;
  readonly smtp: SmtpSettings | undefined;
  readonly clock: Clock;
}

/**
 * Maximum number of tests of one user in a time in milliseconds, so that no user floods the mailbox of another person.
 * Confirmation mails have a second limit per hour (address-proof.store), which survives restarts: this one does not.
 */
const MAX_TESTS = 10;
const WITHIN_MS = 60_000;

/** Sends test messages and confirmation mails at once, without the outbox, and returns whether they were sent. */
export class AlertTester {
  readonly #deps: AlertTesterDeps;
  readonly #tests = new Map<number, number[]>();

  constructor(deps: AlertTesterDeps) {
    this.#deps = deps;
  }

  /** @throws too_many */
  #count(userId: number): void {
    const now = this.#deps.clock.monotonic();
    for (const [user, times] of this.#tests) {
      const recent = times.filter((time) => now - time < WITHIN_MS);
      if (recent.length > 0) this.#tests.set(user, recent);
      else this.#tests.delete(user);
    }
    const times = this.#tests.get(userId) ?? [];
    if (times.length >= MAX_TESTS) throw new ApiError('too_many.alert_tests');
    this.#tests.set(userId, [...times, now]);
  }

  async #try(userId: number, send: (signal: AbortSignal) => Promise<void>): Promise<AlertTest> {
    this.#count(userId);
    try {
      await send(new AbortController().signal);
      return { sent: true, fault: null, detail: '' };
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      return { sent: false, fault: error.reason, detail: error.detail };
    }
  }

  #test<K extends RecipientKind>(
    userId: number,
    channel: Channel<K>,
    recipient: Recipients[K],
    message: AlertMessage,
  ): Promise<AlertTest> {
    return this.#try(userId, async (signal) => {
      channel.validate(recipient);
      const at = this.#deps.clock.now().toISOString();
      await channel.deliver(recipient, { message, messageId: randomUUID(), at }, signal);
    });
  }

  email(userId: number, email: string, language: Language): Promise<AlertTest> {
    const recipient = { id: userId, name: '', email };
    return this.#test(userId, this.#deps.channels.email, recipient, testMessage(language, undefined));
  }

  chat(userId: number, chat: Recipients['chat'], project: string, language: Language): Promise<AlertTest> {
    return this.#test(userId, this.#deps.channels.telegram, chat, testMessage(language, project));
  }

  receiver(userId: number, receiver: Recipients['receiver'], project: string, language: Language): Promise<AlertTest> {
    return this.#test(userId, this.#deps.channels[receiver.kind], receiver, testMessage(language, project));
  }

  /** Sends the mail with the link that confirms an email address. */
  proof(userId: number, mail: ProofMail, language: Language): Promise<AlertTest> {
    return this.#try(userId, async (signal) => {
      const { smtp } = this.#deps;
      if (!smtp) throw new SendError('not_configured');
      const { subject, text } = proofMessage(language, mail);
      await sendMail(smtp, { to: mail.to, subject, text, messageId: randomUUID() }, signal);
    });
  }
}
