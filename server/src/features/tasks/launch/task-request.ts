import type { BodyOf, RouteTable } from '@signalbox/contract';
import type { Actor } from '../../../audit/record-event.ts';
import type { StateTransaction } from '../../../database/database.ts';
import type { EnvironmentRules } from '../../../execution-environments.ts';
import { hiddenFrom, type Membership, permitsOverride } from '../../../http/calls/call.ts';
import type { MasterKey } from '../../../secrets/master-key.ts';
import type { TaskRow } from '../task-transition.ts';
import { launchTask } from './task-launch.ts';

interface TaskRequest {
  readonly params: { readonly project_id: number };
  readonly body: BodyOf<RouteTable['createTask']>;
  readonly actor: Actor;
  /** The membership of the caller, with the grants that permit the task if the role does not. */
  readonly membership: Membership;
}

/** What starting a task needs of the server. */
export interface LaunchDeps {
  readonly master: MasterKey;
  readonly environments: EnvironmentRules;
}

/**
 * Stores a waiting task that a user requests.
 * @throws bad_input or not_permitted when the request does not fit the template
 */
export const requestTask = (
  tx: StateTransaction,
  { params, body, actor, membership }: TaskRequest,
  now: Date,
  { master, environments }: LaunchDeps,
): Promise<TaskRow> =>
  launchTask(tx, {
    projectId: params.project_id,
    request: body,
    actor,
    mayOverride: permitsOverride(membership),
    grants: membership.grants,
    hidden: hiddenFrom(membership),
    now,
    master,
    environments,
  });
