import { expect, it } from 'vitest';
import { placeOf, syncedAt, unsyncedText } from '../../../src/console/accounts/queries.ts';
import { monthsOrState } from '../../../src/console/accounts/files/state.ts';

const lastSync = {
  status: 'SUCCEEDED',
  error: null,
  warnings: new Array<string>(),
  queuedAt: '2026-11-02T10:00:00Z',
  startedAt: '2026-11-02T10:00:01Z',
  finishedAt: '2026-11-02T10:00:05Z',
  retryAt: null,
  progress: null,
} as const;
const account = {
  syncStatus: 'SUCCEEDED',
  lastSync,
  lastSyncError: null,
  unreadableFiles: new Array<string>(),
} as const;
const failed = { ...account, syncStatus: 'FAILED', lastSyncError: 'a.csv, row 4: is damaged' } as const;
const file = { name: 'a.csv', billingMonths: null, createdAt: '2026-11-02T09:59:59Z' };

it.each([
  ['2026-09, 2026-10', { ...file, billingMonths: ['2026-09', '2026-10'] }, account],
  ['No charges', { ...file, billingMonths: [] }, account],
  [
    'No charges: see the warnings above',
    { ...file, billingMonths: [] },
    { ...account, lastSync: { ...lastSync, warnings: Array.of('a.csv has no charges') } },
  ],
  [
    'No charges',
    { ...file, name: 'header-only.csv', billingMonths: [] },
    { ...account, lastSync: { ...lastSync, warnings: Array.of('a.csv has no charges') } },
  ],
  ['Waiting for the sync', file, { ...account, syncStatus: 'RUNNING' }],
  ['Unreadable: see the error above', file, { ...failed, unreadableFiles: Array.of('a.csv') }],
  ['Waiting: another file is unreadable', file, { ...failed, unreadableFiles: Array.of('aa.csv') }],
  ['Not read: see the error above', file, failed],
  ['Not read: see the warnings above', file, account],
  ['Not read yet: select Sync now', { ...file, createdAt: '2026-11-02T10:00:02Z' }, account],
  ['Not read yet: select Sync now', file, { ...account, lastSync: null }],
] as const)('says "%s"', (text, uploaded, of) => {
  expect(monthsOrState(uploaded, of)).toBe(text);
});

const lastSyncedAt = '2026-11-02T10:00:00Z';

it.each([
  ['of uploads without a bill', null, { lastSyncedAt, dataTo: null, settings: { source: 'UPLOADS' } }],
  ['of uploads', lastSyncedAt, { lastSyncedAt, dataTo: '2026-11-01', settings: { source: 'UPLOADS' } }],
  ['of a cloud without a bill', lastSyncedAt, { lastSyncedAt, dataTo: null, settings: {} }],
] as const)('dates the last successful sync %s', (_account, at, of) => {
  expect(syncedAt(of as never)).toBe(at);
});

it('does not call an account whose sync had nothing to load unsynced', () => {
  expect(unsyncedText({ lastSyncedAt: null })).toBe('Never synced');
  expect(unsyncedText({ lastSyncedAt })).toBe('Nothing loaded yet');
});

it('names the location of uploaded files instead of their internal address', () => {
  expect(placeOf({ externalId: 'uploads://1', settings: { source: 'UPLOADS' } } as never)).toBe('Uploaded files');
  expect(placeOf({ externalId: 's3://bills', settings: {} } as never)).toBe('s3://bills');
});
