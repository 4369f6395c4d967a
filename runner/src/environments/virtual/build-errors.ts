import { PreparationError } from '../../errors/preparation-error.ts';
import type { ProgramEnd } from '../../process/program.ts';
import type { PythonTool } from './python-tool.ts';

/** Why the runner cannot make virtual environments at all. */
export const noTool = (): PreparationError =>
  new PreparationError(
    'preparation',
    'The runner cannot make virtual environments: install uv, or Python with its module venv (python3-venv on Debian).',
    { code: 'virtual_environment.tool_missing', params: {} },
  );

/** Why a step of a build failed, whose output is in the log. */
export const makeBuildError = ({ name }: PythonTool, { error, stdout }: ProgramEnd, limitMs: number) => {
  if (/ensurepip is not\s+available/.test(stdout)) return noTool();
  if (error === 'timeout')
    return new PreparationError(
      'preparation',
      `${name} needed more than ${limitMs / 60_000} minutes for the virtual environment.`,
      { code: 'virtual_environment.too_slow', params: { program: name, minutes: limitMs / 60_000 } },
    );
  return new PreparationError(
    'preparation',
    `${name} could not install the requirements of the virtual environment: see the lines above.`,
    { code: 'virtual_environment.not_installed', params: { program: name } },
  );
};
