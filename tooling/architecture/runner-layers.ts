import { posix } from 'node:path';
import type { Violation } from './dependencies.ts';
import type { SourceFile } from './source-files.ts';

const ROOT = 'runner/src/';

/** The folders of the runner, the lowest layer first. A folder may import folders of lower layers only. */
const LAYERS: readonly (readonly string[])[] = [
  ['errors'],
  ['files'],
  ['process', 'cache'],
  ['output', 'ssh'],
  ['git'],
  ['workspace'],
  ['environments'],
  ['apps'],
  ['runs'],
  ['queries'],
  ['link'],
  ['registration'],
];

const isChecked = (path: string): boolean =>
  path.startsWith(ROOT) && !/\.(test|testing)\.ts$|^runner\/src\/testing\//.test(path);

/** The first folder below `runner/src`; empty for files directly in it, which are above all layers. */
const folderOf = (path: string): string => /^runner\/src\/([^/]+)\//.exec(path)?.[1] ?? '';

const appOf = (path: string): string | undefined => /^runner\/src\/apps\/([^/]+)\//.exec(path)?.[1];

const rankOf = (folder: string): number => LAYERS.findIndex((layer) => layer.includes(folder));

const targetOf = (path: string, source: string): string => posix.normalize(posix.join(posix.dirname(path), source));

const checkImport = (from: string, to: string): string | undefined => {
  const [folder, target] = [folderOf(from), folderOf(to)];
  const [app, otherApp] = [appOf(from), appOf(to)];
  if (app !== undefined && otherApp !== undefined && app !== otherApp)
    return `The app ${app} must not import the app ${otherApp}. Move what both need to ${ROOT}workspace/.`;
  if (folder === '' || folder === target) return undefined;
  if (target === '')
    return `${ROOT}${folder}/ must not import ${to}, which composes the runner. Pass the value as a parameter.`;
  if (rankOf(target) < rankOf(folder)) return undefined;
  const below = LAYERS.slice(0, rankOf(folder)).flat();
  return `${ROOT}${folder}/ must not import ${ROOT}${target}/, only lower layers (${below.join(', ')}). Move what both need down, or pass it as a parameter.`;
};

/** Imports between folders of the runner that go against the layers, and folders without a layer. */
export const findLayerViolations = (files: readonly SourceFile[]): Violation[] =>
  files
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, imports }) => {
      const folder = folderOf(path);
      if (folder !== '' && rankOf(folder) === -1)
        return [
          {
            path,
            line: 1,
            message: `Add the folder ${folder} to the layers in tooling/architecture/runner-layers.ts.`,
          },
        ];
      return imports.flatMap(({ source, line }) => {
        if (!source.startsWith('.')) return [];
        const message = checkImport(path, targetOf(path, source));
        return message ? [{ path, line, message }] : [];
      });
    });

/** Import cycles in the runner, also those that consist of types only. */
export const findRunnerCycles = (files: readonly SourceFile[]): Violation[] => {
  const checked = files.filter(({ path }) => isChecked(path));
  const graph = new Map(
    checked.map(({ path, imports }) => [
      path,
      imports.filter(({ source }) => source.startsWith('.')).map(({ source }) => targetOf(path, source)),
    ]),
  );
  const violations: Violation[] = [];
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path);
    if (start !== -1) {
      const cycle = [...above.slice(start), path].join(' -> ');
      violations.push({
        path,
        line: 1,
        message: `Import cycle, also if it consists of types only: ${cycle}. Move the shared type to a file of its own.`,
      });
      return;
    }
    if (done.has(path)) return;
    done.add(path);
    for (const target of graph.get(path) ?? []) visit(target, [...above, path]);
  };
  for (const path of graph.keys()) visit(path, []);
  return violations;
};
