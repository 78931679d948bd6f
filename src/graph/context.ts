import type { Response } from 'express';
import type { Clock } from '../kit/time/clock.ts';
import type { Deps } from '../kit/deps.ts';
import type { Viewer } from '../tenancy/auth/scope.ts';
import { fix, unauthorized, type Spell } from '../kit/errors/errors.ts';

/** Origin of a request, for the audit log. */
export interface Origin {
  readonly ipAddress: string;
  readonly userAgent: string;
  /** Determines the time of the requested action. */
  readonly clock?: Clock;
}

/** Per-request data for resolvers, unpacked there and unknown to use cases. A new object for each request, because
 *  Pothos attaches its caches to it. */
export interface Context {
  readonly deps: Deps;
  /** Null: no token, or an invalid one. */
  readonly viewer: Viewer | null;
  readonly actor: Origin;
  /** Sent in every response as `X-Request-Id`, and logged. */
  readonly requestId: string;
  /** True for REST routes: their operations are our own, so no depth or complexity limits apply. */
  readonly rest: boolean;
  /** Arguments of the root field, while its complexity is measured. */
  readonly rootArgs?: object;
  /** Spells the names in stored errors for the calling API. */
  readonly spell: Spell;
  /** For cookies and headers. Absent outside HTTP. */
  readonly res?: Response;
  /** Aborted when the client disconnects before the response. Absent outside HTTP. */
  readonly signal?: AbortSignal;
  /** Receives the version a response depends on before it is computed, and throws if the client already has it. REST
   *  only. */
  readonly dependsOn?: (version: string) => void;
}

/** The caller of a field that requires authentication.
 *  @throws {AppError} UNAUTHORIZED without a caller */
export function viewerOf(ctx: Pick<Context, 'viewer'>): Viewer {
  if (!ctx.viewer) throw unauthorized`Authentication is missing or no longer valid${fix}sign in again`;
  return ctx.viewer;
}

/** The caller for the audit log.
 *  @throws {AppError} UNAUTHORIZED if not signed in */
export function actorOf(ctx: Pick<Context, 'viewer' | 'actor'>) {
  const viewer = viewerOf(ctx);
  return { organizationId: viewer.scope.organizationId, userId: viewer.userId, email: viewer.email, ...ctx.actor };
}
