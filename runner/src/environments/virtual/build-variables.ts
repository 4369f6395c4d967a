type Variables = Readonly<Record<string, string>>;

/** Variables of a run that pip and uv get: their own settings, proxies and certificates. */
const PASSED =
  /^(PIP_\w+|UV_\w+|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy)$/;

/** Settings that would install somewhere else, or from files of the runner. */
const IGNORED =
  /^(PIP_(TARGET|PREFIX|ROOT|USER|PYTHON|CONFIG_FILE|CACHE_DIR)|UV_(CACHE_DIR|CONFIG_FILE|PROJECT\w*|TOOL\w*|PYTHON_\w+))$/;

/** Variables that load code into programs. No requirement gets them. */
const LOADS_CODE = /^(LD_|DYLD_|PYTHON|GCONV_|GLIBC_|PATH$|HOME$|SIGNALBOX_)/;

const DECIDES = /^(PIP|UV)_/;

/** What uv calls the settings of pip, so that a run has the same variables on every runner. */
const UV_NAMES: Variables = {
  PIP_INDEX_URL: 'UV_DEFAULT_INDEX',
  PIP_EXTRA_INDEX_URL: 'UV_INDEX',
  PIP_FIND_LINKS: 'UV_FIND_LINKS',
  PIP_CERT: 'SSL_CERT_FILE',
};

const filtered = (variables: Variables, test: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => test(name)));

/**
 * The variables of a run with which its virtual environment is built.
 * @param named names of variables in the requirements
 */
export const buildVariables = (variables: Variables, named: readonly string[]) => {
  const passed = filtered(
    variables,
    (name) => !IGNORED.test(name) && !LOADS_CODE.test(name) && (PASSED.test(name) || named.includes(name)),
  );
  return {
    passed,
    /** Those that decide what is installed. */
    deciding: filtered(passed, (name) => DECIDES.test(name) || named.includes(name)),
  };
};

/** The same variables for uv. Its own settings take precedence. */
export const forUv = (variables: Variables): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(UV_NAMES).flatMap(([pip, uv]) => (variables[pip] === undefined ? [] : [[uv, variables[pip]]])),
  ),
  ...variables,
});

/** The same variables for pip, which does not know the usual name of the file with certificates. */
export const forPip = (variables: Variables): Record<string, string> => ({
  ...(variables.SSL_CERT_FILE === undefined ? {} : { PIP_CERT: variables.SSL_CERT_FILE }),
  ...variables,
});
