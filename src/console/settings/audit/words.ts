import { isRecord } from '../../api/refusal.ts';
import { moment, words } from '../../words/format.ts';

/** Detail of an entry, formatted for people. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** Lists an entry's details: changes as `before → after`, lists separated by commas, other values as they are. */
export function factsOf(details: Readonly<Record<string, unknown>>): Fact[] {
  return Object.entries(details).map(([key, value]) => ({ name: words(key), text: textOf(value) }));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return wordOf(value);
  if (Array.isArray(value)) return listOf(value);
  if (!isRecord(value)) return String(value);
  const change = changeOf(value);
  if (change) return `${textOf(change[0])} → ${textOf(change[1])}`;
  const facts = factsOf(value);
  return facts.length === 0 ? 'none' : facts.map(({ name, text }) => `${name.toLowerCase()} ${text}`).join(', ');
}

function listOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'none';
  return values.map(textOf).join(values.some(isRecord) ? '; ' : ', ');
}

/** Formats instants in the user's time zone and API enum values without underscores. */
function wordOf(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return moment(value);
  return /^[a-z]+(_[a-z0-9]+)+$/.test(value) ? value.replaceAll('_', ' ') : value;
}

/** Returns the old and new value if a value contains nothing else. */
function changeOf(value: Readonly<Record<string, unknown>>): readonly [unknown, unknown] | null {
  if (Object.keys(value).length !== 2) return null;
  if ('from' in value && 'to' in value) return [value['from'], value['to']];
  return 'before' in value && 'after' in value ? [value['before'], value['after']] : null;
}
