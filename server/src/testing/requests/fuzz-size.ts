import { isWholeRun } from '../../../../testing/sample.ts';
import { seedOfTest } from '../../../../testing/seed.ts';

const REQUESTS = { sampled: 2_000, whole: 10_000 };

/** Number of requests of a fuzz run, shared by its databases. SIGNALBOX_FUZZ_REQUESTS sets another number. */
export const fuzzRequests = (): number =>
  Number(process.env.SIGNALBOX_FUZZ_REQUESTS ?? (isWholeRun() ? REQUESTS.whole : REQUESTS.sampled));

/** The seed of the requests, so that a failure can be repeated. */
export const fuzzSeed = (): number => Number(process.env.SIGNALBOX_FUZZ_SEED ?? seedOfTest());
