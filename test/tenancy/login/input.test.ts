import { describe, expect, it } from 'vitest';
import { boundPassword, parseEmail, parseName } from '../../../src/tenancy/login/input.ts';

describe('parseEmail', () => {
  it('trims and converts to lower case', () => {
    expect(parseEmail('  Ana.Li+bills@Example.CO.uk ')).toBe('ana.li+bills@example.co.uk');
  });

  it.each([
    '',
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'ana@@example.com',
    'ana li@example.com',
    'ana@exa mple.com',
    '.ana@example.com',
    'ana..li@example.com',
    'ana@-example.com',
    'ana@example.c',
    'ana@example.com\nBcc: eve@example.com',
    'ana\u0000@example.com',
    'änä@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ana@${'a.'.repeat(130)}com`,
  ])('rejects %j, naming the field', (text) => {
    expect(() => parseEmail(text)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringMatching(/^email /) }),
    );
  });

  it('accepts a local part of 64 characters', () => {
    expect(parseEmail(`${'a'.repeat(64)}@example.com`)).toHaveLength(76);
  });
});

describe('parseName', () => {
  it.each(['\u200b', '\u2060\ufeff', '\u3164', ' \u00ad '])('rejects a name without visible characters', (text) => {
    expect(() => parseName(text, 'name')).toThrow('name must contain a visible character');
  });

  it('trims, and counts characters instead of code units', () => {
    expect(parseName(`  ${'😀'.repeat(100)} `, 'name')).toBe('😀'.repeat(100));
  });

  it.each(['', '   ', 'a'.repeat(101), 'two\nlines', 'bell\u0007', 'half \ud83d', 'turned \u202e'])(
    'rejects %j',
    (text) => {
      expect(() => parseName(text, 'organization_name')).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          message: expect.stringMatching(/^organization_name must/),
        }),
      );
    },
  );
});

describe('boundPassword', () => {
  it('accepts 1 to 128 characters', () => {
    expect(boundPassword('x')).toBe('x');
    expect(boundPassword('é'.repeat(128))).toHaveLength(128);
  });

  it.each(['', 'x'.repeat(129)])('rejects a password of invalid length', (text) => {
    expect(() => boundPassword(text)).toThrow(/^password must have 1 to 128 characters/);
  });
});
