import type { Response } from 'express';
import type { Clock } from '../kit/time/clock.ts';
import type { Deps } from '../kit/deps.ts';
import type { Viewer } from '../tenancy/auth/scope.ts';
import { fix, unauthorized, type Spell } from '../kit/errors/errors.ts';

/** Where a request came from, as the audit log records it. */
export interface Origin {
  readonly ipAddress: string;
  readonly userAgent: string;
  /** Tells when what the request asks for happens. */
  readonly clock?: Clock;
}

/** What one request carries to its resolvers: a courier, unpacked there and unknown to use cases.
 *  A new object for each request, because Pothos keeps its caches on it. */
export interface Context {
  readonly deps: Deps;
  /** Null: no token, or one that is no longer good. */
  readonly viewer: Viewer | null;
  readonly actor: Origin;
  /** In every response as `X-Request-Id`, and in the log. */
  readonly requestId: string;
  /** True when a REST route asks: its operations are ours, so no limit of depth or complexity holds for them. */
  readonly rest: boolean;
  /** Spells the names in stored errors as the API does that asks. */
  readonly spell: Spell;
  /** For cookies and headers. Absent outside HTTP. */
  readonly res?: Response;
  /** Aborted when the client leaves before its answer. Absent outside HTTP. */
  readonly signal?: AbortSignal;
  /** Hears what an answer depends on before it is worked out, and throws when the client has it already. REST's alone. */
  readonly dependsOn?: (version: string) => void;
}

/** The caller of a field that only members reach.
 *  @throws {AppError} UNAUTHORIZED when there is none */
export function viewerOf(ctx: Pick<Context, 'viewer'>): Viewer {
  if (!ctx.viewer) throw unauthorized`Authentication is missing or no longer valid${fix}log in again`;
  return ctx.viewer;
}

/** The caller as the audit log names them.
 *  @throws {AppError} UNAUTHORIZED when nobody is signed in */
export function actorOf(ctx: Pick<Context, 'viewer' | 'actor'>) {
  const viewer = viewerOf(ctx);
  return { organizationId: viewer.scope.organizationId, userId: viewer.userId, email: viewer.email, ...ctx.actor };
}
