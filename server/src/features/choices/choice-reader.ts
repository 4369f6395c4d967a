import type { SurveyChoice, SurveyVariable } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';
import type { ChoiceConfig } from '../../settings/choice-settings.ts';
import { nameVariable, readAddress } from './address-source.ts';
import { readVersions } from './build-versions.ts';
import { readHosts, readRefs, type SourceQueries } from './runner-sources.ts';
import { SourceCache } from './source-cache.ts';

export interface ChoiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly queries: SourceQueries;
  readonly config: ChoiceConfig;
}

/** A variable whose choices are read. */
export interface ChoiceRequest {
  readonly template: Selectable<TemplateTable>;
  readonly variable: SurveyVariable;
  /** The user, schedule or webhook for whom a source is asked. */
  readonly actor: Actor;
}

/**
 * Reads the choices of a variable from its source, or from the survey.
 * @throws conflict or unavailable when the source cannot be read
 */
export type ReadChoices = (request: ChoiceRequest) => Promise<readonly SurveyChoice[]>;

const asChoices = (values: readonly string[]): SurveyChoice[] => values.map((value) => ({ name: '', value }));

export const choiceReader = ({ database, clock, queries, config }: ChoiceDeps): ReadChoices => {
  const cache = new SourceCache(clock);
  return async ({ template, variable, actor }) => {
    const { source } = variable;
    const reading = { queries, cache, requester: { projectId: template.project_id, actor } };
    switch (source?.type) {
      case 'versions':
        return await readVersions(database.read, template.project_id, source.template_id, variable);
      case 'groups':
        return asChoices((await readHosts(database.read, reading, template)).groups.map(({ name }) => name));
      case 'hosts':
        return asChoices((await readHosts(database.read, reading, template)).hosts);
      case 'branches':
      case 'tags':
        return asChoices(await readRefs(reading, template, source.type));
      case 'address':
        return await cache
          .read(['address', JSON.stringify(source)], () => readAddress(config, source))
          .catch((error: unknown) => nameVariable(error, variable.title || variable.name));
      case undefined:
        return variable.values;
    }
  };
};
