import type { LaunchValues, NewTask, WebhookAnswer } from '@signalbox/contract';
import type { z } from 'zod';
import { reasonText } from '../../audit/read-event.ts';
import { reasonOf } from '../../audit/reason.ts';
import { type Actor, recordEvent, SYSTEM } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import { lockTemplates } from '../../database/queries/lock-templates.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import type { CheckChoices } from '../../stored-answers/launch-checks.ts';
import { launchRequest } from './launch-request.ts';
import { type ReceivedCall, readCall } from './received-call.ts';
import { deliveryKeys } from './sender-check.ts';
import { rulesOf, type WebhookRow, webhookAnswers } from './webhook.store.ts';
import { type CallOutcome, storeCall } from './webhook-call.store.ts';
import { mismatchOf, type TriedRules, tryRules } from './webhook-rules.ts';

/** A task that a webhook starts. */
export interface WebhookLaunch {
  readonly projectId: number;
  readonly request: z.output<typeof NewTask>;
  readonly webhook: { readonly id: number; readonly name: string };
  readonly actor: Actor;
  readonly now: Date;
}

export interface HandlingDeps<Task> {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly launch: (tx: StateTransaction, launch: WebhookLaunch) => Promise<Task>;
  /** Checks answers whose choices come from a source, which may take long to answer. */
  readonly checkChoices: CheckChoices;
  /** Called with a task that was started. */
  readonly launched: (task: Task) => void;
}

/** A verified call to handle. */
export interface CallToHandle {
  readonly row: WebhookRow;
  readonly secret: string;
  readonly call: ReceivedCall;
  readonly sender: string;
  /** The user who sends a stored call again: a new task is started, also by a paused webhook. */
  readonly resender?: Actor;
}

interface Handling extends CallToHandle {
  readonly launch_values: LaunchValues;
  readonly tried: TriedRules;
}

/** The task that a delivery started. */
const earlierTask = async (tx: StateReader, webhookId: number, keys: readonly string[]) =>
  await tx
    .selectFrom('webhook_delivery')
    .select('task_id')
    .where('webhook_id', '=', webhookId)
    .where('delivery', 'in', ['', ...keys])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

const answerOf = ({ result, taskId, reason }: CallOutcome): WebhookAnswer => ({
  result,
  task_id: taskId,
  reason: reason === null ? '' : reasonText(reason),
});

export class WebhookHandling<Task extends { readonly id: number }> {
  readonly #deps: HandlingDeps<Task>;

  constructor(deps: HandlingDeps<Task>) {
    this.#deps = deps;
  }

  /**
   * Handles a call of a verified sender: starts a task if all conditions match, and stores the call and what became of it.
   * @throws bad_json, or the errors of a launch; both are stored
   */
  async handle(given: CallToHandle): Promise<WebhookAnswer> {
    try {
      const read = readCall(given.call);
      if (!read) throw new ApiError('bad_json');
      const { launch_values, ...rules } = rulesOf(given.row);
      const tried = await tryRules(rules, read);
      return await this.#startIfMatching({ ...given, launch_values, tried });
    } catch (error) {
      if (error instanceof ApiError) await this.#refuse(given, error);
      throw error;
    }
  }

  /** Stores a call that started no task because of its sender. */
  async storeUnverified(given: CallToHandle): Promise<void> {
    const reason = { code: 'reason.webhook_signature' };
    await this.#deps.database.write((tx) => this.#store(tx, given, { result: 'refused', taskId: null, reason }, false));
  }

  async #startIfMatching(given: Handling): Promise<WebhookAnswer> {
    const mismatch = mismatchOf(given.tried);
    const isPaused = given.row.active === 0 && !given.resender;
    const none: CallOutcome | undefined = isPaused
      ? { result: 'paused', taskId: null, reason: { code: 'reason.webhook_paused' } }
      : mismatch && { result: 'no_match', taskId: null, reason: mismatch };
    if (none) {
      await this.#deps.database.write((tx) => this.#store(tx, given, none));
      return answerOf(none);
    }
    await this.#checkChoices(given);
    const { outcome, task } = await this.#deps.database.write((tx) => this.#start(tx, given));
    if (task) this.#deps.launched(task);
    return answerOf(outcome);
  }

  /** A call that was handled before needs no check: it starts no task. */
  async #checkChoices({ row, call, resender, sender, launch_values, tried }: Handling): Promise<void> {
    const keys = resender ? [] : deliveryKeys(row, call);
    if (await earlierTask(this.#deps.database.read, row.id, keys)) return;
    await this.#deps.checkChoices({
      projectId: row.project_id,
      templateId: row.template_id,
      environment: launchRequest(row.template_id, launch_values, tried).environment,
      actor: resender ?? { ...SYSTEM, address: sender },
    });
  }

  async #start(
    tx: StateTransaction,
    given: Handling,
  ): Promise<{ readonly outcome: CallOutcome; readonly task?: Task }> {
    const { row, call, resender, launch_values, tried } = given;
    await lockTemplates(tx, { template: row.template_id });
    // It may have been deleted, or its address renewed, since the sender was verified.
    const current = await tx.selectFrom('webhook').select('token_hash').where('id', '=', row.id).executeTakeFirst();
    if (current?.token_hash !== row.token_hash) throw notFound();
    const keys = resender ? [] : deliveryKeys(row, call);
    const earlier = await earlierTask(tx, row.id, keys);
    if (earlier) {
      const reason = { code: 'reason.webhook_replay', params: { id: earlier.task_id ?? 0 } };
      const outcome = { result: 'replayed', taskId: earlier.task_id, reason } as const;
      await this.#store(tx, given, outcome);
      return { outcome };
    }
    const now = this.#deps.clock.now();
    const values = await webhookAnswers.addTo(tx, this.#deps.master, row, launch_values);
    const task = await this.#deps.launch(tx, {
      projectId: row.project_id,
      request: launchRequest(row.template_id, values, tried),
      webhook: { id: row.id, name: row.name },
      actor: resender ?? { ...SYSTEM, address: given.sender },
      now,
    });
    for (const delivery of keys)
      await tx
        .insertInto('webhook_delivery')
        .values({ webhook_id: row.id, delivery, task_id: task.id, created: now.toISOString() })
        .execute();
    const outcome = { result: 'started', taskId: task.id, reason: null } as const;
    await this.#store(tx, given, outcome);
    return { outcome, task };
  }

  /** Stores a verified call that was refused, with the reason, and shows it in the activity. */
  async #refuse(given: CallToHandle, error: ApiError): Promise<void> {
    const { row, resender, sender } = given;
    const reason = reasonOf(error);
    await this.#deps.database.write(async (tx) => {
      const template = await tx
        .selectFrom('template')
        .innerJoin('webhook', 'webhook.template_id', 'template.id')
        .select('template.name')
        .where('webhook.id', '=', row.id)
        .executeTakeFirst();
      if (!template) return;
      await this.#store(tx, given, { result: 'refused', taskId: null, reason });
      await recordEvent(tx, {
        kind: 'webhook.not_started',
        params: { name: row.name, template: template.name, reason },
        actor: resender ?? { ...SYSTEM, address: sender },
        projectId: row.project_id,
        objectType: 'webhook',
        objectId: row.id,
        objectName: row.name,
        at: this.#deps.clock.now(),
      });
    });
  }

  async #store(tx: StateTransaction, given: CallToHandle, outcome: CallOutcome, verified = true): Promise<void> {
    const { row, call, sender, secret } = given;
    await storeCall(tx, { webhook: row, call, sender, secret, verified, ...outcome, now: this.#deps.clock.now() });
  }
}
