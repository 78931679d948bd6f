import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { worldOfFile } from '../support/world.ts';

const focusRoot = mkdtempSync(path.join(tmpdir(), 'costkeep-accounts-'));
afterAll(() => rmSync(focusRoot, { recursive: true, force: true }));
mkdirSync(path.join(focusRoot, 'may'));
writeFileSync(path.join(focusRoot, 'may', 'bill.csv'), 'BilledCost\n');

const at = worldOfFile({ config: { focusRoot } });
const unknown = '00000000-0000-7000-8000-000000000000';
type Refusal = { error: { code: string; message: string } };

async function anAccount(name = 'May') {
  const { token } = await at().register();
  const body = { name, provider: 'focus', settings: { path: 'may' } };
  const answer = await at().rest<{ id: string; name: string }>('POST', '/accounts', { token, body });
  return { token, answer, id: answer.body.id };
}

describe('updating an account', () => {
  it.each([[{ name: '' }], [{ name: null }], [{ settings: null }]])(
    'validates %j before it looks up the account',
    async (body) => {
      const { token } = await at().register();
      const { status } = await at().rest('PATCH', `/accounts/${unknown}`, { token, body });
      expect(status).toBe(400);
    },
  );

  it('requires a change in GraphQL, too, and audits nothing otherwise', async () => {
    const { token, id } = await anAccount();
    const answer = await at().gql('mutation ($id: ID!) { updateAccount(id: $id, input: {}) { id } }', { id }, token);
    expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
      400,
      'input has no changes; send at least one of input.name, input.credentials, input.settings',
    ]);
    expect(await at().deps.db.auditEntry.count({ where: { accountId: id, action: 'account_updated' } })).toBe(0);
  });
});

describe('an account', () => {
  it('has a name of up to 100 characters without direction overrides', async () => {
    const full = '😀'.repeat(100);
    const { answer } = await anAccount(full);
    expect([answer.status, answer.body.name]).toEqual([201, full]);
    expect((await anAccount('😀'.repeat(101))).answer.status).toBe(400);
    expect((await anAccount('invoice\u202efdp')).answer.status).toBe(400);
  });

  it('is found by its exact id only, as in filters', async () => {
    const { token, id } = await anAccount();
    expect((await at().rest('GET', `/accounts/${id.toUpperCase()}`, { token })).status).toBe(404);
  });

  it('can be sorted only by field names in REST spelling', async () => {
    const { token } = await anAccount();
    const { status, body } = await at().rest<Refusal>('GET', '/accounts?sort_by=createdAt', { token });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^sort_by must be one of name, -name, /)]);
    expect((await at().rest('GET', '/accounts?sort_by=-created_at', { token })).status).toBe(200);
  });

  it('lists the methods of its routes as documented when it rejects a method', async () => {
    const { body } = await at().rest<Refusal>('GET', `/accounts/${unknown}/sync`);
    expect(body.error.message).toBe('/accounts/{id}/sync does not allow GET; use DELETE, OPTIONS, POST');
  });

  it('in a list varies by Accept', async () => {
    const { token } = await anAccount();
    expect((await at().rest('GET', '/accounts', { token })).headers.get('vary')).toContain('Accept');
  });
});
