import { expect, it } from 'vitest';
import { statementRecorder } from '../../support/statements.ts';
import type { Team } from '../team.ts';
import { findingsWorld } from './world.ts';

/** Counts the statements that fields of a list add to those of its ids.
 *  @param rows the expected number of rows */
function statementCounter(world: Team, rows: number) {
  const record = statementRecorder();
  const count = async (root: string, fields: string) => {
    const statements = await record(async () => {
      const { body } = await world.gql('ana', `{ ${root}(perPage: 20) { data { ${fields} } } }`);
      expect(body.errors).toBeUndefined();
      expect(body.data[root].data).toHaveLength(rows);
    });
    return statements.length;
  };
  return async (root: string, fields: string) => (await count(root, `id ${fields}`)) - (await count(root, 'id'));
}

it('reads a to-one relation of 20 rows with one statement per table', async () => {
  const added = statementCounter(await findingsWorld(20), 20);
  expect(await added('anomalies', 'account { id name }')).toBe(1);
  expect(await added('anomalies', 'statusChangedBy { name }')).toBe(0);
  expect(await added('recommendations', 'account { name }')).toBe(1);
  expect(await added('recommendations', 'resource { id }')).toBe(1);
  expect(await added('recommendations', 'resource { inventory { name } }')).toBe(1);
  expect(await added('recommendations', 'resource { inventory { name account { name } } }')).toBe(2);
  expect(await added('inventory', 'account { name }')).toBe(1);
});

it('reads a to-many relation of 20 rows with two statements: one for ids and one for fields', async () => {
  const added = statementCounter(await findingsWorld(20), 20);
  expect(await added('inventory', 'recommendations { title }')).toBe(2);
  expect(await added('inventory', 'recommendations(first: 1) { title account { name } }')).toBe(3);
});

it('reads to-many relations of accounts with two statements each, limited in the database', async () => {
  const world = await findingsWorld(20);
  const { db, organizationId, accounts } = world;
  const { userId } = await db.membership.findUniqueOrThrow({ where: { id: world.id('ben') } });
  for (const accountId of [accounts.one, accounts.two])
    for (let index = 0; index < 5; index += 1) {
      const at = new Date(Date.UTC(2026, 10, 20, index));
      const shared = { organizationId, accountId, createdById: userId, name: `${index}`, createdAt: at };
      await db.budget.create({
        data: { ...shared, amount: 50, currency: 'USD', alertThresholds: [80], updatedAt: at },
        select: { id: true },
      });
      await db.tagPolicy.create({ data: { ...shared, rules: [] }, select: { id: true } });
      const rule = { ...shared, metric: 'daily_cost', operator: 'gt', threshold: 1, updatedAt: at } as const;
      const { id: ruleId } = await db.alertRule.create({ data: rule, select: { id: true } });
      await db.alertFiring.createMany({
        data: [1, 2, 3].map((day) => ({
          ruleId,
          day: new Date(Date.UTC(2026, 10, day)),
          figure: day,
          threshold: 1,
          firedAt: at,
        })),
      });
    }
  const added = statementCounter(world, 2);
  for (const relation of ['budgets', 'alertRules', 'tagPolicies', 'anomalies', 'recommendations'])
    expect([relation, await added('accounts', `${relation}(first: 2) { id }`)]).toEqual([relation, 2]);
  expect(await added('accounts', 'alertRules { firings(first: 1) { figure } }')).toBe(3);
  const asked =
    'budgets(first: 2) { name } tagPolicies(first: 1) { name } alertRules(first: 1) { name firings(first: 2) { day } }';
  const { body } = await world.gql(
    'ana',
    `{ accounts { data { ${asked} anomalies(first: 3) { id } none: budgets(first: 1) { name } } } }`,
  );
  const one = {
    budgets: [{ name: '4' }, { name: '3' }],
    tagPolicies: [{ name: '4' }],
    alertRules: [{ name: '4', firings: [{ day: '2026-11-03' }, { day: '2026-11-02' }] }],
    none: [{ name: '4' }],
  };
  expect(body.data.accounts.data).toMatchObject([one, one]);
  expect(body.data.accounts.data[0].anomalies).toHaveLength(3);
});

it('reads members, invitations and audit entries with one statement per table', async () => {
  const world = await findingsWorld(0);
  const { db, accounts, organizationId } = world;
  const ids = Object.values(accounts);
  for (let n = 0; n < 16; n += 1) await world.join(`member${n}`, 'viewer', ids);
  const emails = Array.from({ length: 20 }, (_, n) => `new${n}@example.com`);
  await world.rest('ana', 'POST', '/org/invite', { emails, role: 'viewer', account_access: ids.slice(0, 2) });
  const entry = { organizationId, action: 'login', resourceType: 'session', ipAddress: '', userAgent: '' };
  const { userId } = await db.membership.findUniqueOrThrow({ where: { id: world.id('ben') } });
  await db.auditEntry.createMany({ data: emails.map(() => ({ ...entry, actorId: userId })) });
  const added = statementCounter(world, 20);
  expect(await added('members', 'user { name }')).toBe(1);
  expect(await added('members', 'accountAccess')).toBe(1);
  expect(await added('members', 'accountAccess accounts { name }')).toBe(2);
  expect(await added('members', 'lockedUntil')).toBe(2);
  expect(await added('invites', 'invitedBy { name }')).toBe(1);
  expect(await added('invites', 'accountAccess')).toBe(1);
  expect(await added('auditLogs', 'user { name }')).toBe(1);
});
