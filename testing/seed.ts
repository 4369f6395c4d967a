import { randomInt } from 'node:crypto';

const NAME = 'SIGNALBOX_TEST_SEED';

/** Gives this run a seed, unless it was started with one, and prints it. Processes that it starts have the same. */
export const drawSeed = (): void => {
  if (process.env[NAME] !== undefined) return;
  process.env[NAME] = String(randomInt(2 ** 31));
  process.stdout.write(`Samples are drawn from seed ${process.env[NAME]}.\n`);
};

/** The seed of this run: of samples, and of tests that kill at random moments. */
export const seedOfTest = (): number => Number(process.env[NAME]);
