import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { RateCategory } from '../../kit/config/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message, unauthorized } from '../../kit/errors/errors.ts';
import { authenticate } from '../../tenancy/sessions/authenticate.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { budgetOf, type Limiter, type Verdict } from '../../tenancy/limits/limiter.ts';
import { exchangeOf } from './exchange.ts';

/** Authentication and rate limiting in front of both APIs. */
export interface Gate {
  /** Identifies the caller by the bearer token. Null if it is invalid. */
  identify(req: Request): Promise<Viewer | null>;
  /** Counts the request against its limit and sets the headers, whether or not it may pass.
   *  @param weight number of requests it counts as; 0 only checks */
  count(req: Request, res: Response, category: RateCategory, weight?: number): Promise<Verdict>;
  /** Returns the last count of the caller if it left no requests and its window has not ended; otherwise null. It can miss counts
   *  of other servers, so it only serves to reject early a request that costs more to validate than to count. */
  spent(req: Request, category: RateCategory): Verdict | null;
}

/** Number of callers whose limits are remembered as reached. */
const mostSpent = 10_000;

/** Creates the gate over the server's shared rate limiter. */
export function createGate(deps: Deps, limiter: Limiter): Gate {
  const spent = new LRUCache<string, Verdict>({ max: mostSpent });
  const budgetFor = (req: Request, category: RateCategory) => {
    const { viewer, origin } = exchangeOf(req);
    return budgetOf(category, viewer?.userId ?? null, origin.ipAddress);
  };
  return {
    async identify(req) {
      const token = bearerToken(req);
      const viewer = token === null ? null : await authenticate(deps, token);
      exchangeOf(req).viewer = viewer;
      return viewer;
    },
    async count(req, res, category, weight = 1) {
      const exchange = exchangeOf(req);
      const budget = budgetFor(req, category);
      const verdict = await limiter.hit(budget.category, budget.identity, weight);
      if (verdict.remaining === 0) spent.set(keyOf(budget), verdict);
      // If a request is counted several times, the headers report the tightest limit.
      if (!exchange.verdict || isTighter(verdict, exchange.verdict)) {
        exchange.verdict = verdict;
        setLimitHeaders(res, verdict);
      }
      return verdict;
    },
    spent(req, category) {
      const verdict = spent.get(keyOf(budgetFor(req, category)));
      const leftMs = verdict ? verdict.reset * 1000 - deps.clock.now().getTime() : 0;
      return verdict && leftMs > 0 ? { ...verdict, limited: true, retryAfter: Math.ceil(leftMs / 1000) } : null;
    },
  };
}

function keyOf({ category, identity }: ReturnType<typeof budgetOf>): string {
  return `${category} ${identity}`;
}

/** Identifies the caller and counts the request. Null if the caller is unknown.
 *  @throws {AppError} RATE_LIMITED above the limit */
export async function enter(gate: Gate, req: Request, res: Response, category: RateCategory): Promise<Viewer | null> {
  const viewer = await gate.identify(req);
  const verdict = await gate.count(req, res, category);
  if (verdict.limited) throw tooMany(verdict);
  return viewer;
}

/** The error for a request above its limit, with `Retry-After`. */
export function tooMany(verdict: Verdict): AppError {
  const { category, limit, retryAfter } = verdict;
  const statement = message`More than ${limit} ${category} requests per minute${fix}try again in ${retryAfter} s`;
  return new AppError('RATE_LIMITED', statement, { headers: { 'Retry-After': String(retryAfter) } });
}

/** The error for an unauthenticated request. */
export function callerUnknown(): AppError {
  return unauthorized`Authentication is missing or no longer valid${fix}send "Authorization: Bearer <token>"`;
}

function bearerToken(req: Request): string | null {
  return /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '')?.[1] ?? null;
}

function isTighter(a: Verdict, b: Verdict): boolean {
  if (a.limited !== b.limited) return a.limited;
  return a.remaining / a.limit < b.remaining / b.limit;
}

function setLimitHeaders(res: Response, verdict: Verdict): void {
  res.setHeader('X-RateLimit-Limit', verdict.limit);
  res.setHeader('X-RateLimit-Remaining', verdict.remaining);
  res.setHeader('X-RateLimit-Reset', verdict.reset);
}
