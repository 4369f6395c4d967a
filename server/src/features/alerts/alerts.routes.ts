import { NewAlertReceiver } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { sorted } from '../../http/objects/sorted.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import type { AlertTester } from './alert-tester.ts';
import { listDeliveries } from './delivery.store.ts';
import { insertReceiver, presentReceiver, type ReceiverRow, receiverColumns, receiverInput } from './receiver.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly tester: AlertTester;
}

type AlertRoutes =
  | 'listAlertReceivers'
  | 'createAlertReceiver'
  | 'getAlertReceiver'
  | 'updateAlertReceiver'
  | 'deleteAlertReceiver'
  | 'testAlertReceiver'
  | 'testAlertChat'
  | 'listAlertDeliveries'
  | 'testOwnAlert';

const KIND: ObjectKind<'alert_receiver'> = {
  table: 'alert_receiver',
  code: 'alert_receiver',
  taken: (name) => ({ code: 'conflict.alert_receiver_name_taken', params: { name } }),
  name: (row) => row.name,
  present: (_db, row) => presentReceiver(row),
};

const DELIVERIES = 50;

export const alertsRoutes = ({ database, clock, master, tester }: Deps): Pick<Handlers, AlertRoutes> => {
  const receivers = (projectId: number) =>
    database.read.selectFrom('alert_receiver').selectAll().where('project_id', '=', projectId);
  const find = async (projectId: number, id: number): Promise<ReceiverRow> => {
    const row = await receivers(projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  const project = async (id: number) => {
    const row = await database.read
      .selectFrom('project')
      .select(['name', 'alert_chat', 'alert_language'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  return {
    listAlertReceivers: async ({ params, query }) =>
      sorted((await receivers(params.project_id).execute()).map(presentReceiver), query, 'name'),

    createAlertReceiver: ({ params, body, actor }) =>
      orTaken(
        database,
        () => KIND.taken(body.name),
        () => database.write((tx) => insertReceiver(tx, master, params.project_id, body, actor, clock.now())),
      ),

    getAlertReceiver: async ({ params }) => presentReceiver(await find(params.project_id, params.receiver_id)),

    updateAlertReceiver: (call) =>
      changeObject({ database, clock }, KIND, call, call.params.receiver_id, async (_tx, row) =>
        receiverColumns(master, row.id, merged(NewAlertReceiver, receiverInput(master, row), call.body)),
      ),

    deleteAlertReceiver: (call) => deleteObject({ database, clock }, KIND, call, call.params.receiver_id),

    testAlertReceiver: async ({ params, caller }) => {
      const receiver = await find(params.project_id, params.receiver_id);
      const { name, alert_language } = await project(params.project_id);
      return await tester.receiver(caller.id, receiver, name, alert_language);
    },

    testAlertChat: async ({ params, caller }) => {
      const { name, alert_chat, alert_language } = await project(params.project_id);
      return await tester.chat(
        caller.id,
        { projectId: params.project_id, chat: alert_chat.trim() },
        name,
        alert_language,
      );
    },

    listAlertDeliveries: ({ params, query }) =>
      listDeliveries(database.read, params.project_id, { limit: query.limit ?? DELIVERIES, before: query.before }),

    testOwnAlert: async ({ caller }) => {
      const user = await database.read
        .selectFrom('users')
        .select(['email', 'email_proven', 'language'])
        .where('id', '=', caller.id)
        .executeTakeFirst();
      if (!user) throw notFound();
      // A test must not fill the mailbox of another person.
      if (user.email_proven !== 1 && user.email !== '') throw new ApiError('conflict.email_not_confirmed');
      return await tester.email(caller.id, user.email, user.language ?? 'en');
    },
  };
};
