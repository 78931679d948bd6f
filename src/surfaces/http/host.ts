import type { RequestHandler } from 'express';
import { fix, invalid } from '../../kit/errors/errors.ts';

/** A name, an IPv4 or IPv6 address, with an optional port (RFC 9110, 7.2). */
const form = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Rejects a malformed or repeated Host header (RFC 9112, 3.2): later code builds URLs from it and would fail. Only HTTP/1.0 may
 *  omit it; Node itself would reject that without a body. */
export const requireHost: RequestHandler = (req, _res, next) => {
  const { host } = req.headers;
  // Node ignores all but the first, while a proxy may have used another one.
  if ((req.headersDistinct['host']?.length ?? 0) > 1)
    throw invalid`The Host header is given several times${fix}send it once`;
  if (host === undefined ? req.httpVersion === '1.0' : form.test(host)) return next();
  if (host === undefined)
    throw invalid`The Host header is missing, which HTTP/1.1 requires${fix}send the host of the server`;
  throw invalid`The Host header must be a host with an optional port, not ${JSON.stringify(host.slice(0, 80))}`;
};
