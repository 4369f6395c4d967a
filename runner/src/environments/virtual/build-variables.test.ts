import { describe, expect, it } from 'vitest';
import { buildVariables, forPip, forUv } from './build-variables.ts';

describe('the variables of a build', () => {
  it('are the settings of pip and uv, proxies, certificates, and those that the requirements name', () => {
    const given = {
      PIP_INDEX_URL: 'https://packages.example',
      UV_PYTHON: '3.12',
      HTTPS_PROXY: 'http://proxy',
      SSL_CERT_FILE: '/ca.pem',
      TOKEN: 'secret',
      OTHER: 'x',
    };
    const { passed, deciding } = buildVariables(given, ['TOKEN']);
    expect(Object.keys(passed)).toEqual(['PIP_INDEX_URL', 'UV_PYTHON', 'HTTPS_PROXY', 'SSL_CERT_FILE', 'TOKEN']);
    expect(Object.keys(deciding)).toEqual(['PIP_INDEX_URL', 'UV_PYTHON', 'TOKEN']);
  });

  it.each([
    'PIP_TARGET',
    'PIP_USER',
    'PIP_CACHE_DIR',
    'UV_CACHE_DIR',
    'UV_PYTHON_INSTALL_DIR',
    'LD_PRELOAD',
    'PATH',
    'PYTHONPATH',
  ])('leave out what would install elsewhere or load code: %s', (name) => {
    expect(buildVariables({ [name]: 'x' }, [name]).passed).toEqual({});
  });

  it('are those of pip for uv too, whose own settings take precedence', () => {
    expect(forUv({ PIP_INDEX_URL: 'a', PIP_CERT: 'c' })).toMatchObject({ UV_DEFAULT_INDEX: 'a', SSL_CERT_FILE: 'c' });
    expect(forUv({ PIP_INDEX_URL: 'a', UV_DEFAULT_INDEX: 'b' }).UV_DEFAULT_INDEX).toBe('b');
    expect(forPip({ SSL_CERT_FILE: 'c' }).PIP_CERT).toBe('c');
  });
});
