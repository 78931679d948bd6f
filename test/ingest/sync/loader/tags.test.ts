import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idOf } from '../../../../src/engine/codebook.ts';
import { openDuck } from '../../../../src/ingest/sync/loader/duck.ts';
import { Refusal } from '../../../../src/ingest/sync/loader/refusal.ts';
import { parseTags, readTags } from '../../../../src/ingest/sync/loader/month/tags.ts';
import { canonicalTags as canonical } from '../../../../src/kit/tag-key.ts';

const canonicalTags = (raw: string) => canonical(parseTags(raw));

describe('canonicalTags', () => {
  it.each([
    ['plain pairs, by key', '{"team":"red","env":"prod"}', { env: 'prod', team: 'red' }],
    ['the user: prefix of AWS', '{"user:env":"prod","aws:createdBy":"me"}', { env: 'prod', 'aws:createdBy': 'me' }],
    ['null values', '{"env":null,"team":"red"}', { team: 'red' }],
    ['empty values', '{"env":""}', { env: '' }],
    ['blank keys', '{"":"x"," ":"y","user:":"z","env":"prod"}', { env: 'prod' }],
    [
      'keys with surrounding blanks as different keys',
      '{" env ":" prod ","env":"dev"}',
      { ' env ': ' prod ', env: 'dev' },
    ],
    ['numbers and booleans', '{"n":1.50,"b":true}', { b: 'true', n: '1.5' }],
    ['nested values', '{"a":{"b":[1,"c"]}}', { a: '{"b":[1,"c"]}' }],
    ['missing braces', '"env": "prod", "team": "red"', { env: 'prod', team: 'red' }],
    ['an empty object', '{}', {}],
    ['only blanks', '  ', {}],
    ['an empty JSON string', '""', {}],
    ['a JSON null', ' null ', {}],
    ['keys that differ in case', '{"env":"a","Env":"b","ENV":"c"}', { ENV: 'c', Env: 'b', env: 'a' }],
    ['the same key with a prefix', '{"user:env":"b","env":"a","Env":"b"}', { Env: 'b', env: 'a' }],
    [
      'a list with keys that differ in case',
      '[{"key":"App","value":"x"},{"key":"app","value":"y"}]',
      { App: 'x', app: 'y' },
    ],
    [
      'keys that are properties of JavaScript objects',
      '{"__proto__":"x","constructor":"y"}',
      JSON.parse('{"__proto__":"x","constructor":"y"}'),
    ],
    [
      'characters that PostgreSQL cannot hold',
      '{"a\\u0000b":"c\\u0000d","e":"\\ud800"}',
      { 'a\uFFFDb': 'c\uFFFDd', e: '\uFFFD' },
    ],
    ['emoji', '{"😀":"👩‍👩‍👧"}', { '😀': '👩‍👩‍👧' }],
  ])('reads %s', (_name, raw, expected) => {
    expect(canonicalTags(raw)).toEqual(expected);
  });

  it('returns the same text for sets that differ only in key order', () => {
    const texts = ['{"b":"2","a":"1"}', '{"a":"1","b":"2"}', '{"user:b":"2","a":"1"}'].map((raw) =>
      JSON.stringify(canonicalTags(raw)),
    );
    expect(new Set(texts)).toEqual(new Set(['{"a":"1","b":"2"}']));
  });

  it.each(['{"env":', 'env=prod', '[1,2]', '"env"', "{'env':'prod'}", '{"a":"b"} trailing'])('rejects %s', (raw) => {
    expect(() => canonicalTags(raw)).toThrow(Refusal);
  });
});

describe('idOf', () => {
  it('returns the first 63 bits of the MD5, which are never negative as a BIGINT', () => {
    expect(BigInt(idOf(''))).toBe(0xd41d8cd98f00b204n >> 1n);
    expect(BigInt(idOf('env'))).toBeLessThan(1n << 63n);
  });
});

async function aDuck() {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-tags-'));
  const duck = await openDuck(folder, [], 600, 2);
  onTestFinished(async () => {
    duck.close();
    await rm(folder, { recursive: true });
  });
  return duck;
}

it('rejects tags that are nested too deeply to be written as text', async () => {
  const duck = await aDuck();
  const nested = `SELECT repeat('{"a":', 10000) || '1' || repeat('}', 10000) AS Tags`;
  await expect(readTags(duck, nested)).rejects.toThrow(/^column Tags: .* is not a JSON object of tags$/);
});

it('reads more tags than DuckDB appends at a time', async () => {
  const duck = await aDuck();
  await readTags(duck, `SELECT '{"id":"' || i || '","team":"' || i % 7 || '"}' AS Tags FROM range(120000) t(i)`);
  const [counts] = await duck.rows(
    'SELECT (SELECT count(*) FROM tag_map) AS texts, count(*) AS entries, count(DISTINCT value) AS "values" FROM tag_entry',
  );
  expect(counts).toEqual({ texts: '120000', entries: '240000', values: '120000' });
}, 60_000);
