import { isRecord } from '../api/refusal.ts';
import { isDay } from '../words/days.ts';
import { count, day } from '../words/format.ts';

/** What the provider says of a resource, in words: nested names are joined. */
export function readMetadata(metadata: Readonly<Record<string, unknown>>, above = ''): [name: string, value: string][] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    const name = above ? `${above}: ${nameOf(key).toLowerCase()}` : nameOf(key);
    return isRecord(value) ? readMetadata(value, name) : [[name, textOf(key, value)]];
  });
}

const names: Readonly<Record<string, string>> = {
  multiAz: 'In two zones',
  sizeGib: 'Size',
  iops: 'Operations a second',
  throughputMibps: 'Throughput',
  instanceType: 'Instance type',
  sku: 'SKU or class',
  usedByCount: 'Used by',
  hasLifecyclePolicy: 'Has a lifecycle policy',
  sourceExists: 'Its source still exists',
  imageIds: 'Images made of it',
  retentionDays: 'Kept for',
  createdAt: 'Created',
  endsAt: 'Ends',
};

/** `attachedToState` → `Attached to state`. */
function nameOf(key: string): string {
  const text =
    names[key] ??
    key
      .replaceAll(/[_-]/g, ' ')
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const units: Readonly<Record<string, string>> = {
  sizeGib: 'GiB',
  throughputMibps: 'MiB/s',
  retentionDays: 'days',
  iops: 'IOPS',
};

function textOf(key: string, value: unknown): string {
  if (value === null || value === '') return key === 'retentionDays' ? 'For ever' : 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return [count(value, 6), units[key]].filter(Boolean).join(' ');
  if (typeof value === 'string') return isDay(value.slice(0, 10)) ? day(value) : value;
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map((one) => textOf('', one)).join(', ');
  return JSON.stringify(value);
}
