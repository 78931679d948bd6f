import { CloudProvider, AccountStatus, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { dayOf } from '../../kit/period.ts';
import { parseSettings } from '../../providers/fields.ts';
import { Settings } from './settings/graphql-types.ts';
import type { Account } from './store.ts';

/** Upper-case names for GraphQL over the database's values. */
function enumValues<V extends string>(values: Record<string, V>, descriptions: Record<V, string>) {
  return Object.fromEntries(
    Object.values(values).map((value) => [value.toUpperCase(), { value, description: descriptions[value] }]),
  );
}

export const ProviderEnum = builder.enumType('AccountProvider', {
  description: 'How an account is connected.',
  values: enumValues(CloudProvider, {
    aws: 'Amazon Web Services.',
    azure: 'Microsoft Azure.',
    gcp: 'Google Cloud.',
    focus: 'A FOCUS export, whoever made it.',
  }),
});

export const StatusEnum = builder.enumType('AccountStatus', {
  description: 'Whether an account is connected.',
  values: enumValues(AccountStatus, {
    connected: 'It is synced by schedule and on request.',
    disconnected: 'Its credentials are destroyed and nothing syncs it; its history stays in the figures.',
  }),
});

export const SyncStatusEnum = builder.enumType('SyncStatus', {
  description: 'How the latest sync of an account stands.',
  values: enumValues(SyncStatus, {
    never: 'None was asked for yet.',
    queued: 'It waits for a worker.',
    running: 'It reads or loads; see the progress.',
    succeeded: 'It loaded what was new, or found nothing new.',
    failed: 'It could not load everything; the last error says why, and the last good load is in place.',
    cancelled: 'Someone cancelled it.',
  }),
});

const Progress = builder.objectRef<NonNullable<Account['sync']>>('SyncProgress').implement({
  description: 'How far a queued or running sync is.',
  fields: (t) => ({
    phase: t.exposeString('phase', {
      nullable: true,
      description: 'What it does: `listing`, `downloading`, `reading`, `loading` or `inventory`; null while it waits.',
    }),
    percent: t.exposeInt('percent', {
      nullable: true,
      description: 'How much is done, 0 to 100.',
    }),
    rows: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Line items read so far.',
      resolve: (sync) => sync.rows,
    }),
  }),
});

export const AccountType = builder.objectRef<Account>('Account').implement({
  description: 'A connected cloud account, or a FOCUS export.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the account.' }),
    name: t.exposeString('name', { description: 'Its display name.' }),
    provider: t.expose('provider', {
      type: ProviderEnum,
      description: 'How it is connected.',
    }),
    externalId: t.exposeString('externalId', {
      description:
        'What the provider calls it: an AWS account id, an Azure billing scope or subscription ids, a Google billing account; for `focus`, the path or address of the export.',
    }),
    status: t.expose('status', {
      type: StatusEnum,
      description: 'Whether it is connected.',
    }),
    syncStatus: t.field({
      type: SyncStatusEnum,
      description: 'How its latest sync stands.',
      resolve: (account) => account.sync?.status ?? 'never',
    }),
    syncProgress: t.field({
      type: Progress,
      nullable: true,
      description: 'How far the sync is while one is queued or running; null otherwise.',
      resolve: ({ sync }) => (sync && (sync.status === 'queued' || sync.status === 'running') ? sync : null),
    }),
    lastSyncedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a sync last succeeded.',
      resolve: (account) => account.sync?.lastSyncedAt ?? null,
    }),
    lastSyncError: t.field({
      type: 'String',
      nullable: true,
      description: 'Why the latest sync failed, naming file, row and column where it can; null when it did not.',
      resolve: (account) => account.sync?.lastError ?? null,
    }),
    syncWarnings: t.field({
      type: ['String'],
      description:
        'What the reader of its figures should know, a sentence each: permissions and detail that are missing, and how to have them.',
      resolve: (account) => account.sync?.warnings ?? [],
    }),
    dataFrom: t.field({
      type: 'Date',
      nullable: true,
      description: 'First charge day of its bills.',
      resolve: ({ dataFrom }) => dataFrom && dayOf(dataFrom),
    }),
    dataTo: t.field({
      type: 'Date',
      nullable: true,
      description: 'Last charge day of its bills.',
      resolve: ({ dataTo }) => dataTo && dayOf(dataTo),
    }),
    completeThrough: t.field({
      type: 'Date',
      nullable: true,
      description: 'Last day that the provider has finished; later days still grow.',
      resolve: ({ completeThrough }) => completeThrough && dayOf(completeThrough),
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'ISO 4217 code of the currency of most of its bills.',
    }),
    settings: t.field({
      type: Settings,
      description: 'Where its bills lie.',
      resolve: (account) => parseSettings(account.settings),
    }),
    credentialsUpdatedAt: t.expose('credentialsUpdatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its credentials were last set; they never come out.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was connected.',
    }),
  }),
});

export const AccountPage = pageType('Account', AccountType);
