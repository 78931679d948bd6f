import type { AccountSync } from '../../../prisma/generated/client/client.ts';
import type { CloudProvider, AccountStatus, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import { columns, day, decimal, exposed, instant, int, of, orNull, text, texts, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { relation } from '../../graph/relations.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { parseSettings } from '../../providers/fields.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { Settings } from './settings/graphql-types.ts';

export const ProviderEnum = wordEnum<CloudProvider>('AccountProvider', 'How an account is connected.', {
  aws: 'Amazon Web Services.',
  azure: 'Microsoft Azure.',
  gcp: 'Google Cloud.',
  focus: 'A FOCUS export from any source.',
});

export const StatusEnum = wordEnum<AccountStatus>('AccountStatus', 'Whether an account is connected.', {
  connected: 'Synced by schedule and on request.',
  disconnected: 'Credentials are deleted and syncs have stopped; past costs are kept.',
});

const SyncPhaseEnum = wordEnum<string>('SyncPhase', 'Phase of a sync.', {
  listing: 'Looking for new bills.',
  downloading: 'Downloading bills.',
  reading: 'Reading line items.',
  loading: 'Writing the last month.',
  inventory: 'Listing resources.',
});

export const SyncStatusEnum = wordEnum<SyncStatus>('SyncStatus', 'Status of an account’s latest sync.', {
  never: 'No sync yet.',
  queued: 'Queued. If it waits for a retry, the last error has the reason and the start time.',
  running: 'Running; see the progress.',
  succeeded: 'Succeeded, with or without new data.',
  failed: 'Failed; see the last error. The last successful load is kept.',
  cancelled: 'Cancelled by a user.',
});

const Progress = builder.objectRef<Pick<AccountSync, 'phase' | 'percent' | 'rows'>>('SyncProgress').implement({
  description: 'Progress of a queued or running sync.',
  fields: (t) =>
    exposed(t, {
      phase: orNull(of(SyncPhaseEnum, 'Phase; null while queued.')),
      percent: orNull(int('Progress in percent, 0 to 100.')),
      rows: orNull(decimal('Line items read so far.')),
    }),
});

const progress = { status: true, phase: true, percent: true, rows: true } as const;

/** Returns the progress of a queued or running sync; otherwise null. */
function progressOf<Sync extends { status: SyncStatus }>(sync: Sync | null): Sync | null {
  return sync && (sync.status === 'queued' || sync.status === 'running') ? sync : null;
}

const SyncType = builder.prismaObject('AccountSync', {
  select: { accountId: true },
  findUnique: ({ accountId }, ctx) => ({
    organizationId_accountId: { organizationId: viewerOf(ctx).scope.organizationId, accountId },
  }),
  description: 'The latest sync of an account.',
  fields: (t) =>
    columns(t, 'AccountSync', {
      status: of(SyncStatusEnum, 'Status.'),
      progress: t.field({
        type: Progress,
        nullable: true,
        description: 'Progress while queued or running; null otherwise.',
        select: progress,
        resolve: progressOf,
      }),
      queuedAt: orNull(instant('When the sync was queued.')),
      startedAt: orNull(instant('When the sync started.')),
      finishedAt: orNull(instant('When the sync ended.')),
      error: t.field({
        type: 'String',
        nullable: true,
        select: { lastError: true },
        resolve: ({ lastError }, _args, { spell }) => storedMessage(lastError, spell),
        description:
          'Why the latest sync failed or is delayed, with file, row and column where known; kept until a sync succeeds, then null.',
      }),
      warnings: texts('Warnings about permissions or data, one sentence each.'),
      retryAt: orNull(
        instant(
          'When a queued sync will start, if it is delayed: to spread scheduled syncs, or for a retry. Null otherwise.',
        ),
      ),
      account: t.relation('account', { ...relation, description: 'The account.' }),
    }),
});

export const AccountType = builder.prismaObject('Account', {
  select: { id: true },
  findUnique: ({ id }, ctx) => ({
    organizationId_id: { organizationId: viewerOf(ctx).scope.organizationId, id },
  }),
  description: 'A connected cloud account, or a FOCUS export.',
  fields: (t) =>
    columns(t, 'Account', {
      id: uuid('UUIDv7 of the account.'),
      name: text('Display name.'),
      provider: of(ProviderEnum, 'How the account is connected.'),
      externalId: text(
        'Id at the provider: an AWS account id, an Azure billing scope or subscription ids, a Google billing account or BigQuery table; for `focus`, the path or URL of the export.',
      ),
      status: of(StatusEnum, 'Whether the account is connected.'),
      sample: t.boolean({
        description: 'Whether its data is a sample; see `POST /accounts/sample`.',
        select: { sampleOf: true },
        resolve: ({ sampleOf }) => sampleOf !== null,
      }),
      syncStatus: t.field({
        type: SyncStatusEnum,
        description: 'Status of the latest sync.',
        select: { sync: { select: { status: true } } },
        resolve: ({ sync }) => sync?.status ?? 'never',
      }),
      syncProgress: t.field({
        type: Progress,
        nullable: true,
        description: 'Progress of a queued or running sync; null otherwise.',
        select: { sync: { select: progress } },
        resolve: ({ sync }) => progressOf(sync),
      }),
      lastSyncedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When a sync last succeeded.',
        select: { sync: { select: { lastSyncedAt: true } } },
        resolve: ({ sync }) => sync?.lastSyncedAt ?? null,
      }),
      lastSyncError: t.field({
        type: 'String',
        nullable: true,
        description:
          'Why the latest sync failed or is delayed, with file, row and column where known; kept until a sync succeeds, then null.',
        select: { sync: { select: { lastError: true } } },
        resolve: ({ sync }, _args, { spell }) => storedMessage(sync?.lastError, spell),
      }),
      syncWarnings: t.field({
        type: ['String'],
        description: 'Warnings about permissions or data, one sentence each.',
        select: { sync: { select: { warnings: true } } },
        resolve: ({ sync }) => sync?.warnings ?? [],
      }),
      unreadableFiles: t.field({
        type: ['String'],
        description: 'Files that the latest sync could not read: their paths in the source, or the names of uploads.',
        select: { sync: { select: { unreadableFiles: true } } },
        resolve: ({ sync }) => sync?.unreadableFiles ?? [],
      }),
      lastSync: t.relation('sync', {
        ...relation,
        type: SyncType,
        nullable: true,
        description: 'Latest sync; null before the first is queued.',
      }),
      dataFrom: orNull(day('First charge day of the bills.')),
      dataTo: orNull(day('Last charge day of the bills.')),
      completeThrough: orNull(day('Last day with complete charges. Costs of later days can still increase.')),
      currency: orNull(text('ISO 4217 code of the billing currency with the largest total.')),
      settings: t.field({
        type: Settings,
        description: 'Location of the billing data.',
        select: { settings: true },
        resolve: ({ settings }) => parseSettings(settings),
      }),
      credentialsUpdatedAt: orNull(instant('When the credentials were last set. Credentials are write-only.')),
      createdBy: t.field(
        memberRelation('createdBy', 'The member who connected it; the Super Admin for a former member’s account.'),
      ),
      createdAt: instant('When the account was connected.'),
      updatedAt: instant('When its name, source or status last changed.'),
    }),
});

export const AccountPage = pageType('Account', AccountType);
