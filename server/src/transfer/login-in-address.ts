/** A user name and a password. */
export interface Login {
  readonly login: string;
  readonly password: string;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Removes the user name and password from a repository's address; an address without a password is returned unchanged. */
export const splitAddress = (url: string): { readonly git_url: string; readonly login: Login | undefined } => {
  const [, scheme, login, password, rest] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#:]*):([^/?#]*)@(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || login === undefined || password === undefined || rest === undefined)
    return { git_url: url, login: undefined };
  // Some addresses contain a token as a user name without a password.
  const secret = decoded(password) === '' ? login : password;
  // An ssh address needs its user name; ssh ignores a password in it.
  const user = scheme.toLowerCase() === 'ssh://' && login !== '' ? `${login}@` : '';
  return { git_url: `${scheme}${user}${rest}`, login: { login: decoded(login), password: decoded(secret) } };
};
