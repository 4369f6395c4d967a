import { randomUUID } from 'node:crypto';
import type { AlertTest, Language } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { AlertReceiverTable } from '../../database/alert.schema.ts';
import { ApiError } from '../../http/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { plainText, testMessage } from './alert-message.ts';
import type { Channels } from './bring-delivery.ts';
import { sendMail } from './channels/email.ts';
import { addressOf } from './channels/receiver-address.ts';
import { postToReceiver } from './channels/receiver-post.ts';
import { SendFault } from './channels/send-fault.ts';
import { sendTelegram } from './channels/telegram.ts';
import { type ProofMail, proofMessage } from './proof-message.ts';

export interface AlertTestNeeds {
  readonly channels: Channels;
  readonly clock: Clock;
  readonly master: MasterKey;
}

/** So many tests of one user in so long, in milliseconds: nobody may use a server to fill the mailbox of another. */
const MOST = 10;
const WITHIN_MS = 60_000;

/** Sends test messages and confirmation mails at once, outside of the outbox, and returns whether they were sent. */
export class AlertTester {
  readonly #needs: AlertTestNeeds;
  readonly #tests = new Map<number, number[]>();

  constructor(needs: AlertTestNeeds) {
    this.#needs = needs;
  }

  /** @throws too_many */
  #count(userId: number): void {
    const now = this.#needs.clock.monotonic();
    for (const [user, times] of this.#tests) {
      const young = times.filter((time) => now - time < WITHIN_MS);
      if (young.length > 0) this.#tests.set(user, young);
      else this.#tests.delete(user);
    }
    const times = this.#tests.get(userId) ?? [];
    if (times.length >= MOST) throw new ApiError('too_many.alert_tests');
    this.#tests.set(userId, [...times, now]);
  }

  async #try(userId: number, send: (signal: AbortSignal) => Promise<void>): Promise<AlertTest> {
    this.#count(userId);
    try {
      await send(new AbortController().signal);
      return { sent: true, fault: null, detail: '' };
    } catch (error) {
      if (!(error instanceof SendFault)) throw error;
      return { sent: false, fault: error.fault, detail: error.detail };
    }
  }

  email(userId: number, to: string, language: Language): Promise<AlertTest> {
    return this.#try(userId, async (signal) => {
      const { smtp } = this.#needs.channels;
      if (!smtp) throw new SendFault('not_configured');
      const message = testMessage(language, undefined);
      const mail = { to, subject: message.title, text: plainText(message), messageId: randomUUID() };
      await sendMail(smtp, mail, signal);
    });
  }

  /** Sends the mail with the link that confirms an e-mail address. */
  proof(userId: number, mail: ProofMail, language: Language): Promise<AlertTest> {
    return this.#try(userId, async (signal) => {
      const { smtp } = this.#needs.channels;
      if (!smtp) throw new SendFault('not_configured');
      const { subject, text } = proofMessage(language, mail);
      await sendMail(smtp, { to: mail.to, subject, text, messageId: randomUUID() }, signal);
    });
  }

  chat(userId: number, chat: string, project: string, language: Language): Promise<AlertTest> {
    return this.#try(userId, async (signal) => {
      const { telegram } = this.#needs.channels;
      if (!telegram || chat === '') throw new SendFault('not_configured');
      await sendTelegram(telegram, chat, plainText(testMessage(language, project)), signal);
    });
  }

  receiver(
    userId: number,
    receiver: Selectable<AlertReceiverTable>,
    project: string,
    language: Language,
  ): Promise<AlertTest> {
    const { master, clock, channels } = this.#needs;
    return this.#try(userId, async (signal) => {
      const now = clock.now();
      await postToReceiver(
        receiver.kind,
        addressOf(master, receiver),
        { message: testMessage(language, project), messageId: randomUUID(), at: now.toISOString() },
        { policy: channels.policy, now, signal },
      );
    });
  }
}
