import { randomUUID } from 'node:crypto';
import type { FactQuery } from '../../src/engine/engine.ts';
import { openFacts, type FactRange, type FactSet } from '../../src/engine/fact-set.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { openLog } from '../../src/kit/log.ts';
import type { Month } from '../../src/kit/time/period.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { freshDatabase } from '../support/database.ts';
import { factWorld, writeFacts, type FactRow } from '../support/facts.ts';

/** All data of an organization. */
const everything: FactRange = { accountIds: null, start: null, end: null, grain: 'day' };

/** Organizations with facts, and an engine to query them. */
export async function engineWorld() {
  const { pool, prisma: db } = await freshDatabase();
  const log = openLog('silent');
  const deps: Pick<Deps, 'pool' | 'db' | 'engine' | 'factStore' | 'log'> = {
    pool,
    db,
    log,
    ...factWorld(log),
  };
  const set = (organizationId: string, range: Partial<FactRange> = {}, accountIds: readonly string[] | null = null) =>
    openFacts(pool, orgScope(organizationId, accountIds), { ...everything, ...range });
  return {
    deps,
    set,
    write: (organizationId: string, accountId: string, month: Month, rows: readonly FactRow[]) =>
      writeFacts(deps, { organizationId, accountId, month, rows }),
    /** Creates an organization; returns its id and those of its accounts. */
    organization: (accounts: number) => anOrganization(deps, accounts),
    ask: <Row extends object>(facts: FactSet, sql: string, more: Partial<FactQuery> = {}) =>
      deps.engine.rows<Row>(facts, { name: 'test', sql, ...more }),
  };
}

async function anOrganization({ db }: Pick<Deps, 'db'>, accounts: number) {
  const id = randomUUID();
  const accountIds = Array.from({ length: accounts }, () => randomUUID()).sort();
  await db.organization.create({
    data: {
      id,
      name: 'Plum',
      currency: 'USD',
      trustExternalId: id,
      accounts: {
        create: accountIds.map((account) => ({
          id: account,
          name: account,
          provider: 'focus' as const,
          externalId: account,
          status: 'connected' as const,
          settings: {},
        })),
      },
    },
  });
  return { id, accountIds };
}
