import type { Handler } from 'express';
import type { Deps } from '../kit/deps.ts';
import { awaitsFirstUser } from '../tenancy/login/register.ts';

const entrances: ReadonlySet<string> = new Set(['/', '/login']);

/** Redirects browsers that open the console of a new server to the registration page instead of the sign-in page. */
export function firstVisit(deps: Pick<Deps, 'db' | 'config'>): Handler {
  // Once there is an organization, no page waits for the database.
  let isOver = false;
  return async (req, res, next) => {
    if (isOver || req.method !== 'GET' || !entrances.has(req.path)) return next();
    // Without the database, the console itself shows that the server is not available.
    const isFirst = await awaitsFirstUser(deps).catch(() => null);
    isOver = isFirst === false;
    if (isFirst !== true) return next();
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(303, '/register');
  };
}
