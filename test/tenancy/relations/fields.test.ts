import { getNamedType, isListType, getNullableType, isObjectType, type GraphQLField } from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { relationFields } from '../isolation/relations.ts';

/** The expected fields of types whose tables hold secrets, or that lead to such a table. */
const fields = {
  User: 'email id name',
  Me: 'accountAccess defaultDashboard organization organizations recoveryCodesLeft role secondFactors twoFactorEnabled twoFactorSetupRequired user',
  Member: 'accountAccess accounts id joinedAt lastLoginAt lockedUntil role twoFactorEnabled user',
  Invite: 'acceptedAt accountAccess accounts createdAt email expiresAt id invitedBy link role sentAt status',
  Session: 'createdAt current expiresAt id ipAddress lastUsedAt method organizationId organizationName userAgent',
  ApiToken: 'createdAt expiresAt id lastFour lastUsedAt name readOnly',
  // The only type with a token, which is returned on creation only.
  NewApiToken: 'createdAt expiresAt id lastFour lastUsedAt name readOnly token',
  Passkey: 'backedUp createdAt deviceType id lastUsedAt name transports',
  Organization:
    'accountCount automaticExchangeRates billing costsLoaded createdAt currency fiscalYearStartMonth id mailConfigured memberCount members name ownerTagKey requireTwoFactor sampleData',
  AuditEntry: 'action actor details id ipAddress resourceId resourceType timestamp user userAgent',
  AuditActor: 'email id',
} as const;

it.each(Object.entries(fields))('exposes only the expected fields of %s', (name, expected) => {
  const type = buildSchema().getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is not an object type`);
  expect(Object.keys(type.getFields()).toSorted().join(' ')).toBe(expected);
});

it('exposes no field named like a secret column, except those shown once, written, or not secret', () => {
  const secret = /hash|secret|publicKey|credentialId|counter|totpLastStep|trustExternalId|webhook$/i;
  const named = Object.values(buildSchema().getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
    .filter((field) => secret.test(field.split('.')[1] ?? ''));
  expect(named.toSorted()).toEqual([
    'AccountSetup.trustExternalId',
    'Channel.secret',
    'ChannelSecret.secret',
    'Mutation.rotateChannelSecret',
    'Mutation.setSlackWebhook',
    'TwoFactorSetup.secret',
  ]);
});

type Field = GraphQLField<unknown, unknown>;

const objects = Object.values(buildSchema().getTypeMap()).filter(isObjectType);
const roots = new Set(['Query', 'Mutation']);

it('limits every relation to signed-in members', () => {
  const relations = objects.flatMap((type) => relationFields(type).map((field) => ({ type, field })));
  expect(relations.length).toBeGreaterThan(40);
  const open = relations.filter(({ field }) => scopesOf(field)['signedIn'] !== true);
  // The passkey just registered by the mutation.
  expect(open.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual(['PasskeyRegistration.passkey']);
});

function scopesOf({ extensions }: Field): Record<string, unknown> {
  return Object(Object(extensions['pothosOptions']).authScopes);
}

/** Ids without a relation, with the reason. */
const reasons: Readonly<Record<string, string>> = {
  'Me.accountAccess': 'the query `accounts` returns these accounts',
  'SampleData.accountIds': 'accounts that have only begun to sync: a client reads them from the list of accounts',
  'Session.organizationId': 'may be another organization of the user: a session shows only its name',
};

it('has a relation for every field with the id of a record, or a reason for none', () => {
  const named = objects
    .filter(({ name }) => !roots.has(name))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => field.name !== 'id' && getNamedType(field.type).name === 'ID');
  expect(named.length).toBeGreaterThan(25);
  const lone = named.filter(({ type, field }) => !isObjectType(targetOf(type.getFields()[relationName(field)])));
  expect(lone.map(({ type, field }) => `${type.name}.${field.name}`).toSorted()).toEqual(Object.keys(reasons));
});

function targetOf(field: Field | undefined) {
  return field && getNamedType(field.type);
}

/** `account` for `accountId`, `accounts` for a list of them. */
function relationName({ name, type }: Field): string {
  if (name === 'accountAccess') return 'accounts';
  return `${name.replace(/Ids?$/, '')}${isListType(getNullableType(type)) ? 's' : ''}`;
}
