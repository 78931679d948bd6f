import type { Request, Response } from 'express';
import type { Config } from '../../kit/config/config.ts';

/** Name of the refresh token cookie over plain HTTP on the same machine. */
export const cookieName = 'costkeep_refresh';

/** Its name over HTTPS: browsers accept this prefix only with the `Secure` attribute, so no page that was loaded over
 *  plain HTTP can set it. `__Host-` would need the path `/`, which sends the token with every request. */
export const secureCookieName = `__Secure-${cookieName}`;

/** Browsers send it only to the authentication routes. */
const cookiePath = '/api/v1/auth';

/** Stores the refresh token in a cookie that scripts cannot read.
 *  @param maxAgeMs remaining lifetime of the session */
export function setRefreshCookie(res: Response, publicUrl: string, token: string, maxAgeMs: number): void {
  res.cookie(nameOf(res, publicUrl), token, { ...attributes(res, publicUrl), maxAge: maxAgeMs });
}

/** Clears the refresh token cookie. */
export function clearRefreshCookie(res: Response, publicUrl: string): void {
  res.clearCookie(nameOf(res, publicUrl), attributes(res, publicUrl));
}

/** Reads the refresh token from the request's cookies; null if there is none, or if another site's page sent it.
 *  SameSite blocks other sites, but considers all hosts of one domain the same site. */
export function readRefreshCookie(res: Response, config: Pick<Config, 'publicUrl' | 'corsOrigins'>): string | null {
  if (!isOwnPage(res.req, config)) return null;
  const pairs = (res.req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const name = nameOf(res, config.publicUrl);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** Browsers send the page's origin with every POST; programs send none. */
function isOwnPage(req: Request, { publicUrl, corsOrigins }: Pick<Config, 'publicUrl' | 'corsOrigins'>): boolean {
  const { origin, host } = req.headers;
  if (origin === undefined) return true;
  const isSameHost = URL.canParse(origin) && new URL(origin).host === host;
  return isSameHost || origin === new URL(publicUrl).origin || corsOrigins.includes(origin);
}

function nameOf(res: Response, publicUrl: string): string {
  return attributes(res, publicUrl).secure ? secureCookieName : cookieName;
}

function attributes(res: Response, publicUrl: string) {
  const url = new URL(publicUrl);
  // Browsers reject Secure cookies over plain HTTP, and without HTTPS only loopback is safe. A local proxy may hide
  // the client's host name, so the public URL must be loopback, too.
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(res.req.hostname);
  return { httpOnly: true, secure: !isLocal, sameSite: 'strict', path: cookiePath } as const;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
