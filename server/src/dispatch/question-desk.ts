import type { Question, QuestionAnswer } from '@signalbox/contract/link';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { endQuestion, type Inquiry, leaseHolds, leaseQuestion } from './question-lease.ts';
import type { ConnectedRunner } from './runner-hub.ts';

export interface DeskNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly runners: () => readonly ConnectedRunner[];
}

/** How long a runner has for an answer, in milliseconds. Listing files may have to fetch a repository first. */
export const LEASE_MS: Readonly<Record<Question['ask'], number>> = {
  branches: 30_000,
  newest_commit: 30_000,
  hosts: 30_000,
  files: 60_000,
  access: 30_000,
};

/** Asks runners, each time under a lease that is written down first and that one runner has. */
export class QuestionDesk {
  readonly #needs: DeskNeeds;
  readonly #open = new Set<Promise<unknown>>();

  constructor(needs: DeskNeeds) {
    this.#needs = needs;
  }

  /**
   * Asks one of the runners that would be given a task as well; undefined when there is none or it does not answer.
   * @param open reads the question with its secrets; called once the lease is written down, and for it alone
   */
  ask(inquiry: Inquiry, open: () => Promise<Question>): Promise<QuestionAnswer | undefined> {
    const asking = this.#ask(inquiry, open).finally(() => this.#open.delete(asking));
    this.#open.add(asking);
    return asking;
  }

  /** Resolves when every lease is ended; the links are closed before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  async #ask(inquiry: Inquiry, open: () => Promise<Question>): Promise<QuestionAnswer | undefined> {
    const willing = this.#needs.runners().filter(({ draining }) => !draining);
    for (const runner of willing.toSorted((a, b) => a.session.questions.count - b.session.questions.count)) {
      const leaseMs = LEASE_MS[inquiry.ask];
      const { id: runnerId, tokenHash } = runner;
      const facts = { runnerId, tokenHash, leaseMs, now: this.#needs.clock.now() };
      const leaseId = await leaseQuestion(this.#needs.database, inquiry, facts);
      if (leaseId !== undefined) return await this.#askUnder(leaseId, runner, leaseMs, open);
    }
    return undefined;
  }

  async #askUnder(
    leaseId: number,
    runner: ConnectedRunner,
    leaseMs: number,
    open: () => Promise<Question>,
  ): Promise<QuestionAnswer | undefined> {
    const { database, clock } = this.#needs;
    const holder = { runnerId: runner.id, tokenHash: runner.tokenHash };
    let question: Question;
    try {
      question = await open();
    } catch (error) {
      await endQuestion(database, leaseId, holder, 'not_sent', clock.now());
      throw error;
    }
    // Secrets take a moment to open: the runner may have been removed meanwhile.
    if (!(await leaseHolds(database, leaseId, holder))) {
      await endQuestion(database, leaseId, holder, 'not_sent', clock.now());
      return undefined;
    }
    const answer = await runner.session.questions.ask(leaseId, leaseMs, question);
    if (typeof answer === 'string') {
      await endQuestion(database, leaseId, holder, answer, clock.now());
      return undefined;
    }
    const outcome = answer.ask === 'refused' ? 'refused' : 'answered';
    return (await endQuestion(database, leaseId, holder, outcome, clock.now())) ? answer : undefined;
  }
}
