import { randomInt } from 'node:crypto';

const NAME = 'SIGNALBOX_TEST_SEED';

/** Sets and prints a seed, unless SIGNALBOX_TEST_SEED contains one. Child processes inherit it. */
export const drawSeed = (): void => {
  if (process.env[NAME] !== undefined) return;
  process.env[NAME] = String(randomInt(2 ** 31));
  process.stdout.write(`Samples are drawn from seed ${process.env[NAME]}.\n`);
};

/** The seed of this run. Samples, fuzz tests and random kills follow from it. */
export const seedOfTest = (): number => Number(process.env[NAME]);
