import { isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../../src/surfaces/schema.ts';

/** Every field of the types whose tables hold secrets, or that lead to such a table. */
const fields = {
  User: 'email id name',
  Me: 'accountAccess organization organizations recoveryCodesLeft role secondFactors twoFactorEnabled twoFactorSetupRequired user',
  Member: 'accountAccess accounts id joinedAt lastLoginAt lockedUntil role twoFactorEnabled user',
  Invite: 'acceptedAt accountAccess createdAt email expiresAt id invitedBy role sentAt status',
  Session: 'createdAt current expiresAt id ipAddress lastUsedAt method organizationId organizationName userAgent',
  ApiToken: 'createdAt expiresAt id lastFour lastUsedAt name readOnly',
  // The only type with a token, which is answered when it is made.
  NewApiToken: 'createdAt expiresAt id lastFour lastUsedAt name readOnly token',
  Passkey: 'backedUp createdAt deviceType id lastUsedAt name transports',
  Organization: 'accountCount billing createdAt currency id memberCount members name requireTwoFactor',
  AuditEntry: 'action actor details id ipAddress resourceId resourceType timestamp user userAgent',
  AuditActor: 'email id',
} as const;

it.each(Object.entries(fields))('%s has no field but those named', (name, expected) => {
  const type = buildSchema().getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no object type`);
  expect(Object.keys(type.getFields()).toSorted().join(' ')).toBe(expected);
});

it('no field is named after a secret column but those that are shown once, are written, or are no secret', () => {
  const secret = /hash|secret|publicKey|credentialId|counter|totpLastStep|trustExternalId|webhook$/i;
  const named = Object.values(buildSchema().getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
    .filter((field) => secret.test(field.split('.')[1] ?? ''));
  expect(named.toSorted()).toEqual([
    'AccountSetup.trustExternalId',
    'Mutation.setSlackWebhook',
    'TwoFactorSetup.secret',
  ]);
});
