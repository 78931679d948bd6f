import { isRecord } from '../../api/refusal.ts';
import { words } from '../../words/names.ts';

/** One thing that an entry's details say, for people. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** An entry's details as a list: a change as `before → after`, lists with commas, the rest as it is. */
export function factsOf(details: Readonly<Record<string, unknown>>): Fact[] {
  return Object.entries(details).map(([key, value]) => ({ name: words(key), text: textOf(value) }));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (!isRecord(value)) return JSON.stringify(value);
  if (isChange(value)) return `${textOf(value['from'])} → ${textOf(value['to'])}`;
  const facts = factsOf(value);
  return facts.length === 0 ? 'none' : facts.map(({ name, text }) => `${name.toLowerCase()} ${text}`).join('; ');
}

function isChange(value: Readonly<Record<string, unknown>>): boolean {
  return 'from' in value && 'to' in value && Object.keys(value).length === 2;
}
