import type { Deps } from '../../kit/deps.ts';
import { verifyAccessToken } from './access-token.ts';
import type { Viewer } from './scope.ts';
import { findViewer } from './store.ts';

/** Who calls, from the Bearer token of a request. Role, scope and membership are read now, in one query, so a change or a
 *  logout holds from the next request on. Null: forged, expired, logged out, revoked, or no longer a member. */
export async function authenticate(
  deps: Pick<Deps, 'pool' | 'clock' | 'config'>,
  bearerToken: string,
): Promise<Viewer | null> {
  const claims = await verifyAccessToken(deps, bearerToken);
  return claims && findViewer(deps.pool, claims, deps.clock.now());
}
