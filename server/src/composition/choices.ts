import { addressCheck } from '../features/choices/address-source.ts';
import { choiceCheck, comeFromSources } from '../features/choices/choice-check.ts';
import { type ChoiceDeps, choiceReader } from '../features/choices/choice-reader.ts';

/** Wires the choices of surveys to their sources. */
export const composeChoices = (deps: ChoiceDeps) => {
  const read = choiceReader(deps);
  return {
    read,
    check: choiceCheck(deps.database, read),
    isAllowed: addressCheck(deps.config.addresses),
    comeFromSources: (templateId: number) => comeFromSources(deps.database, templateId),
  };
};

export type Choices = ReturnType<typeof composeChoices>;
