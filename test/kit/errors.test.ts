import { describe, expect, it } from 'vitest';
import {
  AppError,
  arg,
  argItem,
  choice,
  invalid,
  mention,
  message,
  operation,
  type Spell,
} from '../../src/kit/errors.ts';

const loud: Spell = (name) =>
  ('route' in name ? `the ${name.route}` : 'value' in name ? name.value : name.path).toUpperCase();

describe('invalid', () => {
  it('names the first argument as the field and spells each one as the surface does', () => {
    const error = invalid`${arg('end_date')} is before ${mention('start_date')} of ${arg('rules[1].key')}`;
    expect([error.code, error.status, error.field]).toEqual(['VALIDATION_ERROR', 400, 'end_date']);
    expect(error.message).toBe('end_date is before start_date of rules[1].key');
    expect(error.messageIn(loud)).toBe('END_DATE is before START_DATE of RULES[1].KEY');
  });

  it('quotes a value, cut to 80 characters', () => {
    expect(invalid`${arg('name', 'a "b"')} is bad`.message).toBe('name "a \\"b\\"" is bad');
    expect(invalid`${arg('name', 'x'.repeat(81))} is long`.message).toBe(`name "${'x'.repeat(80)}" is long`);
    expect(invalid`${arg('name', null)} is required`.message).toBe('name is required');
  });

  it('has no field when it only mentions arguments, or is plain text', () => {
    const nothing = invalid`Nothing to change: send at least one of ${mention('name', 'cost_metric')}`;
    expect([nothing.field, nothing.messageIn(loud)]).toEqual([
      null,
      'Nothing to change: send at least one of NAME, COST_METRIC',
    ]);
    expect([invalid('No body').field, invalid('No body').message]).toEqual([null, 'No body']);
  });

  it('names the query parameter that stands for an argument in REST', () => {
    const error = invalid`${arg('filters.include[0].values', '*', 'service')} is a prefix`;
    expect([error.field, error.message]).toEqual(['service', 'service "*" is a prefix']);
    expect(error.messageIn(loud)).toBe('FILTERS.INCLUDE[0].VALUES "*" is a prefix');
  });

  it('spells enum values and operations as the surface does', () => {
    const error = invalid`${arg('status')} must be one of ${choice('status', 'open', 'in_progress')}: see ${operation('GET /a')}`;
    expect(error.message).toBe('status must be one of open, in_progress: see GET /a');
    expect(error.messageIn(loud)).toBe('STATUS must be one of OPEN, IN_PROGRESS: see THE GET /A');
  });

  it('names an item of a list, which is the list itself where a query string gives one', () => {
    const [one, two] = [1, 2].map((count) => invalid`${argItem('provider', { index: 0, count, value: 'x' })} is none`);
    expect([one?.field, one?.messageIn(loud)]).toEqual(['provider', 'PROVIDER[0] "x" is none']);
    expect([two?.field, two?.messageIn(loud)]).toEqual(['provider[0]', 'PROVIDER[0] "x" is none']);
    expect(one?.within('filters', ['provider']).field).toBe('filters.provider');
  });

  it('names an argument inside another one', () => {
    const error = invalid`${arg('tag_value[0]')} needs ${mention('tag_key')} after ${mention('start_date')}`;
    const inner = error.within('filters', ['tag_value', 'tag_key']);
    expect([inner.code, inner.field]).toEqual(['VALIDATION_ERROR', 'filters.tag_value[0]']);
    expect(inner.message).toBe('filters.tag_value[0] needs filters.tag_key after start_date');
  });
});

describe('the parts of a message', () => {
  const first = invalid`${arg('settings.path', 'may')} does not exist`;

  it('make the same error in another process', () => {
    const again = new AppError('VALIDATION_ERROR', structuredClone(first.parts));
    expect([again.field, again.message, again.messageIn(loud)]).toEqual([
      'settings.path',
      'settings.path "may" does not exist',
      'SETTINGS.PATH "may" does not exist',
    ]);
  });

  it('stand inside the message of another error', () => {
    const error = new AppError('CONFLICT', message`${first} (and ${2} more)`, { headers: { 'Retry-After': '1' } });
    expect([error.status, error.field, error.message, error.headers]).toEqual([
      409,
      'settings.path',
      'settings.path "may" does not exist (and 2 more)',
      { 'Retry-After': '1' },
    ]);
  });
});
