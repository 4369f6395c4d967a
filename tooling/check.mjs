import { runChecks } from './checks.mjs';

/** `npm run check`: all that a machine can say about the code without running it. */
const { failed } = await runChecks();
process.exitCode = failed === 0 ? 0 : 1;
