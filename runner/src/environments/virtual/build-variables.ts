type Variables = Readonly<Record<string, string>>;

/** Variables of a run that pip and uv get: their own settings, proxies and certificates. */
const PASSED =
  /^(PIP_\w+|UV_\w+|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy)$/;

/** Settings that would install somewhere else, or read files of the runner. */
const IGNORED =
  /^(PIP_(TARGET|PREFIX|ROOT|USER|PYTHON|CONFIG_FILE|CACHE_DIR|CLIENT_CERT)|UV_(CACHE_DIR|CONFIG_FILE|ENV_FILE|PROJECT\w*|TOOL\w*|PYTHON_\w+))$/;

const DECIDES = /^(PIP|UV)_/;

/** Files with certificates, which an administrator keeps on the runner for every project. */
const CERTIFICATES = /^(PIP_CERT|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$/;

/** An address of another machine, after the name that uv accepts before it. */
const ADDRESS = /^([\w.-]+=)?(git\+)?(https?|ssh):\/\//i;

/** Whether a setting names a file of the runner, which could be one of another project. */
const namesFile = (name: string, value: string): boolean =>
  DECIDES.test(name) &&
  !CERTIFICATES.test(name) &&
  value
    .split(/[\s,]+/)
    .some((part) => /file:/i.test(part) || /^[.~]/.test(part) || (/[/\\]/.test(part) && !ADDRESS.test(part)));

/** Variables that load code into programs. No requirement gets them. */
const LOADS_CODE = /^(LD_|DYLD_|PYTHON|GCONV_|GLIBC_|PATH$|HOME$|SIGNALBOX_)/;

/** What uv calls the settings of pip, so that a run has the same variables on every runner. */
const UV_NAMES: Variables = {
  PIP_INDEX_URL: 'UV_DEFAULT_INDEX',
  PIP_EXTRA_INDEX_URL: 'UV_INDEX',
  PIP_FIND_LINKS: 'UV_FIND_LINKS',
  PIP_CERT: 'SSL_CERT_FILE',
};

/** uv separates these addresses by commas, pip by spaces. */
const uvValue = (name: string, value: string): string =>
  name === 'PIP_FIND_LINKS' ? value.trim().replace(/\s+/g, ',') : value;

const filtered = (variables: Variables, test: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => test(name)));

/**
 * The variables of a run with which its virtual environment is built.
 * @param named names of variables in the requirements
 */
export const buildVariables = (variables: Variables, named: readonly string[]) => {
  const known = filtered(
    variables,
    (name) => !IGNORED.test(name) && !LOADS_CODE.test(name) && (PASSED.test(name) || named.includes(name)),
  );
  const refused = Object.keys(known).filter((name) => namesFile(name, known[name] ?? ''));
  const passed = filtered(known, (name) => !refused.includes(name));
  return {
    passed,
    /** Names of those that are not passed because they name files of the runner. */
    refused,
    /** Those that decide what is installed. */
    deciding: filtered(passed, (name) => DECIDES.test(name) || named.includes(name)),
  };
};

const withUvNames = (variables: Variables): Variables => ({
  ...Object.fromEntries(
    Object.entries(UV_NAMES).flatMap(([pip, uv]) => {
      const value = variables[pip];
      return value === undefined ? [] : [[uv, uvValue(pip, value)]];
    }),
  ),
  ...variables,
});

const withPipNames = (variables: Variables): Variables => ({
  ...(variables.SSL_CERT_FILE === undefined ? {} : { PIP_CERT: variables.SSL_CERT_FILE }),
  ...variables,
});

/**
 * The variables of a build with uv. Its own settings take precedence over those of pip, and the variables of a run over those
 * of the runner, whichever names they have.
 * @param base the environment of every child process of the runner
 */
export const forUv = (base: Variables, variables: Variables): Record<string, string> => ({
  ...withUvNames(base),
  ...withUvNames(variables),
});

/** The same for pip, which does not know the usual name of the file with certificates. */
export const forPip = (base: Variables, variables: Variables): Record<string, string> => ({
  ...withPipNames(base),
  ...withPipNames(variables),
});
