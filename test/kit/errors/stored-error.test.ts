import { describe, expect, it } from 'vitest';
import { arg, choice, fix, invalid, operation, restName, spelled, type Spell } from '../../../src/kit/errors/errors.ts';
import { about, jsonOf, sentence, storedError, storedMessage } from '../../../src/kit/errors/stored-error.ts';

const loud: Spell = (name) =>
  ('route' in name ? `the ${name.route}` : 'choice' in name ? name.choice : name.path).toUpperCase();

const { statement } =
  invalid`${arg('settings.path', 'may')} is not of ${choice('provider', 'aws')}${fix}see ${operation('GET /a')}`;
const stored: unknown = JSON.parse(JSON.stringify(jsonOf(statement)));

describe('stored error', () => {
  it('is spelled for each surface', () => {
    expect(storedMessage(stored, restName)).toBe('settings.path "may" is not of aws; see GET /a');
    expect(storedMessage(stored, loud)).toBe('SETTINGS.PATH "may" is not of AWS; see THE GET /A');
    expect(storedError(stored)).toEqual(statement);
  });

  it('of an earlier version is returned as plain text', () => {
    expect(storedMessage('settings.path does not exist', loud)).toBe('settings.path does not exist');
    expect([storedMessage(null, loud), storedMessage(undefined, loud)]).toEqual([null, null]);
  });

  it('in neither format is rejected', () => {
    expect(() => storedError({ reason: 'x' })).toThrow(/argument/);
  });

  it('can be embedded in another one', () => {
    const whole = spelled(about('Report "x" failed: ', statement), restName);
    expect([whole.field, whole.remedy, whole.message]).toEqual([
      null,
      'see GET /a',
      'Report "x" failed: settings.path "may" is not of aws; see GET /a',
    ]);
    expect(spelled(about('It failed: ', sentence('no file')), restName).message).toBe('It failed: no file');
    const { statement: counted } = invalid`${arg('limit', 500)} must be 1 to 100`;
    expect(spelled(about('It failed: ', counted), restName).message).toBe('It failed: limit must be 1 to 100');
  });
});
