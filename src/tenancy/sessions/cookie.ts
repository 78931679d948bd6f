import type { Request, Response } from 'express';
import type { Config } from '../../kit/config/config.ts';

/** The cookie of the refresh token. */
export const cookieName = 'costkeep_refresh';

/** The browser sends it to the authentication routes alone. */
const cookiePath = '/api/v1/auth';

/** Puts the refresh token where no script of a page can read it.
 *  @param maxAgeMs how long the session lives yet */
export function setRefreshCookie(res: Response, publicUrl: string, token: string, maxAgeMs: number): void {
  res.cookie(cookieName, token, { ...attributes(res, publicUrl), maxAge: maxAgeMs });
}

/** Takes the refresh token away again. */
export function clearRefreshCookie(res: Response, publicUrl: string): void {
  res.clearCookie(cookieName, attributes(res, publicUrl));
}

/** The refresh token in the request's cookies; null where there is none, or where a page of somebody else sent it along.
 *  SameSite keeps other sites out, but to it every host below one domain is the same site. */
export function readRefreshCookie(res: Response, config: Pick<Config, 'publicUrl' | 'corsOrigins'>): string | null {
  if (!isOwnPage(res.req, config)) return null;
  const pairs = (res.req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? null;
}

/** Browsers say with every POST whose page it comes from; programs say nothing. */
function isOwnPage(req: Request, { publicUrl, corsOrigins }: Pick<Config, 'publicUrl' | 'corsOrigins'>): boolean {
  const { origin, host } = req.headers;
  if (origin === undefined) return true;
  const isSameHost = URL.canParse(origin) && new URL(origin).host === host;
  return isSameHost || origin === new URL(publicUrl).origin || corsOrigins.includes(origin);
}

function attributes(res: Response, publicUrl: string) {
  const url = new URL(publicUrl);
  // Browsers keep no Secure cookie that came over plain HTTP, and without HTTPS only our own machine is safe to talk to.
  // A proxy on this machine may hide the client's host name, so the public address has to be loopback too.
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(res.req.hostname);
  return { httpOnly: true, secure: !isLocal, sameSite: 'strict', path: cookiePath } as const;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
