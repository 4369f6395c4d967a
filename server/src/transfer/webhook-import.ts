import { LaunchValues, type NewWebhook } from '@signalbox/contract';
import type { z } from 'zod';
import { insertWebhook } from '../features/webhooks/webhook.store.ts';
import { checkRules } from '../features/webhooks/webhook-input.ts';
import { newToken } from '../secrets/token.ts';
import { readSurvey } from '../stored-answers/survey.ts';
import type { ImportDeps } from './project-import.ts';

/** The names of the survey variables whose answers a call may give. */
const openVariables = async ({ tx }: ImportDeps, templateId: number): Promise<ReadonlySet<string>> => {
  const survey = (await readSurvey(tx, templateId)) ?? [];
  return new Set(survey.filter(({ type }) => type !== 'secret').map(({ name }) => name));
};

export interface WebhookToImport {
  readonly projectId: number;
  readonly input: z.output<typeof NewWebhook>;
  /** The name of the webhook with its template, for notes. */
  readonly label: string;
  readonly lost: readonly string[];
}

/**
 * Imports a webhook paused, without a secret, and with an address that is not known: a user renews it.
 * @throws ApiError naming the rule that is not valid
 */
export const importWebhook = async (deps: ImportDeps, { projectId, input, label, lost }: WebhookToImport) => {
  const { tx, master, actor, now, onNote } = deps;
  await checkRules(input);
  const variables = await openVariables(deps, input.template_id);
  const isAsked = ({ target, variable }: (typeof input.extractors)[number]) =>
    target !== 'answer' || variables.has(variable);
  for (const extractor of input.extractors)
    if (!isAsked(extractor))
      onNote(`${label} loses the value of ${extractor.variable}, for which the survey of its template does not ask.`);
  const launch_values = LaunchValues.parse(input.launch_values ?? {});
  const kept = { ...input, active: false, secret: '', extractors: input.extractors.filter(isAsked), launch_values };
  const { id } = await insertWebhook(tx, master, projectId, kept, newToken(), actor, now);
  if (lost.length > 0) onNote(`${label} has lost ${lost.join(', ')}.`);
  const needs = input.sender_check === 'none' ? 'a new address' : 'a new address and a secret';
  onNote(`${label} is paused: it needs ${needs}.`);
  return id;
};
