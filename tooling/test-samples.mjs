import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the summary of the samples, without a full stop.
 *
 * @param {string} file path of a file with one line of JSON for each sample, see `drawSample`
 * @returns {string}
 */
export const describeSamples = (file) => {
  /** @type {Map<string, { tested: number, all: number }>} */
  const groups = new Map();
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const line of lines.filter((one) => one !== '')) {
    /** @type {{ name: string, tested: number, all: number }} */
    const { name, tested, all } = JSON.parse(line);
    const [group = name] = name.split(':');
    const before = groups.get(group) ?? { tested: 0, all: 0 };
    groups.set(group, { tested: before.tested + tested, all: before.all + all });
  }
  if (groups.size === 0) return 'Nothing was tested in part';
  const parts = [...groups].map(([group, { tested, all }]) => `${group} ${tested} of ${all}`);
  return `Tested in part (npm run test:full tests all): ${parts.toSorted().join(', ')}`;
};
