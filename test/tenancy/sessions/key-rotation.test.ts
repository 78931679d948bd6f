import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { serve, tenancyWorld } from '../support.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');

/** The same database with other keys, as after a restart. */
function restarted(deps: Deps, keys: { JWT_KEY: string; ENCRYPTION_KEY: string }): Deps {
  const config = readConfig(keys);
  return { ...deps, config, secrets: openSecrets(config.encryptionKeys) };
}

const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('a new JWT_KEY', () => {
  it('signs new tokens, while tokens of the old key stay valid until they expire', async () => {
    const { deps, register } = await tenancyWorld();
    const { accessToken, refreshToken } = await register('ana');
    const ENCRYPTION_KEY = key(1);
    const ask = await serve(restarted(deps, { JWT_KEY: `${key(2)},${key(1)}`, ENCRYPTION_KEY }));
    const me = (token: string) => ask('GET', '/api/v1/auth/me', undefined, { Authorization: `Bearer ${token}` });
    expect((await me(accessToken)).status).toBe(200);
    const refreshed = await ask('POST', '/api/v1/auth/refresh', { refresh_token: refreshToken });
    expect(refreshed.status).toBe(200);
    expect(kidOf(refreshed.body.access_token)).not.toBe(kidOf(accessToken));
    expect((await me(refreshed.body.access_token)).status).toBe(200);
    const later = await serve(restarted(deps, { JWT_KEY: key(2), ENCRYPTION_KEY }));
    const withOld = await later('GET', '/api/v1/auth/me', undefined, { Authorization: `Bearer ${accessToken}` });
    expect(withOld.status).toBe(401);
  });
});

describe('a new ENCRYPTION_KEY', () => {
  it('ends no session', async () => {
    const { deps, register } = await tenancyWorld();
    const { refreshToken } = await register('ana');
    const ask = await serve(restarted(deps, { JWT_KEY: key(1), ENCRYPTION_KEY: `${key(2)},${key(1)}` }));
    const refreshed = await ask('POST', '/api/v1/auth/refresh', { refresh_token: refreshToken });
    expect(refreshed.status).toBe(200);
  });
});
