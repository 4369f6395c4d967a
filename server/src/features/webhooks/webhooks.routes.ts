import { NewWebhook, type Webhook } from '@signalbox/contract';
import { recordObjectEvent } from '../../audit/object-event.ts';
import type { StateReader } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import type { CheckLaunchValues } from '../../stored-answers/launch-checks.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';
import { jsonText, readCall } from './received-call.ts';
import {
  inputColumns,
  inputOf,
  insertWebhook,
  presentWebhook,
  secretColumns,
  secretOf,
  type WebhookInput,
  type WebhookRow,
  webhookAnswers,
} from './webhook.store.ts';
import { callToResend, newestCalls, presentCall, storedCalls } from './webhook-call.store.ts';
import { type HandlingDeps, WebhookHandling } from './webhook-handling.ts';
import { checkRules, checkSender, checkValues } from './webhook-input.ts';
import { webhookReceiver } from './webhook-receiver.ts';
import { testResultOf, tryRules } from './webhook-rules.ts';

interface Deps<Task> extends HandlingDeps<Task> {
  /** URL of the console, without a trailing slash. */
  readonly publicAddress: () => string;
  readonly checkLaunchValues: CheckLaunchValues;
  /** Called with the project of a webhook whose calls have changed. */
  readonly callsChanged: (projectId: number) => void;
}

type WebhookRoutes = Extract<keyof Handlers, `${string}Webhook${string}`>;

const RULES = ['template_id', 'matchers', 'extractors', 'launch_values'] as const;

const nameTaken = (name: string) => ({ code: 'conflict.webhook_name_taken', params: { name } }) as const;

export const webhooksRoutes = <Task extends { readonly id: number }>(
  deps: Deps<Task>,
): Pick<Handlers, WebhookRoutes> => {
  const { database, clock, master, checkLaunchValues } = deps;
  const handling = new WebhookHandling(deps);
  const receive = webhookReceiver({ ...deps, handling });
  const withAddress = (webhook: Webhook, token: string) => ({
    ...webhook,
    address: `${deps.publicAddress()}/api/webhook/${token}`,
  });
  const find = async (db: StateReader, { project_id, webhook_id }: { project_id: number; webhook_id: number }) => {
    const row = await db
      .selectFrom('webhook')
      .selectAll()
      .where('id', '=', webhook_id)
      .where('project_id', '=', project_id)
      .executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  const presentAll = async (db: StateReader, rows: readonly WebhookRow[]): Promise<Webhook[]> => {
    const ids = rows.map(({ id }) => id);
    const [newest, secrets] = [await newestCalls(db, ids), await webhookAnswers.names(db, rows)];
    return rows.map((row) =>
      presentWebhook(row, { newest_call: newest.get(row.id) ?? null, secret_answers: secrets.get(row.id) ?? [] }),
    );
  };
  const present = async (db: StateReader, row: WebhookRow): Promise<Webhook> => {
    const [presented] = await presentAll(db, [row]);
    return presented as Webhook;
  };
  const kind: ObjectKind<'webhook'> = {
    table: 'webhook',
    code: 'webhook',
    taken: nameTaken,
    name: ({ name }) => name,
    present,
  };
  const findCall = async (params: { project_id: number; webhook_id: number; call_id: number }) => {
    const webhook = await find(database.read, params);
    const call = await storedCalls(database.read, webhook.id).where('id', '=', params.call_id).executeTakeFirst();
    if (!call) throw notFound();
    return { webhook, call };
  };

  return {
    receiveWebhook: async ({ params, received, actor, accept }) => {
      const answer = await receive(params.webhook_token, received, actor.address);
      if (answer.result === 'started') accept();
      return answer;
    },

    listWebhooks: async ({ params, query, membership }) => {
      const { project_id } = params;
      const { template_id } = query;
      const hidden = hiddenFrom(membership);
      if (hidden.has(template_id ?? 0)) throw notFound();
      if (template_id !== undefined && !(await belongsTo(database.read, 'template', template_id, project_id)))
        throw notFound();
      const rows = await database.read
        .selectFrom('webhook')
        .selectAll()
        .where('project_id', '=', project_id)
        .$if(template_id !== undefined, (qb) => qb.where('template_id', '=', template_id ?? 0))
        .orderBy('name')
        .orderBy('id')
        .execute();
      return await presentAll(
        database.read,
        rows.filter((row) => !hidden.has(row.template_id)),
      );
    },

    createWebhook: async ({ params, body, actor }) => {
      checkSender(body, false);
      await checkRules(body);
      const token = newToken();
      const row = await orTaken(
        database,
        () => nameTaken(body.name),
        () =>
          database.write(async (tx) => {
            const { project_id: projectId } = params;
            const given = await checkValues(tx, master, { projectId, input: body }, checkLaunchValues);
            const input = { ...body, launch_values: storedValues({ launch_values: given.stored }) };
            const inserted = await insertWebhook(tx, master, projectId, input, token, actor, clock.now());
            await webhookAnswers.store(tx, master, inserted.id, given.secrets);
            return inserted;
          }),
      );
      return withAddress(await present(database.read, row), token);
    },

    testWebhook: async ({ body }) => {
      await checkRules(body);
      const headers = Object.fromEntries(
        Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const call = { headers, body: Buffer.from(body.body, 'utf8') };
      const read = readCall(call);
      const tried = await tryRules(body, read ?? { headers, json: undefined });
      // A form that contains the JSON has other lines.
      const isPlain = read?.json !== undefined && jsonText(call) === body.body;
      return { is_json: read !== undefined, ...(await testResultOf(tried, isPlain ? body.body : undefined)) };
    },

    getWebhook: async ({ params }) => await present(database.read, await find(database.read, params)),

    updateWebhook: (call) =>
      changeObject({ database, clock }, kind, call, call.params.webhook_id, async (tx, row) => {
        const { secret: given, ...others } = call.body;
        const input: WebhookInput = { ...merged(NewWebhook, inputOf(row), others), secret: given ?? '' };
        const isSecretStored = secretOf(master, row) !== '' && given !== null;
        const isActivated = others.active === true && row.active === 0;
        if (
          isActivated ||
          given !== undefined ||
          input.sender_check !== row.sender_check ||
          others.signature_header !== undefined
        )
          checkSender(input, isSecretStored);
        if (RULES.some((name) => call.body[name] !== undefined)) {
          await checkRules(input);
          const check = { projectId: row.project_id, input, webhookId: row.id };
          const given = await checkValues(tx, master, check, checkLaunchValues);
          await webhookAnswers.store(tx, master, row.id, given.secrets);
          input.launch_values = storedValues({ launch_values: given.stored });
        }
        const isChanged = input.sender_check === 'none' ? row.secret !== '' : input.secret !== '';
        return { ...inputColumns(input), ...(isChanged ? secretColumns(master, row.id, input.secret) : {}) };
      }),

    deleteWebhook: (call) => deleteObject({ database, clock }, kind, call, call.params.webhook_id),

    renewWebhookAddress: async ({ params, actor }) => {
      const token = newToken();
      const row = await database.write(async (tx) => {
        const locked = await lockRow(tx, 'webhook', params.project_id, params.webhook_id);
        if (!locked) throw notFound();
        await tx
          .updateTable('webhook')
          .set({ token_hash: hashToken(token) })
          .where('id', '=', locked.id)
          .execute();
        const event = { kind: 'webhook.address_renewed', params: { name: locked.name } } as const;
        await recordObjectEvent(tx, 'webhook', locked, event, actor, clock.now());
        return locked;
      });
      return withAddress(await present(database.read, row), token);
    },

    listWebhookCalls: async ({ params }) => {
      const webhook = await find(database.read, params);
      return (await storedCalls(database.read, webhook.id).execute()).map(presentCall);
    },

    getWebhookCall: async ({ params }) => {
      const { call } = await findCall(params);
      return { ...presentCall(call), headers: JSON.parse(call.headers) as Record<string, string>, body: call.body };
    },

    resendWebhookCall: async ({ params, actor }) => {
      const { webhook, call } = await findCall(params);
      const resent = callToResend(call);
      if (!resent) throw new ApiError('conflict.webhook_call_incomplete');
      return await handling.handle({
        row: webhook,
        secret: secretOf(master, webhook),
        call: resent,
        sender: actor.address,
        resender: actor,
      });
    },
  };
};
