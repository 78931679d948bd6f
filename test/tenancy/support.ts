import { onTestFinished } from 'vitest';
import { openSecrets } from '../../src/kit/crypto.ts';
import type { Config } from '../../src/kit/config.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { login } from '../../src/tenancy/auth/login.ts';
import { register } from '../../src/tenancy/auth/register.ts';
import { freshDatabase } from '../support/database.ts';

/** Frozen: every expectation derives from it. */
export const start = new Date('2026-11-21T10:00:00.000Z');
export const origin = { ipAddress: '203.0.113.7', userAgent: 'vitest' };
export const password = 'plum kite orbit';

/** What the use cases of tenancy take, on a database of its own, with a clock that the test moves. */
export async function tenancyWorld(settings: Partial<Config> = {}) {
  const { prisma, pool, stop } = await freshDatabase();
  // Each test has its own: their connections would add up.
  onTestFinished(stop);
  let now = start;
  const jwtKeys = [new Uint8Array(32).fill(1)];
  const config = { jwtKeys, registration: 'open', ...settings } as Config;
  const deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'> = {
    db: prisma,
    pool,
    clock: { now: () => now },
    config,
    secrets: openSecrets([new Uint8Array(32).fill(7)]),
  };
  return {
    deps,
    passMs(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    register: (name: string) =>
      register(deps, origin, { email: `${name}@example.com`, password, name, organizationName: `${name} Inc` }),
    login: (name: string) => login(deps, origin, { email: `${name}@example.com`, password }),
    /** The audit log, oldest first. */
    async audit(organizationId?: string) {
      const entries = await deps.db.auditEntry.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      return entries.map(({ action, actorEmail, resourceType, details }) => ({
        action,
        actorEmail,
        resourceType,
        details,
      }));
    },
  };
}
