import { expect, it } from 'vitest';
import { plainRefusal } from '../../src/console/accounts/source/values.ts';
import { Refusal } from '../../src/console/api/refusal.ts';

it.each([
  [
    'credentials are required because none are stored for this account; see accountSetup',
    'credentials are required because none are stored for this account',
  ],
  ['credentials are required for provider aws; see GET /accounts/setup', 'credentials are required for provider aws'],
  [
    'settings: "may" is already connected as account "019a8c2e-0000-7000-8000-000000000002": reconnect that one with updateAccount',
    'settings: "may" is already connected as another account: reconnect that one',
  ],
])('the form says %s without operations of the API', (message, plain) => {
  expect(plainRefusal(new Refusal('CONFLICT', message, { status: 409 }), [])?.message).toBe(plain);
});
