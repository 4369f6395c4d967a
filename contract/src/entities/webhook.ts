import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Moment, Name, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { Message } from '../messages/message.ts';
import { LaunchValues } from './launch-values.ts';

/** How a webhook checks that a call comes from the program that knows its secret. */
export const SenderCheck = z.enum(['github', 'gitlab', 'gitea', 'bitbucket', 'hmac', 'bearer', 'none']);
export type SenderCheck = z.infer<typeof SenderCheck>;

/** Largest body of a received call, in bytes. */
export const MAX_WEBHOOK_BODY = 262_144;
/** How much of the body of a received call is stored, in bytes. */
export const MAX_STORED_BODY = 49_152;
/** Maximum number of matchers, and of extractors, of a webhook. */
const MAX_RULES = 20;

const HeaderName = text(100)
  .trim()
  .regex(/^[A-Za-z0-9-]*$/, fieldError('field.header_name'));

const Source = z.enum(['header', 'body']).describe('Where the value is: in a header, or in the JSON body.');
const Path = text(255)
  .trim()
  .min(1, fieldError('field.required'))
  .describe(
    "Name of the header, or path in the body: `$.release.tag_name`, `commits[0].id`, `$['a.b']`; `$` for the body.",
  );

export const WebhookMatcher = z.object({
  source: Source,
  path: Path,
  method: z
    .enum(['equals', 'not_equals', 'contains', 'matches', 'exists'])
    .describe('`matches` compares with a regular expression of RE2 that may match a part; `exists` ignores `value`.'),
  value: text(1024).default('').describe('The value to compare with.'),
});
export type WebhookMatcher = z.output<typeof WebhookMatcher>;

/** What an extracted value becomes. */
export const WebhookTarget = z.enum(['answer', 'limit', 'branch', 'commit', 'message']);

export const WebhookExtractor = z.object({
  source: Source,
  path: Path,
  pattern: text(1024)
    .default('')
    .describe('Regular expression of RE2: its first group, or else what it matches, is the value. Empty for all.'),
  target: WebhookTarget.describe('What the value becomes: a survey answer or an option of the task.'),
  variable: text(255).trim().default('').describe('The survey variable of an `answer`; else empty.'),
});
export type WebhookExtractor = z.output<typeof WebhookExtractor>;

const MATCHERS = 'Conditions of which all must match. Without any, every call starts a task.';
const EXTRACTORS = 'Values of the call with which its task is started. They take precedence over `launch_values`.';
const SIGNATURE_HEADER = 'Header with the signature, for `hmac`; else empty.';
const DELIVERY_HEADER =
  'Header whose value identifies a delivery, so that it starts one task. Empty for those of GitHub, GitLab, Gitea, Forgejo and Bitbucket.';
const CHECK =
  'How the sender is checked: by a signature of the body (`github`, `gitea`, `bitbucket`, `hmac`), by the secret in a header (`gitlab`, `bearer`), or only by the address (`none`).';

/** `started` a task; `replayed` a delivery that had started one; `no_match` and `paused` started none. */
export const WebhookResult = z.enum(['started', 'replayed', 'no_match', 'paused', 'refused']);
export type WebhookResult = z.infer<typeof WebhookResult>;

export const Webhook = z.object({
  id: Id,
  project_id: Id,
  template_id: Id,
  name: z.string(),
  active: z.boolean().describe('False while the webhook is paused and its calls start no task.'),
  sender_check: SenderCheck.describe(CHECK),
  signature_header: z.string().describe(SIGNATURE_HEADER),
  delivery_header: z.string().describe(DELIVERY_HEADER),
  has_secret: z.boolean().describe('Whether a secret is stored.'),
  matchers: z.array(WebhookMatcher).describe(MATCHERS),
  extractors: z.array(WebhookExtractor).describe(EXTRACTORS),
  launch_values: LaunchValues.describe('What its tasks are started with, without secret answers.'),
  secret_answers: z.array(z.string()).describe('Names of the secret answers that are stored.'),
  last_call: Moment.nullable().describe('When the last verified call was received; null without one.'),
  newest_call: z
    .object({
      time: Moment.describe('When it was received.'),
      result: WebhookResult.describe('What became of the call.'),
    })
    .nullable()
    .describe('The newest call that is kept, also of a sender that was not verified; null without one.'),
});
export type Webhook = z.output<typeof Webhook>;

/** A webhook with its address, which is answered only once. */
export const WebhookWithAddress = Webhook.extend({
  address: z.string().describe('The URL for the calls. It is not stored and never answered again.'),
});

export const NewWebhook = z.object({
  template_id: Id,
  name: Name,
  active: z.boolean().default(true).describe('Whether calls start tasks.'),
  sender_check: SenderCheck.describe(CHECK),
  signature_header: HeaderName.default('').describe(SIGNATURE_HEADER),
  delivery_header: HeaderName.default('').describe(DELIVERY_HEADER),
  secret: text(1024).default('').describe('The secret that the sender knows. Required except for `none`. Write-only.'),
  matchers: z.array(WebhookMatcher).max(MAX_RULES).default([]).describe(MATCHERS),
  extractors: z.array(WebhookExtractor).max(MAX_RULES).default([]).describe(EXTRACTORS),
  launch_values: LaunchValues.nullish().describe(
    'What its tasks are started with. Replaces the stored values, except secret answers that it leaves out.',
  ),
});
export const WebhookChange = changeOf(NewWebhook.shape);

const outcome = {
  result: WebhookResult.describe('What became of the call. `replayed`: its delivery had started a task before.'),
  task_id: Id.nullable().describe('The task that the call started, or that the same delivery had started.'),
};

/** The answer to a call. */
export const WebhookAnswer = z.object({
  ...outcome,
  reason: z.string().describe('Why it started no task, in English. Empty if it did.'),
});
export type WebhookAnswer = z.infer<typeof WebhookAnswer>;

/** A received call. */
export const WebhookCall = z.object({
  id: Id,
  webhook_id: Id,
  time: Moment.describe('When it was received.'),
  sender: z.string().describe('IP address of the sender.'),
  event: z.string().describe('The event that the sender names in a header; empty if it names none.'),
  ...outcome,
  reason: Message.nullable().describe('Why it started no task; null if it did.'),
  description: z.string().describe('The reason in English; empty if it started a task.'),
  size: z.int().describe('Size of the body in bytes.'),
  can_resend: z.boolean().describe('Whether the sender was verified and the whole body is stored.'),
});
export type WebhookCall = z.infer<typeof WebhookCall>;

const Headers = z.record(z.string(), z.string());

/** A received call with what is stored of it. */
export const WebhookCallContent = WebhookCall.extend({
  headers: Headers.describe('The headers without those that contain secrets, signatures or cookies.'),
  body: z.string().describe('The body, at most 48 KiB of it.'),
});
export type WebhookCallContent = z.infer<typeof WebhookCallContent>;

/** Matchers and extractors to try with a call, and the call. */
export const WebhookTest = z.object({
  matchers: NewWebhook.shape.matchers,
  extractors: NewWebhook.shape.extractors,
  headers: z
    .record(text(100), text(4096))
    .refine((headers) => Object.keys(headers).length <= 100, fieldError('field.invalid'))
    .default({})
    .describe('The headers of the call.'),
  body: text(MAX_STORED_BODY).describe('The body of the call.'),
});

const tried = {
  value: z.string().nullable().describe('The value in the call, at most 1024 characters; null without one.'),
  lines: z
    .array(z.int())
    .nullable()
    .describe('The first and the last line of the body that contain the value, from 1; null if it is not in the body.'),
};

export const WebhookTestResult = z.object({
  is_json: z.boolean().describe('Whether the body is empty or JSON. Another body is refused.'),
  is_match: z.boolean().describe('Whether all matchers match.'),
  matchers: z
    .array(z.object({ is_match: z.boolean().describe('Whether the matcher matches.'), ...tried }))
    .describe('The result of each matcher, in order.'),
  extractors: z.array(z.object(tried)).describe('The value of each extractor, in order.'),
});
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;
