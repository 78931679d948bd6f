import { expect, it } from 'vitest';
import { tagKeyName } from '../../src/kit/tag-key.ts';

it.each([
  ['team', 'team'],
  ['Team', 'Team'],
  ['user:team', 'team'],
  [' team ', ' team '],
  ['user: team', ' team'],
  ['user:user:team', 'team'],
  ['aws:createdBy', 'aws:createdBy'],
  ['User:team', 'User:team'],
  ['my user:team', 'my user:team'],
  ['user:', ''],
])('normalizes %j to %j, which stays unchanged', (key, name) => {
  expect(tagKeyName(key)).toBe(name);
  expect(tagKeyName(name)).toBe(name);
});
