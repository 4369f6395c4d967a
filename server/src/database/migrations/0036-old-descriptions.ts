/** An event of an older version: one English text. */
interface OldEvent {
  readonly object_type: string;
  readonly object_id: number | null;
  readonly object_name: string;
  readonly description: string;
}

interface ConvertedEvent {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Every text that older versions stored, by the type of the object. `{=name}` stands for the name of the object and
 * `{#id}` for its id. Of two that fit, the first counts.
 */
const PATTERNS: Readonly<Record<string, readonly (readonly [kind: string, text: string])[]>> = {
  project: [
    ['project.created', 'Project {=name} created'],
    ['project.changed', 'Project {=name} changed'],
    ['project.deleted', 'Project {=name} deleted'],
    ['project.imported', 'Project {=name} imported on the command line'],
    ['retention.tasks_removed', '{count} task{s} removed: older than what is to be kept'],
    ['retention.logs_removed', '{count} log{s} removed: older than what is to be kept'],
    ['retention.tasks_and_logs_removed', '{tasks} task{s} and {logs} log{s} removed: older than what is to be kept'],
  ],
  template: [
    ['template.created', 'Template {=name} created'],
    ['template.changed', 'Template {=name} changed'],
    ['template.deleted', 'Template {=name} deleted'],
    ['deploy.not_started', '{=template} could not start after build {version}: {reason}'],
  ],
  inventory: [
    ['inventory.created', 'Inventory {=name} created'],
    ['inventory.changed', 'Inventory {=name} changed'],
    ['inventory.deleted', 'Inventory {=name} deleted'],
  ],
  environment: [
    ['environment.created', 'Environment {=name} created'],
    ['environment.changed', 'Environment {=name} changed'],
    ['environment.deleted', 'Environment {=name} deleted'],
  ],
  repository: [
    ['repository.created', 'Repository {=name} created'],
    ['repository.changed', 'Repository {=name} changed'],
    ['repository.deleted', 'Repository {=name} deleted'],
    ['repository.access_tested', 'Access to {=address} tested on runner {runner}'],
  ],
  key: [
    ['key.created', 'Key {=name} created'],
    ['key.changed', 'Key {=name} changed'],
    ['key.deleted', 'Key {=name} deleted'],
    ['key.tested', 'Key {=name} tested on runner {runner}'],
    ['key.unsaved_tested', 'A key that is not saved tested on runner {runner}'],
  ],
  view: [
    ['view.created', 'View {=name} created'],
    ['view.changed', 'View {=name} changed'],
    ['view.deleted', 'View {=name} deleted'],
    ['view.order_changed', 'Views put into another order'],
  ],
  alert_receiver: [
    ['alert_receiver.created', 'Alert receiver {=name} created'],
    ['alert_receiver.changed', 'Alert receiver {=name} changed'],
    ['alert_receiver.deleted', 'Alert receiver {=name} deleted'],
  ],
  schedule: [
    ['schedule.created', 'Schedule {=name} created'],
    ['schedule.changed', 'Schedule {=name} changed'],
    ['schedule.deleted', 'Schedule {=name} deleted'],
    ['schedule.paused', 'Schedule {=name} paused'],
    ['schedule.resumed', 'Schedule {=name} resumed'],
    ['schedule.changed_and_paused', 'Schedule {=name} changed and paused'],
    ['schedule.changed_and_resumed', 'Schedule {=name} changed and resumed'],
    ['schedule.missed', 'Schedule {=name} of {template} missed 1 due time, at {time} {zone}'],
    ['schedule.missed_several', 'Schedule {=name} of {template} missed {count} due times, the last at {time} {zone}'],
    [
      'schedule.missed_more',
      'Schedule {=name} of {template} missed more than {count} due times, the last at {time} {zone}',
    ],
    ['schedule.not_started', 'Schedule {=name} of {template} started no task at {time} {zone}: {reason}'],
    ['schedule.zone_changed', 'Schedule {=name} of {template} goes by {zone} now, no more by {old_zone}'],
    ['schedule.clock_reset', 'Schedule {=name} of {template} goes by the clock again: it had been set ahead'],
  ],
  task: [
    ['task.started', 'Task #{#id} of {=template} started'],
    ['task.started_by_schedule', 'Task #{#id} of {=template} started by schedule {schedule}'],
    ['task.succeeded', 'Task #{#id} of {=template} succeeded'],
    ['task.failed', 'Task #{#id} of {=template} failed'],
    ['task.stopped', 'Task #{#id} of {=template} was stopped'],
    ['task.stop_requested', 'Task #{#id} of {=template} was asked to stop'],
    ['task.force_stop_requested', 'Task #{#id} of {=template} was asked to stop by force'],
    ['task.deleted', 'Task #{#id} of {=template} deleted'],
    [
      'task.runner_returned',
      'The runner {runner} came back when task #{#id} of {=template} had ended already: what it has of it is kept on that runner for 24 hours',
    ],
  ],
  project_user: [
    ['team.member_added', '{=user} added to the team as {role}'],
    ['team.role_changed', '{=user} is now {role}'],
    ['team.role_changed_by_groups', '{=user} is now {role} by the groups of {source}'],
    ['team.member_left', '{=user} left the team'],
    ['team.member_removed', '{=user} removed from the team'],
    ['team.member_removed_by_groups', '{=user} removed from the team by the groups of {source}'],
  ],
  user: [
    ['user.created', 'User {=user} created'],
    ['user.created_on_command_line', 'User {=user} created on the command line'],
    ['user.created_at_first_start', 'User {=user} created at the first start'],
    ['user.created_at_sign_in', 'User {=user} created at the first sign-in with {source}'],
    ['user.linked', 'User {=user} linked with {source}'],
    ['user.deleted', 'User {=user} deleted'],
    ['user.deleted_on_command_line', 'User {=user} deleted on the command line'],
    ['user.signed_in', 'User {=user} signed in'],
    ['user.password_changed', 'Password of {=user} changed'],
    ['user.password_changed_on_command_line', 'Password of {=user} changed on the command line'],
    ['user.admin_granted_by_groups', '{=user} is now an administrator by the groups of {source}'],
    ['user.admin_revoked_by_groups', '{=user} is no longer an administrator by the groups of {source}'],
    ['user.second_factor_on', 'Second factor of {=user} turned on'],
    ['user.second_factor_off', 'Second factor of {=user} turned off'],
    ['user.second_factor_reset', 'Second factor of {=user} reset'],
    ['user.second_factor_reset_on_command_line', 'Second factor of {=user} reset on the command line'],
    ['user.recovery_codes_renewed', 'Recovery codes of {=user} made anew'],
    ['user.recovery_code_used', '{=user} used a recovery code; left: {left}'],
    ['user.email_proof_requested', 'Confirmation mail for {=user} requested'],
    ['user.email_confirmed', 'E-mail address of {=user} confirmed'],
    // These name the user as after the change, and the object as before it.
    ['user.changed', 'User {=user} changed'],
    ['user.changed_on_command_line', 'User {=user} changed on the command line'],
    ['user.changed_on_command_line', 'User {user} changed on the command line'],
    ['user.changed', 'User {user} changed'],
  ],
  token: [
    ['token.created', 'API token {=name} created'],
    ['token.revoked', 'API token {=name} revoked'],
  ],
  runner: [
    ['runner.created', 'Runner {=name} added'],
    ['runner.deleted', 'Runner {=name} removed'],
  ],
};

const ROLES: Readonly<Record<string, string>> = {
  Owner: 'role.owner',
  Manager: 'role.manager',
  'Task Runner': 'role.task_runner',
  Guest: 'role.guest',
};

const LOST = /^The template lost (.+) when it was imported: check it and save it once\.$/s;
const REASONS: Readonly<Record<string, string>> = {
  'There is no successful build that it could bring.': 'reason.no_build',
  'no runner is connected that could look for a new commit.': 'reason.no_runner',
  'build_task_id must be a successful task of the build template.': 'reason.not_a_build',
};

const reasonOf = (text: string): object => {
  const code = Object.hasOwn(REASONS, text) ? REASONS[text] : undefined;
  if (code !== undefined) return { code };
  const what = LOST.exec(text)?.[1];
  return what === undefined
    ? { code: 'reason.text', params: { text } }
    : { code: 'reason.lost_at_import', params: { what } };
};

const NUMBER = String.raw`(?:0|[1-9]\d{0,14})`;
/** What stands for a value; any text by default. */
const FORMS: Readonly<Record<string, string>> = {
  count: NUMBER,
  tasks: NUMBER,
  logs: NUMBER,
  left: NUMBER,
  time: String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`,
  zone: String.raw`\S+`,
  role: Object.keys(ROLES).join('|'),
};

const paramOf = (name: string, text: string): unknown => {
  if (FORMS[name] === NUMBER) return Number(text);
  if (name === 'role') return { code: ROLES[text] };
  return name === 'reason' ? reasonOf(text) : text;
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const formOf = (pattern: string): RegExp => {
  const parts = pattern.split(/\{(\w+)\}/);
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return escaped(part);
    return part === 's' ? 's?' : `(?<${part}>${FORMS[part] ?? '.+?'})`;
  });
  return new RegExp(`^${source.join('')}$`, 's');
};

/** Stands for the name of the object in `Rule.form`. Stored texts cannot have a NUL character. */
const MARKER = '\0';

interface Rule {
  readonly kind: string;
  /** Parameter that is the name of the object; undefined for a text without it. */
  readonly nameOf: string | undefined;
  /** Whether the id of the object and ` of ` precede its name. */
  readonly hasId: boolean;
  /** Where the id or name begins; undefined if other values precede it. */
  readonly at: number | undefined;
  readonly form: RegExp;
}

const ruleOf = ([kind, pattern]: readonly [string, string]): Rule => {
  const withMarkers = pattern.replace('{#id} of {=template}', MARKER).replace(/\{=\w+\}/, MARKER);
  const start = withMarkers.split(MARKER)[0] ?? '';
  return {
    kind,
    nameOf: /\{=(\w+)\}/.exec(pattern)?.[1],
    hasId: pattern.includes('{#id}'),
    at: start.includes('{') ? undefined : start.length,
    form: formOf(withMarkers),
  };
};

const RULES: ReadonlyMap<string, readonly Rule[]> = new Map(
  Object.entries(PATTERNS).map(([type, patterns]) => [type, patterns.map(ruleOf)]),
);

const apply = ({ kind, nameOf, hasId, at, form }: Rule, event: OldEvent): ConvertedEvent | undefined => {
  const { object_id, object_name, description } = event;
  let text = description;
  if (nameOf !== undefined) {
    const name = hasId ? `${object_id} of ${object_name}` : object_name;
    const start = at ?? description.lastIndexOf(name);
    if (start < 0 || !description.startsWith(name, start)) return undefined;
    text = `${description.slice(0, start)}${MARKER}${description.slice(start + name.length)}`;
  }
  const found = form.exec(text);
  if (!found) return undefined;
  const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, paramOf(name, value)]);
  const params = {
    ...(hasId ? { id: object_id } : {}),
    ...(nameOf === undefined ? {} : { [nameOf]: object_name }),
    ...Object.fromEntries(values),
  };
  const isRenamed = kind.startsWith('user.changed') && nameOf === undefined;
  return { kind, params: isRenamed ? { ...params, old_name: object_name } : params };
};

/** The kind and parameters of an old description. An unknown text is kept unchanged, with the kind `text`. */
export const convertDescription = (event: OldEvent): ConvertedEvent => {
  for (const rule of RULES.get(event.object_type) ?? []) {
    const converted = apply(rule, event);
    if (converted) return converted;
  }
  return { kind: 'text', params: { text: event.description } };
};
