import type { SurveyChoice, SurveyVariable } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Actor } from '../../audit/record-event.ts';
import type { Database } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';
import { readVersions } from './build-versions.ts';

export interface ChoiceDeps {
  readonly database: Database;
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

export const choiceReader =
  ({ database }: ChoiceDeps): ReadChoices =>
  async ({ template, variable }) => {
    const { source } = variable;
    switch (source?.type) {
      case 'versions':
        return await readVersions(database.read, template.project_id, source.template_id, variable);
      case undefined:
        return variable.values;
    }
  };
