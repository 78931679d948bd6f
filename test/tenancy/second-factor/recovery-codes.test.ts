import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import { newRecoveryCodes, parseRecoveryCode, recoveryCodeHashes } from '../../../src/tenancy/second-factor/code.ts';

describe('recovery codes', () => {
  it('are ten unique codes in readable groups', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/);
  });

  it('are parsed leniently', () => {
    for (const typed of ['7K3D-9QXM-2HT1', '7k3d9qxm2ht1', ' 7K3D 9QXM 2HT1 ', '7K3D-9QXM-2HTl', '7K3D-9QXM-2HTI'])
      expect(parseRecoveryCode(typed)).toBe('7K3D9QXM2HT1');
    expect(parseRecoveryCode('7k3d 9qxm 2ht1-c4wa5rne8zpo')).toBe('7K3D9QXM2HT1C4WA5RNE8ZP0');
    expect(parseRecoveryCode('OOOO-0000-0000')).toBe('000000000000');
    for (const other of ['', '7K3D-9QXM', '7K3D-9QXM-2HT12', '7K3D-9QXM-2HTU', '123456'])
      expect(parseRecoveryCode(other)).toBeNull();
  });

  it('never make the parser throw', () => {
    fc.assert(fc.property(fc.string(), (typed) => [null, 12, 24].includes(parseRecoveryCode(typed)?.length ?? null)));
  });

  it('are hashed per user, and match after a key rotation', () => {
    const [old, young] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const [before] = recoveryCodeHashes(openSecrets([old]), 'ana', '7K3D9QXM2HT1');
    const after = recoveryCodeHashes(openSecrets([young, old]), 'ana', '7K3D9QXM2HT1');
    expect(after).toHaveLength(2);
    expect(after[1]).toEqual(before);
    expect(after[0]).not.toEqual(before);
    expect(recoveryCodeHashes(openSecrets([old]), 'ben', '7K3D9QXM2HT1')).not.toContainEqual(before);
  });
});
