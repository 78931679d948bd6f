import { createHmac, createPublicKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { ed25519Key } from '../../../src/kit/secrets/crypto.ts';
import { openJwtKeys, signAccessToken, verifyAccessToken } from '../../../src/tenancy/sessions/access-token.ts';

const now = new Date('2026-11-21T10:00:00Z');
const claims = { userId: '0193a000-0000-7000-8000-000000000001', sessionId: '0193a000-0000-7000-8000-000000000002' };
const seed = (byte: number) => new Uint8Array(32).fill(byte);

function deps(at = now, seeds = [seed(1)]) {
  return { clock: { now: () => at }, config: { jwtKeys: seeds } };
}

const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('access tokens', () => {
  it('contain user and session, but not the role', async () => {
    const token = await signAccessToken(deps(), claims);
    expect(await verifyAccessToken(deps(), token)).toEqual(claims);
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(Object.keys(payload as object).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
  });

  it('are unique', async () => {
    expect(await signAccessToken(deps(), claims)).not.toBe(await signAccessToken(deps(), claims));
  });

  it('expire after 15 minutes', async () => {
    const token = await signAccessToken(deps(), claims);
    expect(await verifyAccessToken(deps(later(899)), token)).toEqual(claims);
    expect(await verifyAccessToken(deps(later(900)), token)).toBeNull();
  });

  it('survive a key rotation, and become invalid when their key is removed', async () => {
    const token = await signAccessToken(deps(now, [seed(1)]), claims);
    expect(await verifyAccessToken(deps(now, [seed(2), seed(1)]), token)).toEqual(claims);
    expect(await verifyAccessToken(deps(now, [seed(2)]), token)).toBeNull();
  });

  it('are signed with the first key', () => {
    const [first, second] = [openJwtKeys([seed(1)]), openJwtKeys([seed(2)])];
    const both = openJwtKeys([seed(2), seed(1)]);
    expect(both.kid).toBe(second.kid);
    expect([...both.publicKeys.keys()]).toEqual([second.kid, first.kid]);
  });

  it('are rejected when modified', async () => {
    const [header = '', payload = '', signature = ''] = (await signAccessToken(deps(), claims)).split('.');
    const other = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: claims.sessionId };
    for (const forged of [
      `${header}.${encode(other)}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      '',
      'x',
    ]) {
      expect(await verifyAccessToken(deps(), forged)).toBeNull();
    }
  });
});

describe('forged access tokens', () => {
  const { kid } = openJwtKeys([seed(1)]);
  const body = {
    sub: claims.userId,
    sid: claims.sessionId,
    iss: 'costkeep',
    aud: 'costkeep',
    exp: now.getTime() / 1000 + 900,
  };

  it('are rejected without a signature', async () => {
    const token = `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${encode(body)}.`;
    expect(await verifyAccessToken(deps(), token)).toBeNull();
  });

  it('are rejected when signed by HMAC with the public key', async () => {
    const publicKey = createPublicKey(ed25519Key(seed(1))).export({ format: 'pem', type: 'spki' });
    const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${encode(body)}`;
    const signature = createHmac('sha256', publicKey).update(input).digest('base64url');
    expect(await verifyAccessToken(deps(), `${input}.${signature}`)).toBeNull();
  });

  it('are rejected with another type or audience, even if signed with our key', async () => {
    const sign = (header: { typ: string; kid?: string }, payload: object) =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg: 'EdDSA', ...header }).sign(ed25519Key(seed(1)));
    const good = { typ: 'at+jwt', kid };
    expect(await verifyAccessToken(deps(), await sign(good, body))).toEqual(claims);
    expect(await verifyAccessToken(deps(), await sign({ typ: 'JWT', kid }, body))).toBeNull();
    expect(await verifyAccessToken(deps(), await sign({ typ: 'at+jwt' }, body))).toBeNull();
    expect(await verifyAccessToken(deps(), await sign(good, { ...body, aud: 'other' }))).toBeNull();
    expect(await verifyAccessToken(deps(), await sign(good, { ...body, exp: undefined }))).toBeNull();
    expect(await verifyAccessToken(deps(), await sign(good, { ...body, sid: undefined }))).toBeNull();
  });
});
