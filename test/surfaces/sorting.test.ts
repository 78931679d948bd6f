import { getNamedType, isEnumType, isObjectType, type GraphQLNamedType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../src/surfaces/schema.ts';
import { worldOfFile } from '../support/world.ts';

const at = worldOfFile();
const schema = buildSchema();

/** In the order of creation. */
const stored = ['b', 'A', 'c', 'B2'];
const sorted = ['A', 'b', 'B2', 'c'];

describe('sort_by', () => {
  it('is an enum per list with both directions, in GraphQL and in the document', () => {
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
    const arguments_ = fields.flatMap((field) => field.args.filter(({ name }) => name === 'sortBy'));
    expect(arguments_.length).toBeGreaterThan(18);
    const { components } = restApiOf(schema).document;
    for (const { type } of arguments_) {
      const named = getNamedType(type);
      const values = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
      expect([named.name, values.length > 0]).toEqual([named.name, true]);
      const ascending = values.filter((name) => name.endsWith('_ASC'));
      expect(values).toEqual(expect.arrayContaining(ascending.map((name) => name.replace(/ASC$/, 'DESC'))));
      const spelled = values.map((name) =>
        name.toLowerCase().replace(/^(.*)_(asc|desc)$/, (_all, field, way) => `${way === 'desc' ? '-' : ''}${field}`),
      );
      expect(Object(components).schemas[named.name]).toMatchObject({ type: 'string', enum: spelled });
    }
  });

  it.each([
    ['/alert-rules', (name: string) => ({ name, metric: 'daily_cost', operator: 'gte', threshold: 5 })],
    ['/auth/tokens', (name: string) => ({ name })],
    ['/budgets', (name: string) => ({ name, amount: 5, currency: 'USD' })],
    [
      '/reports/schedules',
      (name: string) => ({
        name,
        type: 'cost_summary',
        format: 'csv',
        frequency: 'daily',
        recipients: ['a@example.com'],
      }),
    ],
    ['/tag-policies', (name: string) => ({ name, rules: [{ key: 'team' }] })],
  ])('is case-insensitive for names in %s', async (path, bodyOf) => {
    const { token } = await at().register();
    for (const name of stored) expect((await at().rest('POST', path, { token, body: bodyOf(name) })).status).toBe(201);
    expect(await namesOf(path, token)).toEqual([sorted, sorted.toReversed()]);
  });

  it('is case-insensitive for names of members', async () => {
    const { token, email } = await at().register({ name: 'b' });
    const { organizationId } = await at().deps.db.membership.findFirstOrThrow({ where: { user: { email } } });
    for (const name of stored.slice(1)) {
      const user = { email: `${name}@${email}`.toLowerCase(), name, passwordHash: '' };
      await at().deps.db.membership.create({
        data: { role: 'viewer', user: { create: user }, organization: { connect: { id: organizationId } } },
      });
    }
    expect(await namesOf('/org/members', token)).toEqual([sorted, sorted.toReversed()]);
  });

  it('is case-insensitive for names of passkeys', async () => {
    const { token, email } = await at().register();
    const { id: userId } = await at().deps.db.user.findUniqueOrThrow({ where: { email } });
    const passkey = {
      userId,
      publicKey: Buffer.of(1),
      counter: 0,
      transports: [],
      deviceType: 'singleDevice',
      backedUp: false,
    };
    for (const name of stored)
      await at().deps.db.passkey.create({ data: { ...passkey, name, credentialId: Buffer.from(name) } });
    expect(await namesOf('/auth/passkeys', token)).toEqual([sorted, sorted.toReversed()]);
  });
});

interface Named {
  readonly name?: string;
  readonly user?: { readonly name: string };
}

/** The names in a list, in ascending and in descending order. */
async function namesOf(path: string, token: string): Promise<(string | undefined)[][]> {
  const pages = ['name', '-name'].map((sortBy) =>
    at().rest<{ data: Named[] }>('GET', `${path}?sort_by=${sortBy}`, { token }),
  );
  return (await Promise.all(pages)).map(({ body }) => body.data.map(({ name, user }) => user?.name ?? name));
}

it.each([
  ['device_type of a passkey', 'Passkey', 'deviceType'],
  ['method of a session', 'Session', 'method'],
  ['phase of a sync', 'SyncProgress', 'phase'],
])('has an enum for the %s', (_what, type, field) => {
  expect(isEnumType(typeOf(schema.getType(type), field))).toBe(true);
});

function typeOf(type: GraphQLNamedType | undefined, name: string): GraphQLNamedType | undefined {
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field && getNamedType(field.type);
}
