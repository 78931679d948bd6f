import type { RequestHandler } from 'express';
import type { Gate } from './gate.ts';

const EXPOSED = 'ETag, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
/** Cache lifetime of a preflight response, in seconds: one day. */
const MAX_AGE_SECONDS = '86400';

/** Allows cross-origin requests from the configured origins; others get no CORS headers, so browsers block them.
 *  Preflights get the rate limit headers but do not count, because the browser sends them on its own. */
export function cors(origins: readonly string[], gate: Gate): RequestHandler {
  return async (req, res, next) => {
    res.vary('Origin');
    const origin = req.get('origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Access-Control-Allow-Credentials', 'true');
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) return next();
    await gate.count(req, res, 'read', 0);
    res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match, X-Request-Id');
    res.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
    res.status(204).end();
  };
}
