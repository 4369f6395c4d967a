import type { SenderCheck, WebhookExtractor, WebhookMatcher, WebhookResult } from '@signalbox/contract';

// Catalogue keys of the texts for each value.

export const CHECK_LABELS: Readonly<Record<SenderCheck, string>> = {
  github: 'webhooks.checks.github',
  gitlab: 'webhooks.checks.gitlab',
  gitea: 'webhooks.checks.gitea',
  bitbucket: 'webhooks.checks.bitbucket',
  hmac: 'webhooks.checks.hmac',
  bearer: 'webhooks.checks.bearer',
  none: 'webhooks.checks.none',
};

/** What a call must contain. */
export const CHECK_HELP: Readonly<Record<SenderCheck, string>> = {
  github: 'webhooks.checkHelp.github',
  gitlab: 'webhooks.checkHelp.gitlab',
  gitea: 'webhooks.checkHelp.gitea',
  bitbucket: 'webhooks.checkHelp.bitbucket',
  hmac: 'webhooks.checkHelp.hmac',
  bearer: 'webhooks.checkHelp.bearer',
  none: 'webhooks.checkHelp.none',
};

/** Where to enter the address and the secret. */
export const SET_UP: Readonly<Record<SenderCheck, string>> = {
  github: 'webhooks.setUp.github',
  gitlab: 'webhooks.setUp.gitlab',
  gitea: 'webhooks.setUp.gitea',
  bitbucket: 'webhooks.setUp.bitbucket',
  hmac: 'webhooks.setUp.hmac',
  bearer: 'webhooks.setUp.bearer',
  none: 'webhooks.setUp.none',
};

export const SOURCE_LABELS: Readonly<Record<WebhookMatcher['source'], string>> = {
  header: 'webhooks.source.header',
  body: 'webhooks.source.body',
};

export const METHOD_LABELS: Readonly<Record<WebhookMatcher['method'], string>> = {
  equals: 'webhooks.method.equals',
  not_equals: 'webhooks.method.notEquals',
  contains: 'webhooks.method.contains',
  matches: 'webhooks.method.matches',
  exists: 'webhooks.method.exists',
};

/** The options of a task that a value can become. */
export const TARGET_LABELS: Readonly<Record<Exclude<WebhookExtractor['target'], 'answer'>, string>> = {
  limit: 'webhooks.target.limit',
  branch: 'webhooks.target.branch',
  commit: 'webhooks.target.commit',
  message: 'webhooks.target.message',
};

export const RESULT_LABELS: Readonly<Record<WebhookResult, string>> = {
  started: 'webhooks.results.started',
  replayed: 'webhooks.results.replayed',
  no_match: 'webhooks.results.noMatch',
  paused: 'webhooks.results.paused',
  refused: 'webhooks.results.refused',
};
