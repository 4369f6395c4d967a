import type { Bus } from '../bus/bus.ts';
import type { LinkedRunner } from '../bus/linked-runner.ts';
import type { OwnServer } from '../bus/own-server.ts';
import { Relay } from '../bus/relay.ts';
import { limitLines } from '../line-limit.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { Foundation } from './foundation.ts';

/** Maximum log lines a minute about notices. */
const WARNINGS = 20;

interface RelayParts {
  readonly bus: Bus;
  readonly live: LiveHub;
  /** The runners that are linked to this server. */
  readonly runners: () => readonly LinkedRunner[];
  readonly ownServer: OwnServer;
}

/** Connects the bus with those of the other servers of the database. Undefined if there can be none. */
export const composeRelay = (
  { clock, app, storage: { database, logs } }: Foundation,
  { bus, live, runners, ownServer }: RelayParts,
): Relay | undefined => {
  // Any user of the database can send notices.
  const warn = limitLines(clock, WARNINGS);
  return database.openNotices === undefined
    ? undefined
    : new Relay({
        bus,
        clock,
        logs,
        runners,
        name: ownServer.name,
        about: () => ownServer.state(),
        open: database.openNotices,
        readTasks: (ids) => database.read.selectFrom('task').selectAll().where('id', 'in', ids).orderBy('id').execute(),
        watched: () => live.watched(),
        catchUp: (taskId) => live.catchUp(taskId),
        onError: (error) =>
          warn((more) => app.log.warn({ err: error, ...more }, 'notices of other servers may be late')),
      });
};
