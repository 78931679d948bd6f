import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOf, newTotpSecret, otpauthUri, qrSvg, stepOf } from '../../../src/tenancy/second-factor/code.ts';
import { generateSync } from 'otplib';

// RFC 6238, appendix B, with the last 6 of its 8 digits. The secret is "12345678901234567890" in base32.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a TOTP code', () => {
  it.each([
    [59, '287082', 1n],
    [1_111_111_109, '081804', 37_037_036n],
    [1_111_111_111, '050471', 37_037_037n],
    [1_234_567_890, '005924', 41_152_263n],
    [2_000_000_000, '279037', 66_666_666n],
    [20_000_000_000, '353130', 666_666_666n],
  ])('matches RFC 6238 at %i s', async (seconds, code, step) => {
    expect(await stepOf(secret, code, new Date(seconds * 1000))).toBe(step);
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('from a clock %i steps ahead is accepted: %s, anywhere within the step', async (steps, isTaken) => {
    for (const offset of [0, 1, 15, 29]) {
      const epoch = 1_800_000_000 + offset;
      const step = await stepOf(secret, generateSync({ secret, epoch: epoch + steps * 30 }), new Date(epoch * 1000));
      expect([offset, step]).toEqual([offset, isTaken ? 60_000_000n + BigInt(steps) : null]);
    }
  });

  it('of another secret is rejected', async () => {
    const now = new Date(1_800_000_000_000);
    const codes = new Set<string>();
    for (const steps of [-1, 0, 1]) codes.add(generateSync({ secret, epoch: 1_800_000_000 + steps * 30 }));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 999_999 }), async (number) => {
        const code = String(number).padStart(6, '0');
        expect((await stepOf(secret, code, now)) !== null).toBe(codes.has(code));
      }),
    );
  });

  it('has 6 digits with any spacing', () => {
    expect(['123456', '123 456', ' 12 34 56 '].map(digitsOf)).toEqual(['123456', '123456', '123456']);
    expect(['12345', '1234567', '12345a', '', '１２３４５６'].map(digitsOf)).toEqual([null, null, null, null, null]);
  });
});

describe('a TOTP secret', () => {
  it('has 160 bits and is unique', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is shown as an otpauth link and a QR code', () => {
    const uri = otpauthUri(secret, 'ana@example.com');
    const { protocol, host, pathname, searchParams } = new URL(uri);
    expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', '/Costkeep:ana@example.com']);
    expect([searchParams.get('secret'), searchParams.get('issuer')]).toEqual([secret, 'Costkeep']);
    const svg = qrSvg(uri);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+">.*<\/svg>$/s);
    expect(svg).not.toMatch(/script|href|onload/);
  });
});
