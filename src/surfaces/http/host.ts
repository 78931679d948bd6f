import type { RequestHandler } from 'express';
import { invalid } from '../../kit/errors/errors.ts';

/** A name, an IPv4 or an IPv6 address, and maybe a port (RFC 9110, 7.2). */
const form = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Refuses a Host that is none: what comes after builds addresses with it, and fails. HTTP/1.0 may leave it out. */
export const requireHost: RequestHandler = (req, _res, next) => {
  const { host } = req.headers;
  if (host === undefined || form.test(host)) return next();
  throw invalid`The Host header must be a host with an optional port, not ${JSON.stringify(host.slice(0, 80))}`;
};
