/** The environment that a user's shell gives a bare `ansible-playbook`. */
export const SHELL_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: process.env.HOME ?? '/',
  LANG: 'C.UTF-8',
};
