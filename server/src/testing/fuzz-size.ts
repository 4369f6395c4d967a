const DEFAULT_REQUESTS = 10_000;
const DEFAULT_SEED = 20_261_121;

/** Requests of a fuzz run over both databases; SIGNALBOX_FUZZ_REQUESTS asks for another number. */
export const fuzzRequests = (): number => Number(process.env.SIGNALBOX_FUZZ_REQUESTS ?? DEFAULT_REQUESTS);

/** The seed that the requests follow from, so that what fails once fails again. */
export const fuzzSeed = (): number => Number(process.env.SIGNALBOX_FUZZ_SEED ?? DEFAULT_SEED);
