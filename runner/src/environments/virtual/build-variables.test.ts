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

  it.each([
    ['PIP_INDEX_URL', '/srv/index'],
    ['PIP_INDEX_URL', 'file:///srv/index'],
    ['PIP_FIND_LINKS', 'https://packages.example /srv/packages'],
    ['PIP_FIND_LINKS', '../other'],
    ['PIP_CONSTRAINT', 'folder/constraints.txt'],
    ['UV_INDEX', 'private=file:///srv/index'],
    ['UV_FIND_LINKS', 'https://packages.example,~/packages'],
    ['UV_PYTHON', '/srv/other/bin/python'],
    ['PIP_LOG', '/srv/log'],
  ])('leave out settings that name files of the runner: %s=%s', (name, value) => {
    expect(buildVariables({ [name]: value }, [])).toEqual({ passed: {}, deciding: {}, refused: [name] });
  });

  it.each([
    ['UV_INDEX', 'private=https://packages.example/simple,https://other.example'],
    ['PIP_CERT', '/etc/ssl/private-authority.pem'],
    ['PIP_TRUSTED_HOST', 'packages.example:8443'],
    ['TOKEN', 'a/b'],
  ])('contain settings that name no such file: %s=%s', (name, value) => {
    expect(buildVariables({ [name]: value }, ['TOKEN']).passed).toEqual({ [name]: value });
  });

  it('are those of pip for uv too, whose own settings take precedence', () => {
    const given = { PIP_INDEX_URL: 'a', PIP_CERT: 'c' };
    expect(forUv({}, given)).toMatchObject({ UV_DEFAULT_INDEX: 'a', SSL_CERT_FILE: 'c' });
    expect(forUv({}, { PIP_INDEX_URL: 'a', UV_DEFAULT_INDEX: 'b' }).UV_DEFAULT_INDEX).toBe('b');
    expect(forPip({}, { SSL_CERT_FILE: 'c' }).PIP_CERT).toBe('c');
  });

  it('take precedence over those of the runner for pip and for uv, whichever name they have', () => {
    const base = { PATH: '/bin', SSL_CERT_FILE: '/runner.pem' };
    expect(forUv(base, {})).toEqual(base);
    expect(forPip(base, {})).toEqual({ ...base, PIP_CERT: '/runner.pem' });
    for (const name of ['PIP_CERT', 'SSL_CERT_FILE']) {
      expect(forUv(base, { [name]: '/own.pem' }).SSL_CERT_FILE, name).toBe('/own.pem');
      expect(forPip(base, { [name]: '/own.pem' }).PIP_CERT, name).toBe('/own.pem');
    }
  });

  it('name the addresses of packages as uv separates them', () => {
    const variables = { PIP_FIND_LINKS: ' https://a.example/x  https://b.example ', PIP_EXTRA_INDEX_URL: 'c d' };
    expect(forUv({}, variables)).toMatchObject({
      UV_FIND_LINKS: 'https://a.example/x,https://b.example',
      UV_INDEX: 'c d',
    });
  });
});
