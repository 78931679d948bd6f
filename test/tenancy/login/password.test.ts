import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { checkNewPassword, hashPassword, verifyPassword } from '../../../src/tenancy/login/password.ts';

const email = 'ana.li@example.com';
const key = Buffer.alloc(32, 1).toString('base64');
const config = readConfig({ JWT_KEY: key, ENCRYPTION_KEY: key });
const { passwordCost } = config;
const owner = { email, names: ['Ana Li', 'Plum Tree Ltd'] };

describe('checkNewPassword', () => {
  it.each(['plum kite orbit', 'x9!kQ2vB', '🦊🐝🦉🐳🦋🐙🦔🐢', `${'long '.repeat(25)}end`])('accepts %j', (password) => {
    expect(() => checkNewPassword(config, password, owner)).not.toThrow();
  });

  it('counts characters: accepts 8 and 128, rejects 7 and 129', () => {
    expect(() => checkNewPassword(config, '🦊kQ2vB!x', owner)).not.toThrow();
    expect(() => checkNewPassword(config, '🦊kQ2vB!', owner)).toThrow('password must have 8 to 128 characters, not 7');
    expect(() => checkNewPassword(config, 'kQ2vB!xz'.repeat(16), owner)).not.toThrow();
    expect(() => checkNewPassword(config, `${'kQ2vB!xz'.repeat(16)}q`, owner)).toThrow(
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
    'midnight',
    'Liverpool',
    '4815162342',
    '12qwaszx',
    '11111111',
  ])('rejects the common password %j', (password) => {
    expect(() => checkNewPassword(config, password, owner)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^password is one of the most common passwords/),
      }),
    );
  });

  it.each([
    'a'.repeat(16),
    'abab'.repeat(4),
    'Xy7!Xy7!Xy7!',
    'aaaabbbbcccc',
    'abcd1234EFGH',
    '987654321zyx',
    'ａ'.repeat(16),
  ])('rejects the pattern %j', (password) => {
    expect(() => checkNewPassword(config, password, owner)).toThrow(
      'password is hardly more than a repeated or sequential pattern, such as "aaaa" or "1234"; choose another one',
    );
  });

  it.each(['19821983 aab', 'kite kite kite', 'hello99999', 'x9!kQ2vB1234'])('accepts %j', (password) => {
    expect(() => checkNewPassword(config, password, owner)).not.toThrow();
  });

  it('checks the normalized form: equivalent characters neither add length nor hide a common password', () => {
    for (const common of [
      '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44',
      '\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18',
    ])
      expect(() => checkNewPassword(config, common, owner)).toThrow('password is one of the most common passwords');
    expect(() => checkNewPassword(config, email.replace('@', '\uff20'), owner)).toThrow('is made of a name');
    expect(() => checkNewPassword(config, 'e\u0301'.repeat(7), owner)).toThrow('must have 8 to 128 characters, not 7');
    expect(() => checkNewPassword(config, 'kQ2vB!z\u00e9', owner)).not.toThrow();
    expect(() => checkNewPassword(config, 'kQ2vB!ze\u0301', owner)).not.toThrow();
  });

  it.each([
    email,
    'Costkeep2026!',
    'ana.li-123456',
    '2026 Plum Tree Ltd',
    'plumtree!!',
    'finops-example',
    'plum.tree.abc',
  ])('rejects %j, which is made of names', (password) => {
    expect(() => checkNewPassword(config, password, owner)).toThrow(
      'password is made of a name that is easy to guess: yours, your address, your organization or this product; choose another one',
    );
  });

  it.each(['plum tree quartz', 'costkeep vault moss', 'my example of a good one'])(
    'accepts %j, which has a name among other words',
    (password) => {
      expect(() => checkNewPassword(config, password, owner)).not.toThrow();
    },
  );

  it('rejects an unpaired surrogate, which would be hashed as another character', () => {
    expect(() => checkNewPassword(config, 'kQ2vB!xz\ud83d', owner)).toThrow('password contains an unpaired surrogate');
  });
});

describe('a file of breached passwords', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-breached-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const passwords = Array.from({ length: 500 }, (_, at) => `orbit kite ${at}`);
  const hashes = passwords.map((text) => createHash('sha1').update(text).digest('hex').toUpperCase()).sort();

  it.each([
    ['with counts and CRLF', hashes.map((hash, at) => `${hash}:${at ** 3}\r\n`).join('')],
    ['in lower case, without a last line break', hashes.join('\n').toLowerCase()],
    ['with a single line', `${hashes[0]}\n`],
  ])('is searched %s', (name, text) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    const { breachedPasswords } = readConfig({ JWT_KEY: key, ENCRYPTION_KEY: key, BREACHED_PASSWORDS: file });
    const isRejected = (password: string) => {
      try {
        checkNewPassword({ breachedPasswords }, password, owner);
        return false;
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringContaining('password is known from a data breach') });
        return true;
      }
    };
    const listed = passwords.filter((one) =>
      text.toUpperCase().includes(createHash('sha1').update(one).digest('hex').toUpperCase()),
    );
    expect(passwords.filter(isRejected)).toEqual(listed);
    expect(listed.map((one) => `${one}x`).filter(isRejected)).toEqual([]);
  });

  it('is refused at the start if it is missing or has another format', () => {
    const file = path.join(folder, 'words');
    fs.writeFileSync(file, 'password\n123456\n');
    for (const BREACHED_PASSWORDS of [file, path.join(folder, 'missing')])
      expect(() => readConfig({ JWT_KEY: key, ENCRYPTION_KEY: key, BREACHED_PASSWORDS })).toThrow(
        'is invalid; set it to a readable file of sorted SHA-1 hashes',
      );
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
