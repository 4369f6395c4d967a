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

/** Takes user name and password out of a repository's address; an address without a password stays as it is. */
export const splitAddress = (url: string): { readonly git_url: string; readonly login: Login | undefined } => {
  const [, scheme, login, password, rest] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#:]*):([^/?#]*)@(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || login === undefined || password === undefined || rest === undefined)
    return { git_url: url, login: undefined };
  // A user name without a password, as some write a token.
  const secret = decoded(password) === '' ? login : password;
  // Over ssh the address names the user; a password is of no use there.
  const user = scheme.toLowerCase() === 'ssh://' && login !== '' ? `${login}@` : '';
  return { git_url: `${scheme}${user}${rest}`, login: { login: decoded(login), password: decoded(secret) } };
};
