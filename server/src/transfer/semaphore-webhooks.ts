import type { SenderCheck } from '@signalbox/contract';
import { z } from 'zod';
import type { ProjectFile } from './project-file.ts';

const text = z.string().nullish();
const list = <S extends z.ZodType>(item: S) => z.array(item).nullish();

const Matcher = z.looseObject({ match_type: text, body_data_type: text, method: text, key: text, value: text });
const Value = z.looseObject({
  value_source: text,
  body_data_type: text,
  key: text,
  variable: text,
  variable_type: text,
});

/** An integration of a project backup of Semaphore UI. */
export const SemaphoreIntegration = z.looseObject({
  name: text,
  template: text,
  auth_method: text,
  auth_header: text,
  matchers: list(Matcher),
  extract_values: list(Value),
  task_params: z.unknown().optional(),
});
type Integration = z.infer<typeof SemaphoreIntegration>;
type Webhook = ProjectFile['webhooks'][number];
type Rule = Webhook['matchers'][number];

/** The integration has a part without a counterpart, and without this part it could start other tasks. */
class NoCounterpart extends Error {
  override readonly name = 'NoCounterpart';
}

const CHECKS: Readonly<Record<string, SenderCheck>> = {
  none: 'none',
  github: 'github',
  bitbucket: 'bitbucket',
  hmac: 'hmac',
  token: 'bearer',
};
const METHODS: Readonly<Record<string, string>> = { equals: 'equals', unequals: 'not_equals', contains: 'contains' };
const TARGETS: Readonly<Record<string, string>> = {
  limit: 'limit',
  git_branch: 'branch',
  branch: 'branch',
  commit_hash: 'commit',
  message: 'message',
};

const GITLAB = 'x-gitlab-token';

const senderOf = ({ auth_method, auth_header }: Integration, lose: (what: string) => void) => {
  const check = CHECKS[auth_method || 'none'];
  if (check === undefined) throw new NoCounterpart(`Signalbox has no check of the sender by ${auth_method}`);
  if (check === 'bearer' && auth_header?.toLowerCase() === GITLAB)
    return { sender_check: 'gitlab' as const, signature_header: '' };
  if (check === 'bearer' && auth_header && auth_header.toLowerCase() !== 'authorization')
    lose(`the header ${auth_header}: the secret must be sent as Authorization: Bearer`);
  if (check === 'hmac' && !auth_header) throw new NoCounterpart('the header with the signature is not named');
  return { sender_check: check, signature_header: check === 'hmac' ? (auth_header ?? '') : '' };
};

/** Where a rule finds its value. The parts of paths of Semaphore UI are `a.[0].b`. */
const sourceOf = (source: string, bodyType: string | null | undefined, key: string): Pick<Rule, 'source' | 'path'> => {
  if (source === 'header') return { source, path: key };
  if (source !== 'body') throw new NoCounterpart(`Signalbox takes no values from ${source || 'nowhere'}`);
  if (bodyType === 'string') return { source, path: '$' };
  if (bodyType && bodyType !== 'json') throw new NoCounterpart(`Signalbox reads no body of type ${bodyType}`);
  return { source, path: key.replaceAll('.[', '[') };
};

const matchersOf = ({ matchers }: Integration, lose: (what: string) => void): Webhook['matchers'] =>
  (matchers ?? []).map(({ match_type, body_data_type, method, key, value }) => {
    const own = METHODS[method ?? ''];
    if (own === undefined) throw new NoCounterpart(`Signalbox has no comparison ${method ?? 'without a method'}`);
    if (match_type === 'body' && body_data_type === 'string')
      lose('the spaces between the parts of the body, which its condition for the whole body does not see');
    return { ...sourceOf(match_type ?? '', body_data_type, key ?? ''), method: own, value: value ?? '' };
  });

const extractorsOf = ({ extract_values }: Integration, lose: (what: string) => void): Webhook['extractors'] =>
  (extract_values ?? []).flatMap(({ value_source, body_data_type, key, variable, variable_type }) => {
    const isOption = variable_type === 'task';
    const target = isOption ? TARGETS[variable ?? ''] : 'answer';
    if (target === undefined) {
      lose(`the value of ${variable ?? ''}, which Signalbox does not support`);
      return [];
    }
    const source = sourceOf(value_source ?? '', body_data_type, key ?? '');
    return [{ ...source, pattern: '', target, variable: isOption ? '' : (variable ?? '') }];
  });

const isSet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(isSet) : Boolean(value);

/** Converts integrations to webhooks without addresses and secrets. Reports everything that is lost. */
export const webhooksOf = (
  integrations: readonly Integration[],
  note: (reason: string) => void,
): ProjectFile['webhooks'] =>
  integrations.flatMap((one) => {
    const name = one.name ?? '';
    const losses: string[] = [];
    const lose = (what: string): void => void losses.push(what);
    try {
      if (!one.template) throw new NoCounterpart('it has no template');
      const webhook = {
        ...{ name, template: one.template, delivery_header: '', active: true },
        ...senderOf(one, lose),
        matchers: matchersOf(one, lose),
        extractors: extractorsOf(one, lose),
        ...{ lost_values: [], secret_answers: [] },
      };
      if (isSet(one.task_params)) lose('task_params, which Signalbox does not support');
      for (const what of new Set(losses)) note(`The webhook ${name} loses ${what}.`);
      return [webhook];
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      note(`The webhook ${name} is left out: ${error.message}.`);
      return [];
    }
  });
