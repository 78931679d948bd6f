import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isToken, newToken, tokenHash } from '../../../src/tenancy/tokens/run.ts';

describe('newToken', () => {
  it('consists of svc_, 33 random characters and a checksum of 6', () => {
    const tokens = Array.from({ length: 1000 }, newToken);
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^svc_[0-9A-Za-z]{39}$/);
  });

  it('has at least 160 random bits: every digit of the secret takes many values', () => {
    const tokens = Array.from({ length: 2000 }, newToken);
    // 192 bits fill all 33 digits except the first, which holds the remainder.
    for (let at = 5; at < 37; at += 1) expect(new Set(tokens.map((token) => token.charAt(at))).size).toBe(62);
  });
});

describe('isToken', () => {
  it('verifies the checksum, the CRC-32 of the secret', () => {
    const token = newToken();
    expect(isToken(token)).toBe(true);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const check = Array.from(token.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(check).toBe(crc32(token.slice(4, -6)));
  });

  it('rejects a token with any character changed, removed or added', () => {
    const token = newToken();
    for (let at = 0; at < token.length; at += 1) {
      const other = token.charAt(at) === 'x' ? 'y' : 'x';
      expect(isToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
    for (const text of ['', 'svc_', token.slice(0, -1), `${token}0`, ` ${token}`, `${token}\n`, token.toUpperCase()])
      expect(isToken(text)).toBe(false);
  });
});

describe('tokenHash', () => {
  it('is the SHA-256 of the whole token', () => {
    const token = newToken();
    expect(tokenHash(token).toString('hex')).toBe(createHash('sha256').update(token).digest('hex'));
  });
});
