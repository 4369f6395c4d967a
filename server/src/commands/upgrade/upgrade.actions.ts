import { openDatabase } from '../../database/open-database.ts';
import { hasState } from '../../database/stored-copy.ts';
import { readUpgradePlan } from '../../database/upgrade-plan.ts';
import { StartError } from '../../start-error.ts';
import { VERSION } from '../../version.ts';
import { print, printJson } from '../terminal.ts';
import { locationOf, noDatabase, readCommandConfig } from '../with-state.ts';
import { upgradeReport } from './upgrade-report.ts';

/**
 * Prints what a start of this version would do to the database.
 * @throws StartError when there is no database, or a newer version has migrated it
 */
export const checkUpgrade = async ({ json }: { readonly json?: boolean }): Promise<void> => {
  const config = readCommandConfig();
  if (!(await hasState(locationOf(config)))) throw noDatabase(config);
  const database = openDatabase(locationOf(config));
  try {
    const plan = await readUpgradePlan(database);
    if (json === true) printJson({ version: VERSION, ...plan });
    else for (const line of upgradeReport(plan, VERSION, new Date())) print(line);
  } catch (error) {
    const why = database.capabilities.whyNotOpened(error);
    throw why === undefined ? error : new StartError(why);
  } finally {
    await database.close();
  }
};
