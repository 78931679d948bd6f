import { operators } from '../../alert-rules/rule.ts';
import { isRecord } from '../../api/refusal.ts';
import { moment, words } from '../../words/format.ts';

/** Detail of an entry, formatted for people. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** Returns the name of an account. */
type AccountName = (id: string) => string;

/** Lists an entry's details: changes as `before → after`, lists separated by commas, accounts by name, other values as they are.
 *  Omits fields without a value. */
export function factsOf(details: Readonly<Record<string, unknown>>, accountName: AccountName): Fact[] {
  return Object.entries(details)
    .filter(([key, value]) => !isBlank(value) || key === accountAccess)
    .map(([key, value]) => factOf(key, value, accountName));
}

/** The accounts that a member can access; null for all. */
const accountAccess = 'account_access';

const accountNames: Readonly<Record<string, string>> = {
  account_id: 'Account',
  account_ids: 'Accounts',
  [accountAccess]: 'Account access',
};

function factOf(key: string, value: unknown, accountName: AccountName): Fact {
  const name = accountNames[key];
  if (name === undefined) return { name: words(key), text: textOf(value, leafOf(key)) };
  const named = (one: unknown): string => {
    if (key === accountAccess && isBlank(one)) return 'all accounts';
    if (Array.isArray(one) && one.length > 0) return one.map(named).join(', ');
    return typeof one === 'string' && one !== '' ? accountName(one) : textOf(one);
  };
  return { name, text: textOf(value, named) };
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** @param leaf formats a value that is not a change */
function textOf(value: unknown, leaf: (value: unknown) => string = leafText): string {
  const change = isRecord(value) ? changeOf(value) : null;
  return change ? `${leaf(change[0])} → ${leaf(change[1])}` : leaf(value);
}

/** Labels of the comparison operators of alert rules, by API value. */
const comparisons: Readonly<Record<string, string>> = operators;

/** Returns the format of a field's values. */
function leafOf(key: string): (value: unknown) => string {
  if (key !== 'operator') return leafText;
  return (value) => comparisons[String(value).toUpperCase()] ?? leafText(value);
}

function leafText(value: unknown): string {
  if (isBlank(value)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return wordOf(value);
  if (Array.isArray(value)) return listOf(value);
  if (!isRecord(value)) return String(value);
  const facts = Object.entries(value).map(([key, one]) => `${words(key).toLowerCase()} ${textOf(one, leafOf(key))}`);
  return facts.length === 0 ? 'none' : facts.join(', ');
}

function listOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'none';
  return values.map((one) => textOf(one)).join(values.some(isRecord) ? '; ' : ', ');
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
