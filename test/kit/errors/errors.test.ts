import { describe, expect, it } from 'vitest';
import {
  AppError,
  arg,
  argChoice,
  argItem,
  choice,
  conflict,
  fix,
  invalid,
  mention,
  message,
  not,
  notFound,
  operation,
  phrase,
  spelled,
  type Spell,
} from '../../../src/kit/errors/errors.ts';
import { unchanged } from '../../../src/kit/errors/refusals.ts';

const loud: Spell = (name) =>
  ('route' in name ? `the ${name.route}` : 'choice' in name ? name.choice : name.path).toUpperCase();

const partsOf = ({ field, value, reason, remedy, message: text }: AppError) => ({ field, value, reason, remedy, text });

describe('AppError', () => {
  it('has its parts as data, and composes the message from them', () => {
    const error = invalid`${arg('start_date', '2026-13-01')} is not a valid date${fix}use YYYY-MM-DD`;
    expect([error.code, error.status]).toEqual(['VALIDATION_ERROR', 400]);
    expect(partsOf(error)).toEqual({
      field: 'start_date',
      value: '2026-13-01',
      reason: 'is not a valid date',
      remedy: 'use YYYY-MM-DD',
      text: 'start_date "2026-13-01" is not a valid date; use YYYY-MM-DD',
    });
  });

  it('adds a number after the reason', () => {
    const error = invalid`${arg('per_page', 500)} must be 1 to ${100}${fix}ask for several pages`;
    expect(partsOf(error)).toEqual({
      field: 'per_page',
      value: '500',
      reason: 'must be 1 to 100',
      remedy: 'ask for several pages',
      text: 'per_page must be 1 to 100, not 500; ask for several pages',
    });
  });

  it('shows the type of a value that must not be repeated', () => {
    const error = invalid`${arg('settings', not('a list', null))} must be a JSON object`;
    expect(partsOf(error)).toEqual({
      field: 'settings',
      value: null,
      reason: 'must be a JSON object',
      remedy: null,
      text: 'settings must be a JSON object, not a list',
    });
  });

  it('is a sentence without an argument', () => {
    expect(partsOf(unchanged('name', 'cost_metric'))).toEqual({
      field: null,
      value: null,
      reason: 'Nothing to change',
      remedy: 'send at least one of name, cost_metric',
      text: 'Nothing to change; send at least one of name, cost_metric',
    });
    expect(notFound('Account', 'x'.repeat(900)).message).toBe(`Account "${'x'.repeat(80)}" not found`);
    expect(partsOf(notFound('Budget', 'x'))).toMatchObject({
      field: null,
      reason: 'Budget "x" not found',
      remedy: null,
    });
    expect(partsOf(new AppError('CONFLICT', 'TOTP is off'))).toMatchObject({
      reason: 'TOTP is off',
      text: 'TOTP is off',
    });
  });

  it('quotes a value, truncated to 80 characters', () => {
    expect(invalid`${arg('name', 'a "b"')} is bad`.message).toBe('name "a \\"b\\"" is bad');
    const long = invalid`${arg('name', 'x'.repeat(81))} is long`;
    expect([long.value, long.message]).toEqual(['x'.repeat(80), `name "${'x'.repeat(80)}" is long`]);
    expect(invalid`${arg('name', null)} is required`.message).toBe('name is required');
  });

  it('never takes the remedy from a value, only from the template', () => {
    const error = invalid`${arg('name', 'a; b')} is "${'c; d'}"`;
    expect([error.reason, error.remedy]).toEqual(['is "c; d"', null]);
  });

  it('carries headers, a cause and the conflicting resource', () => {
    const cause = new Error('unique');
    const options = { headers: { 'Retry-After': '1' }, resourceId: 'a1', cause };
    const error = new AppError('CONFLICT', message`${arg('settings.path')} is taken${fix}use account ${'a1'}`, options);
    expect([error.status, error.headers, error.resourceId, error.cause]).toEqual([
      409,
      { 'Retry-After': '1' },
      'a1',
      cause,
    ]);
    expect(conflict`TOTP is on`.resourceId).toBe(null);
  });
});

describe('statement', () => {
  const texts = (error: AppError) => spelled(error.statement, loud);

  it('spells each name as the surface does', () => {
    const error = invalid`${arg('end_date', '2026-01-01')} is before ${mention('start_date')}${fix}see ${operation('GET /a')}`;
    expect(texts(error)).toEqual({
      field: 'END_DATE',
      value: '2026-01-01',
      reason: 'is before START_DATE',
      remedy: 'see THE GET /A',
      operation: 'THE GET /A',
      message: 'END_DATE "2026-01-01" is before START_DATE; see THE GET /A',
    });
  });

  it('spells the values of an enum, including the given one', () => {
    const error = invalid`${argChoice('status', 'done')} must be one of ${choice('status', 'open', 'in_progress')}`;
    expect([error.value, error.message]).toEqual(['done', 'status "done" must be one of open, in_progress']);
    expect(texts(error)).toMatchObject({ value: 'DONE', message: 'STATUS "DONE" must be one of OPEN, IN_PROGRESS' });
  });

  it('names the query parameter that corresponds to an argument in REST', () => {
    const error = invalid`${arg('filters.include[0].values', '*', 'service')} is a prefix`;
    expect([error.field, error.message]).toEqual(['service', 'service "*" is a prefix']);
    expect(texts(error).message).toBe('FILTERS.INCLUDE[0].VALUES "*" is a prefix');
  });

  it('names an item of a list, or the list itself when a query string gives one value', () => {
    const [one, two] = [1, 2].map((count) => invalid`${argItem('provider', { index: 0, count, value: 'x' })} is none`);
    expect([one?.field, one && texts(one).message]).toEqual(['provider', 'PROVIDER[0] "x" is none']);
    expect([two?.field, two && texts(two).message]).toEqual(['provider[0]', 'PROVIDER[0] "x" is none']);
    expect(one?.within('filters', ['provider']).field).toBe('filters.provider');
  });

  it('names an argument inside another one', () => {
    const error = invalid`${arg('tag_value[0]')} needs ${mention('tag_key')} after ${mention('start_date')}${fix}set ${mention('tag_key')}`;
    const inner = error.within('filters', ['tag_value', 'tag_key']);
    expect([inner.code, inner.field]).toEqual(['VALIDATION_ERROR', 'filters.tag_value[0]']);
    expect(inner.message).toBe('filters.tag_value[0] needs filters.tag_key after start_date; set filters.tag_key');
  });

  it('accepts a phrase with its own names', () => {
    const who = phrase`provider ${choice('provider', 'aws')}`;
    expect(texts(invalid`${arg('settings.path')} is not valid for ${who}`).message).toBe(
      'SETTINGS.PATH is not valid for provider AWS',
    );
  });

  it('produces the same error in another process', () => {
    const first = invalid`${arg('settings.path', 'may')} does not exist${fix}create it`;
    const again = new AppError('VALIDATION_ERROR', JSON.parse(JSON.stringify(first.statement)));
    expect(partsOf(again)).toEqual(partsOf(first));
    expect(texts(again).message).toBe('SETTINGS.PATH "may" does not exist; create it');
  });
});
