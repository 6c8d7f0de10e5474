import { Problem } from '../../core/problem.ts';

/**
 * Checks a provider's base URL: https, or http on this machine only, and no user or password in it.
 * @param source where it stands, for the message.
 * @throws Problem `bad_base_url`.
 */
export function readBaseUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const remedy = `Write ${source} as https://host/path; http is taken for this machine only (localhost, 127.0.0.1, [::1]).`;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Problem('bad_base_url', `${source} is no web address`, { remedy });
  if (url.username !== '' || url.password !== '')
    throw new Problem('bad_base_url', `${source} holds a user or a password`, { remedy });
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new Problem('bad_base_url', `${source} would send the key over http to ${url.host}`, { remedy });
  return url;
}

/** Does a URL name this machine? */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
