// Names and formats of details that the API returns as JSON: evidence of recommendations and metadata of resources.

import { isDay } from './days.ts';
import { count, day, money, plainPercent, words } from './format.ts';

const units: readonly (readonly [ending: string, unit: string])[] = [
  ['_gib', 'GiB'],
  ['_mibps', 'MiB/s'],
  ['_hours', 'h'],
  ['_gb_months', 'GB-months'],
  ['_gib_months', 'GiB-months'],
  ['_days', 'days'],
  ['_iops', 'IOPS'],
];

/** Formats a detail that the API returns as JSON; null if there is nothing to show. */
export function detailText(key: string, value: unknown, currency = 'USD'): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return figureOf(snake(key), value, currency);
  if (typeof value === 'string') return isDay(value.slice(0, 10)) ? day(value) : value;
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((one) => detailText('', one) ?? 'None').join(', ');
  return JSON.stringify(value);
}

function figureOf(key: string, value: number, currency: string): string {
  if (key.endsWith('percent')) return plainPercent(value, 2);
  if (/(_cost|_price|_savings|^savings_at_most)$/.test(key)) return money(value, currency);
  const unit = units.find(([ending]) => `_${key}`.endsWith(ending))?.[1];
  return unit ? `${count(value, 2)} ${unit}` : count(value, 4);
}

const names: Readonly<Record<string, string>> = {
  percent: 'Share saved',
  is_written: 'Written to in the period',
  size_gib: 'Size',
  gp3_iops: 'IOPS on gp3',
  gp3_throughput_mibps: 'Throughput on gp3',
  gp3_price: 'gp3 price per GB-month',
  storage_monthly_cost: 'Monthly storage cost',
  savings_at_most: 'Maximum savings',
  backup_gib_months: 'Backups kept',
  stored_gb_months: 'Stored',
  gb_months: 'Stored',
  gb_per_month: 'GB per month',
  gb_a_day: 'GB per day',
  tier_gb_a_day: 'Commitment tier, GB per day',
  age_days: 'Age',
  idle_days: 'Idle for',
  retention_days: 'Retention',
  sku: 'SKU',
  used_by: 'Used by',
  used_percent: 'Used',
  used_by_count: 'Attached resources',
  licence_meters: 'License meters',
  multi_az: 'Multi-AZ',
  has_lifecycle_policy: 'Lifecycle policy',
  image_count: 'AMIs created from it',
  image_ids: 'AMIs created from it',
  created_at: 'Created',
  ends_at: 'Ends',
};

/** Name of a detail: `attachedToState` and `attached_to_state` become `Attached to state`. */
export function detailName(key: string): string {
  const text = names[snake(key)] ?? words(snake(key));
  return text.replaceAll(/\b(gb|gib|vcpu|iops|id|ids)\b/gi, (word) => acronyms[word.toLowerCase()] ?? word);
}

const acronyms: Readonly<Record<string, string>> = {
  gb: 'GB',
  gib: 'GiB',
  vcpu: 'vCPU',
  iops: 'IOPS',
  id: 'ID',
  ids: 'IDs',
};

function snake(key: string): string {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}
