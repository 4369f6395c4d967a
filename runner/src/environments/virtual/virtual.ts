import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionEnvironment } from '@signalbox/contract';
import { ContentCache } from '../../workspace/content-cache.ts';
import type { EnvironmentKindOf, ReadyEnvironment } from '../environment.ts';
import { installedProgram } from '../installed-program.ts';
import { buildEnvironment } from './build-environment.ts';
import { noTool } from './build-errors.ts';
import { buildVariables } from './build-variables.ts';
import { readCurrent } from './built-environment.ts';
import { readRequirements } from './python-requirements.ts';
import { findPythonTool } from './python-tool.ts';
import { virtualKey } from './virtual-key.ts';

type VirtualEnvironment = Extract<ExecutionEnvironment, { kind: 'virtual' }>;

/** Programs of a virtual environment come first; those that it lacks, such as ssh, are those of the runner. */
const programsIn = (venv: string, base: Readonly<Record<string, string>>): ReadyEnvironment => {
  const bin = join(venv, 'bin');
  const before = (path: string | undefined): string => (path === undefined ? bin : `${bin}:${path}`);
  return {
    program: (name) => installedProgram(name, before(base.PATH)),
    makeCommand: ({ argv, env }) => ({ argv: [...argv], env: { ...env, PATH: before(env.PATH), VIRTUAL_ENV: venv } }),
  };
};

/** Python virtual environments, which the runner builds once for each content and project. */
export const makeVirtual = (
  folder: string,
  base: Readonly<Record<string, string>>,
): EnvironmentKindOf<VirtualEnvironment> => {
  const cache = new ContentCache({
    folder,
    what: 'the virtual environment',
    waiting: 'Another run is building the same virtual environment: waiting for it.',
    isComplete: (entry) => readCurrent(entry) !== undefined,
  });
  return {
    cache: cache.cache,
    detect: async () => {
      const tool = await findPythonTool(base);
      return tool && { program: tool.name === 'uv' ? 'uv' : 'python3', version: tool.version };
    },
    check: () => undefined,
    prepare: async (request, { paths }) => {
      const requirements = await readRequirements(paths.checkout, request.environment);
      const tool = await findPythonTool(request.base);
      if (tool === undefined) throw noTool();
      const { passed, deciding, refused } = buildVariables(request.variables, requirements.variables);
      for (const name of refused)
        request.log.line(
          `The variable ${name} is not used for the virtual environment: it names a file of the runner.`,
        );
      const name = await virtualKey({
        ...{ projectId: request.projectId, program: request.program.name, requirements, tool, deciding },
        checkout: realpathSync(paths.checkout),
        day: new Date().toISOString().slice(0, 10),
      });
      return async ({ paths: { user } }) => {
        const { signal, log } = request;
        const { folder: entry, isNew } = await cache.provide(name, { signal, user, log }, async (made) => {
          log.line(`Virtual environment: building with ${tool.name}`);
          const id = randomUUID().slice(0, 8);
          await buildEnvironment({ request, tool, requirements, variables: passed, user }, made, id);
        });
        const built = readCurrent(entry);
        if (built === undefined) throw new Error(`The virtual environment ${entry} was removed.`);
        await request.recordUse(entry);
        const what = [`Python ${built.python}`, `${request.program.package} ${built.version}`.trim()].join(', ');
        log.line(`Virtual environment: ${isNew ? 'built' : 'reused'} (${what})`);
        if (isNew) request.done('Virtual environment built');
        return programsIn(join(entry, built.folder, 'venv'), request.base);
      };
    },
  };
};
