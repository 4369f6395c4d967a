import type { MemberRole, RoleSlug } from '../roles.ts';
import type { Message } from './message.ts';

/** Types of parameters. A type that ends with `?` is that of a parameter that may be missing. */
interface ParamTypes {
  text: string;
  number: number;
  role: RoleMessage;
  reason: Message;
}
type ParamType = keyof ParamTypes | `${keyof ParamTypes}?`;

const NAMED = { name: 'text' } as const;
/** `fields`: the names of the changed fields, separated by commas. Events of older versions do not have it. */
const CHANGED = { name: 'text', old_name: 'text?', fields: 'text?' } as const;
const USER = { user: 'text' } as const;
const USER_CHANGED = { user: 'text', old_name: 'text?', fields: 'text?' } as const;
const USER_SOURCE = { user: 'text', source: 'text' } as const;
const ROLE_CHANGED = { user: 'text', role: 'role', old_role: 'role?' } as const;
const TASK = { id: 'number', template: 'text' } as const;
/** A schedule without a name is named by its cron expression. */
const SCHEDULE = { name: 'text', template: 'text' } as const;

/** The kinds of events with the names and types of their parameters. */
const EVENTS = {
  'project.created': NAMED,
  'project.changed': CHANGED,
  'project.deleted': NAMED,
  'project.imported': NAMED,
  'template.created': NAMED,
  'template.changed': CHANGED,
  'template.deleted': NAMED,
  'inventory.created': NAMED,
  'inventory.changed': CHANGED,
  'inventory.deleted': NAMED,
  'environment.created': NAMED,
  'environment.changed': CHANGED,
  'environment.deleted': NAMED,
  'repository.created': NAMED,
  'repository.changed': CHANGED,
  'repository.deleted': NAMED,
  'repository.access_tested': { address: 'text', runner: 'text' },
  'key.created': NAMED,
  'key.changed': CHANGED,
  'key.deleted': NAMED,
  'key.tested': { name: 'text', runner: 'text' },
  'key.unsaved_tested': { runner: 'text' },
  'view.created': NAMED,
  'view.changed': CHANGED,
  'view.deleted': NAMED,
  'view.order_changed': {},
  'grant.created': { what: 'text', who: 'text' },
  'grant.changed': { what: 'text', who: 'text', fields: 'text?' },
  'grant.deleted': { what: 'text', who: 'text' },
  'role.created': NAMED,
  'role.changed': CHANGED,
  'role.deleted': NAMED,
  'label.created': NAMED,
  'label.changed': CHANGED,
  'label.deleted': NAMED,
  'failure.changed': CHANGED,
  'failure.taken': NAMED,
  'failure.assigned': { name: 'text', user: 'text' },
  'failure.unassigned': NAMED,
  'feed.created': {},
  'feed.revoked': {},
  'badge.created': NAMED,
  'badge.revoked': NAMED,
  'freeze_window.created': NAMED,
  'freeze_window.changed': CHANGED,
  'freeze_window.deleted': NAMED,
  'saved_filter.created': NAMED,
  'saved_filter.changed': CHANGED,
  'saved_filter.deleted': NAMED,
  'saved_launch.created': NAMED,
  'saved_launch.changed': CHANGED,
  'saved_launch.deleted': NAMED,
  'alert_receiver.created': NAMED,
  'alert_receiver.changed': CHANGED,
  'alert_receiver.deleted': NAMED,
  'schedule.created': NAMED,
  'schedule.changed': CHANGED,
  'schedule.paused': NAMED,
  'schedule.resumed': NAMED,
  'schedule.changed_and_paused': CHANGED,
  'schedule.changed_and_resumed': CHANGED,
  'schedule.deleted': NAMED,
  /** `time` is the local time in `zone`, as in 2026-01-31 09:30. */
  'schedule.missed': { ...SCHEDULE, time: 'text', zone: 'text' },
  /** `time` is that of the last of them. */
  'schedule.missed_several': { ...SCHEDULE, count: 'number', time: 'text', zone: 'text' },
  /** `count` is where counting stops: the schedule missed more. */
  'schedule.missed_more': { ...SCHEDULE, count: 'number', time: 'text', zone: 'text' },
  'schedule.not_started': { ...SCHEDULE, time: 'text', zone: 'text', reason: 'reason' },
  /** The task `id` of the schedule had not ended. */
  'schedule.skipped': { ...SCHEDULE, time: 'text', zone: 'text', id: 'number' },
  /** A freeze window holds the run of the due time until it ends. */
  'schedule.held_by_freeze': { ...SCHEDULE, time: 'text', zone: 'text', window: 'text' },
  'schedule.skipped_by_freeze': { ...SCHEDULE, time: 'text', zone: 'text', window: 'text' },
  'schedule.zone_changed': { ...SCHEDULE, zone: 'text', old_zone: 'text' },
  'schedule.clock_reset': SCHEDULE,
  'webhook.created': NAMED,
  'webhook.changed': CHANGED,
  'webhook.deleted': NAMED,
  'webhook.address_renewed': NAMED,
  'webhook.not_started': { name: 'text', template: 'text', reason: 'reason' },
  'task.started': TASK,
  'task.started_in_freeze': { ...TASK, window: 'text', why: 'text' },
  'task.started_by_schedule': { ...TASK, schedule: 'text' },
  'task.started_by_webhook': { ...TASK, webhook: 'text' },
  /** Created, but it needs an approval before it runs. */
  'task.requested': TASK,
  'task.requested_in_freeze': { ...TASK, window: 'text', why: 'text' },
  'task.requested_by_schedule': { ...TASK, schedule: 'text' },
  'task.requested_by_webhook': { ...TASK, webhook: 'text' },
  'task.succeeded': TASK,
  'task.failed': TASK,
  'task.stopped': TASK,
  'task.approved': TASK,
  'task.approved_with_comment': { ...TASK, why: 'text' },
  'task.approved_in_freeze': { ...TASK, window: 'text', why: 'text' },
  'task.rejected': { ...TASK, why: 'text' },
  'task.approval_outdated': TASK,
  'task.stop_requested': TASK,
  'task.force_stop_requested': TASK,
  'task.deleted': TASK,
  'task.kept': TASK,
  'task.no_longer_kept': TASK,
  'task.runner_returned': { ...TASK, runner: 'text' },
  'deploy.not_started': { template: 'text', version: 'text', reason: 'reason' },
  'retention.tasks_removed': { count: 'number' },
  'retention.logs_removed': { count: 'number' },
  'retention.tasks_and_logs_removed': { tasks: 'number', logs: 'number' },
  'team.member_added': { user: 'text', role: 'role' },
  'team.role_changed': ROLE_CHANGED,
  'team.role_changed_by_groups': { ...ROLE_CHANGED, source: 'text' },
  'team.member_left': USER,
  'team.member_removed': USER,
  'team.member_removed_by_groups': USER_SOURCE,
  'user.created': USER,
  'user.service_created': USER,
  'user.service_created_on_command_line': USER,
  'user.created_on_command_line': USER,
  'user.created_at_first_start': USER,
  'user.created_at_sign_in': USER_SOURCE,
  'user.linked': USER_SOURCE,
  'user.changed': USER_CHANGED,
  'user.changed_on_command_line': USER_CHANGED,
  'user.deleted': USER,
  'user.deleted_on_command_line': USER,
  'user.signed_in': USER,
  'user.password_changed': USER,
  'user.password_changed_on_command_line': USER,
  'user.admin_granted_by_groups': USER_SOURCE,
  'user.admin_revoked_by_groups': USER_SOURCE,
  'user.second_factor_on': USER,
  'user.second_factor_off': USER,
  'user.second_factor_reset': USER,
  'user.second_factor_reset_on_command_line': USER,
  'user.recovery_codes_renewed': USER,
  /** `left` is the number of unused codes. */
  'user.recovery_code_used': { user: 'text', left: 'number' },
  'user.email_proof_requested': USER,
  'user.email_confirmed': USER,
  'token.created': NAMED,
  'token.created_for': { name: 'text', user: 'text' },
  'token.revoked_of': { name: 'text', user: 'text' },
  'token.revoked': NAMED,
  'runner.created': NAMED,
  'runner.deleted': NAMED,
  'runner.changed': CHANGED,
  'runner.paused': NAMED,
  'runner.resumed': NAMED,
  'runner.drain_requested': NAMED,
  /** `registration` is the name of the registration token. */
  'runner.registered': { name: 'text', registration: 'text' },
  'runner.registration_created': { name: 'text', uses: 'number' },
  'runner.registration_revoked': NAMED,
  'runner.registration_refused': {},
  'runner.rotation_requested': NAMED,
  'runner.ephemeral_removed': NAMED,
  /** An English text of an older version without a kind. */
  text: { text: 'text' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ParamType>>>>;

/** Messages that only occur as parameters of events, with the names of their parameters. */
const EVENT_PARTS = {
  'role.owner': [],
  'role.manager': [],
  'role.task_runner': [],
  'role.guest': [],
  'role.custom': ['name'],
  'reason.no_build': [],
  'reason.no_runner': [],
  /** No server ran at the due time. */
  'reason.no_server': [],
  'reason.lost_at_import': ['what'],
  'reason.not_a_build': [],
  /** What is wrong with a field: `why` follows its name. */
  'reason.field': ['field', 'why'],
  'reason.and': ['first', 'rest'],
  /** Ends `why` with a full stop. */
  'reason.sentence': ['why'],
  'reason.webhook_value': ['path', 'value'],
  'reason.webhook_no_value': ['path'],
  'reason.webhook_signature': [],
  'reason.webhook_paused': [],
  'reason.webhook_replay': ['id'],
  'reason.text': ['text'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type RoleMessage =
  | { readonly code: `role.${RoleSlug}` }
  | { readonly code: 'role.custom'; readonly params: { readonly name: string } };

type Table = typeof EVENTS;
export type EventKind = keyof Table;
export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];

type Required<Shape> = { [Name in keyof Shape]: Shape[Name] extends `${string}?` ? never : Name }[keyof Shape];
type TypeOf<Type> = Type extends `${infer Base extends keyof ParamTypes}?`
  ? ParamTypes[Base]
  : ParamTypes[Type & keyof ParamTypes];

/** The parameters of an event. */
export type EventParams<Kind extends EventKind> = {
  readonly [Name in Required<Table[Kind]>]: TypeOf<Table[Kind][Name]>;
} & { readonly [Name in Exclude<keyof Table[Kind], Required<Table[Kind]>>]?: TypeOf<Table[Kind][Name]> | undefined };

/** An event: a kind with exactly its parameters. */
export type EventMessage = {
  [Kind in EventKind]: { readonly kind: Kind; readonly params: EventParams<Kind> };
}[EventKind];

/** A message that only events have as a parameter. */
export type EventPart = { readonly [Code in keyof typeof EVENT_PARTS]: Code }[keyof typeof EVENT_PARTS];
export const EVENT_PART_PARAMS: Readonly<Record<EventPart, readonly string[]>> = EVENT_PARTS;

/** The types of the parameters of every kind, by name. */
export const EVENT_PARAMS: Readonly<Record<EventKind, Readonly<Record<string, ParamType>>>> = EVENTS;

export const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENTS, kind);

/** @param name the name of a role of `custom` */
export const roleMessage = (role: MemberRole, name = ''): RoleMessage =>
  role === 'custom' ? { code: 'role.custom', params: { name } } : { code: `role.${role}` };
