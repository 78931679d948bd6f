import { describe, expect, it } from 'vitest';
import { openSecrets } from '../../../src/kit/crypto.ts';
import {
  firstRefreshToken,
  hashOf,
  isGenuine,
  matches,
  parseRefreshToken,
  successorOf,
} from '../../../src/tenancy/auth/refresh-token.ts';

const sessionId = '0193a000-0000-7000-8000-000000000002';
const keys = openSecrets([new Uint8Array(32).fill(7)]);
const otherKeys = openSecrets([new Uint8Array(32).fill(8)]);

describe('refresh tokens', () => {
  it('are read back as they were made', () => {
    const token = firstRefreshToken(keys, sessionId);
    expect(token.text).toMatch(/^[A-Za-z0-9_-]{86}$/);
    expect(parseRefreshToken(token.text)).toEqual(token);
    expect(matches(token, hashOf(token))).toBe(true);
  });

  it('have one successor, on every server of the same key', () => {
    const token = firstRefreshToken(keys, sessionId);
    const next = successorOf(keys, token);
    expect(successorOf(openSecrets([new Uint8Array(32).fill(7)]), token).text).toBe(next.text);
    expect(next.sessionId).toBe(sessionId);
    expect(next.text).not.toBe(token.text);
    expect(successorOf(otherKeys, token).text).not.toBe(next.text);
  });

  it('are told from invented ones', () => {
    const token = firstRefreshToken(keys, sessionId);
    expect(isGenuine(keys, token)).toBe(true);
    expect(isGenuine(otherKeys, token)).toBe(false);
    expect(isGenuine(keys, { ...token, sessionId: sessionId.replace('2', '3') })).toBe(false);
  });

  it.each(['', 'x', 'a'.repeat(85), 'a'.repeat(87), `${'a'.repeat(85)}!`, `${'a'.repeat(86)}=`])(
    'of another form (%j) are none',
    (text) => {
      expect(parseRefreshToken(text)).toBeNull();
    },
  );
});
