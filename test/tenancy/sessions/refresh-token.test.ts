import { describe, expect, it } from 'vitest';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import {
  firstRefreshToken,
  hashOf,
  latestOf,
  matches,
  parseRefreshToken,
  successorOf,
} from '../../../src/tenancy/sessions/refresh-token.ts';

const sessionId = '0193a000-0000-7000-8000-000000000002';
const keys = openSecrets([new Uint8Array(32).fill(7)]);
const otherKeys = openSecrets([new Uint8Array(32).fill(8)]);

describe('refresh tokens', () => {
  it('can be parsed', () => {
    const token = firstRefreshToken(sessionId);
    expect(token.text).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(parseRefreshToken(token.text)).toEqual(token);
    expect(matches(token, hashOf(token))).toBe(true);
  });

  it('have one successor on all servers with the same key', () => {
    const token = firstRefreshToken(sessionId);
    const next = successorOf(keys, token);
    expect(successorOf(openSecrets([new Uint8Array(32).fill(7)]), token).text).toBe(next.text);
    expect(next.sessionId).toBe(sessionId);
    expect(next.text).not.toBe(token.text);
    expect(successorOf(otherKeys, token).text).not.toBe(next.text);
  });

  it('lead to the current token over any number of exchanges', () => {
    const token = firstRefreshToken(sessionId);
    const third = successorOf(keys, successorOf(keys, successorOf(keys, token)));
    expect(latestOf(keys, token, hashOf(third))?.text).toBe(third.text);
    expect(latestOf(keys, third, hashOf(token))).toBeNull();
    expect(latestOf(otherKeys, token, hashOf(third))).toBeNull();
  });

  it.each(['', 'x', 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(63)}!`, `${'a'.repeat(64)}=`])(
    'reject another format: %j',
    (text) => {
      expect(parseRefreshToken(text)).toBeNull();
    },
  );
});
