import type { Database } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';

export const usersRoutes = (database: Database): Pick<Handlers, 'currentUser'> => ({
  currentUser: async ({ caller }) => {
    const user = await database.read.selectFrom('users').selectAll().where('id', '=', caller.id).executeTakeFirst();
    if (!user) throw notFound();
    return {
      id: user.id,
      name: user.name,
      username: user.username,
      email: user.email,
      admin: user.admin === 1,
      alert: user.alert === 1,
      external: user.external === 1,
      can_create_project: user.admin === 1 || user.can_create_project === 1,
      billing: user.billing === 1,
      created: user.created,
    };
  },
});
