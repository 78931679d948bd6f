import type { Deps } from '../../kit/deps.ts';
import { isToken, tokenHash, tokenPrefix } from '../tokens/run.ts';
import { verifyAccessToken } from './access-token.ts';
import type { Viewer } from '../auth/scope.ts';
import { findTokenViewer, findViewer, touchToken } from './store.ts';

type AuthDeps = Pick<Deps, 'pool' | 'clock' | 'config'>;

/** Precision of a token's last use in milliseconds: at most one write per minute. */
const lastUsedMs = 60_000;

/** Identifies the caller by a request's bearer token: the JWT of a session, or an API token. Role, scope and
 *  membership are read now, in one query, so changes, logouts and revocations take effect with the next request.
 *  Null: forged, expired, logged out, revoked, or no longer a member. */
export async function authenticate(deps: AuthDeps, bearerToken: string): Promise<Viewer | null> {
  if (bearerToken.startsWith(tokenPrefix)) return authenticateToken(deps, bearerToken);
  const claims = await verifyAccessToken(deps, bearerToken);
  return claims && findViewer(deps.pool, claims, deps.clock.now());
}

async function authenticateToken({ pool, clock }: AuthDeps, token: string): Promise<Viewer | null> {
  if (!isToken(token)) return null;
  const now = clock.now();
  const found = await findTokenViewer(pool, tokenHash(token), now);
  if (!found) return null;
  const before = new Date(now.getTime() - lastUsedMs);
  if (found.lastUsedAt === null || found.lastUsedAt <= before) await touchToken(pool, found.tokenId, now, before);
  return found.viewer;
}
