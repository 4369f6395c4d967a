import type { ApiToken, BodyInput, RouteTable, TokenScope } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { DAY_MS } from '../../ui/time/time.ts';

/** Values of the form of a new API token. */
export interface TokenValues {
  name: string;
  /** Days until it expires; empty for never. */
  days: string;
  scope: TokenScope;
  /** Ids of projects; none for all. */
  projects: string[];
  /** Ids of templates; none for all. */
  templates: string[];
}

export const NEW_TOKEN: TokenValues = { name: '', days: '', scope: 'everything', projects: [], templates: [] };

/** The body of the request. It only contains values that differ from the defaults of the server. */
export const tokenBody = ({
  name,
  days,
  scope,
  projects,
  templates,
}: TokenValues): NonNullable<BodyInput<RouteTable['createToken']>> => ({
  name: name.trim(),
  ...(days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
  ...(scope === 'everything' ? {} : { scopes: [scope] }),
  ...(projects.length === 0 ? {} : { projects: projects.map(Number) }),
  ...(templates.length === 0 ? {} : { templates: templates.map(Number) }),
});

interface Named {
  readonly name: string;
}

interface Limits {
  readonly scopes: readonly TokenScope[];
  readonly projects: readonly Named[] | null;
  readonly templates: readonly Named[] | null;
}

const namesOf = (all: readonly Named[]): string => all.map(({ name }) => name).join(', ');

/** Catalogue keys of what each scope permits. */
export const SCOPE_TEXTS: Readonly<Record<TokenScope, string>> = {
  everything: 'tokens.scopeEverything',
  read: 'tokens.scopeRead',
  run: 'tokens.scopeRun',
  metrics: 'tokens.scopeMetrics',
};

/** The scopes that are shown: the others are part of `everything`. */
const shownScopes = (scopes: readonly TokenScope[]): readonly TokenScope[] =>
  scopes.includes('everything') ? ['everything'] : scopes;

/** What a token may do, as a text. */
export const tokenSummary = ({ scopes, projects, templates }: Limits, t: TFunction): string =>
  [
    ...shownScopes(scopes).map((scope) => t(SCOPE_TEXTS[scope])),
    ...(projects === null
      ? []
      : [projects.length === 0 ? t('tokens.noProject') : t('tokens.inProjects', { names: namesOf(projects) })]),
    ...(templates === null
      ? []
      : [templates.length === 0 ? t('tokens.noTemplate') : t('tokens.ofTemplates', { names: namesOf(templates) })]),
  ].join(' · ');

/** Whether a token may do less than its user. */
export const isLimited = ({ scopes, projects }: ApiToken): boolean =>
  !scopes.includes('everything') || projects !== null;
