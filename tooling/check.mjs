import { runChecks } from './checks.mjs';

/** `npm run check`: every check of the code that does not run it. */
const { failed } = await runChecks();
process.exitCode = failed === 0 ? 0 : 1;
