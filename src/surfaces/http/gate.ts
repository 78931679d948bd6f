import type { Request, Response } from 'express';
import type { RateCategory } from '../../kit/config/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message, unauthorized } from '../../kit/errors/errors.ts';
import { authenticate } from '../../tenancy/sessions/authenticate.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { budgetOf, type Limiter, type Verdict } from '../../tenancy/limits/limiter.ts';
import { exchangeOf } from './exchange.ts';

/** What stands before every answer of the two APIs: who asks, and whether they may ask again. */
export interface Gate {
  /** Reads who calls from the Bearer token. A bad one is nobody. */
  identify(req: Request): Promise<Viewer | null>;
  /** Counts the request and sets its headers, whether or not it may pass.
   *  @param weight requests it stands for; 0 only looks */
  count(req: Request, res: Response, category: RateCategory, weight?: number): Promise<Verdict>;
}

/** Builds the gate over the server's one limiter. */
export function createGate(deps: Deps, limiter: Limiter): Gate {
  return {
    async identify(req) {
      const token = bearerToken(req);
      const viewer = token === null ? null : await authenticate(deps, token);
      exchangeOf(req).viewer = viewer;
      return viewer;
    },
    async count(req, res, category, weight = 1) {
      const exchange = exchangeOf(req);
      const budget = budgetOf(category, exchange.viewer?.userId ?? null, exchange.origin.ipAddress);
      const verdict = await limiter.hit(budget.category, budget.identity, weight);
      // Of several counts the headers tell the tightest one.
      if (!exchange.verdict || isTighter(verdict, exchange.verdict)) {
        exchange.verdict = verdict;
        setLimitHeaders(res, verdict);
      }
      return verdict;
    },
  };
}

/** The refusal of a request above its limit, with `Retry-After`. */
export function tooMany(verdict: Verdict): AppError {
  const { category, limit, retryAfter } = verdict;
  const said = message`More than ${limit} ${category} requests per minute${fix}try again in ${retryAfter} s`;
  return new AppError('RATE_LIMITED', said, { headers: { 'Retry-After': String(retryAfter) } });
}

/** The refusal of a request that needs a caller. */
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
