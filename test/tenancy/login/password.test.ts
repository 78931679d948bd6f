import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { checkNewPassword, hashPassword, verifyPassword } from '../../../src/tenancy/login/password.ts';

const email = 'ana.li@example.com';
const key = Buffer.alloc(32, 1).toString('base64');
const { passwordCost } = readConfig({ JWT_KEY: key, ENCRYPTION_KEY: key });

describe('checkNewPassword', () => {
  it.each(['plum kite orbit', 'x9!kQ2vB', '🦊🐝🦉🐳🦋🐙🦔🐢', `${'long '.repeat(25)}end`])('accepts %j', (password) => {
    expect(() => checkNewPassword(password, email)).not.toThrow();
  });

  it('counts characters: accepts 8 and 128, rejects 7 and 129', () => {
    expect(() => checkNewPassword('🦊kQ2vB!x', email)).not.toThrow();
    expect(() => checkNewPassword('🦊kQ2vB!', email)).toThrow('password must have 8 to 128 characters, not 7');
    expect(() => checkNewPassword('kQ2vB!xz'.repeat(16), email)).not.toThrow();
    expect(() => checkNewPassword(`${'kQ2vB!xz'.repeat(16)}q`, email)).toThrow(
      'password must have 8 to 128 characters, not 129',
    );
  });

  it.each([
    'password',
    'Password1',
    'P@ssw0rd',
    '12345678',
    'qwertyuiop',
    'iloveyou1',
    'letmein123',
    '11111111',
    email,
  ])('rejects the common password %j', (password) => {
    expect(() => checkNewPassword(password, email)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^password is one of the most common passwords/),
      }),
    );
  });

  it('checks the normalized form: equivalent characters neither add length nor hide a common password', () => {
    for (const common of [
      '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44',
      '\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18',
    ])
      expect(() => checkNewPassword(common, email)).toThrow('password is one of the most common passwords');
    expect(() => checkNewPassword(email.replace('@', '\uff20'), email)).toThrow(
      'password is one of the most common passwords',
    );
    expect(() => checkNewPassword('e\u0301'.repeat(7), email)).toThrow('must have 8 to 128 characters, not 7');
    expect(() => checkNewPassword('kQ2vB!z\u00e9', email)).not.toThrow();
    expect(() => checkNewPassword('kQ2vB!ze\u0301', email)).not.toThrow();
  });

  it('rejects an unpaired surrogate, which would be hashed as another character', () => {
    expect(() => checkNewPassword('kQ2vB!xz\ud83d', email)).toThrow('password contains an unpaired surrogate');
  });
});

describe('verifyPassword', () => {
  it('accepts the password in any Unicode composition', async () => {
    const hash = await hashPassword('caf\u00e9 au lait', passwordCost);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('cafe\u0301 au lait', hash, passwordCost)).toBe(true);
    expect(await verifyPassword('cafe au lait', hash, passwordCost)).toBe(false);
  });

  it('returns false without a hash, even for the empty decoy password', async () => {
    expect(await verifyPassword('', null, passwordCost)).toBe(false);
  });
});
