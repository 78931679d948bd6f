import type { RequestHandler } from 'express';
import type { Gate } from './gate.ts';

const EXPOSED = 'ETag, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
/** A day: how long a browser may remember the answer to its preflight. */
const MAX_AGE_SECONDS = '86400';

/** Lets the operator's origins call from browsers; to all others it says nothing, and browsers refuse them.
 *  A preflight is the browser's own question, so it is told the limits but not counted. */
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
