import { columns, decimal, instant, of, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { relation } from '../../graph/relations.ts';
import { readRoute } from '../../graph/rest.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { SyncStatusEnum } from '../accounts/graphql-types.ts';
import { pageSyncs, runSortFields } from './runs.ts';

const SyncRunType = builder.prismaObject('SyncRun', {
  select: { id: true },
  description: 'An ended sync of an account.',
  fields: (t) =>
    columns(t, 'SyncRun', {
      id: uuid('UUIDv7 of the sync.'),
      accountId: uuid('UUID of the account.'),
      account: t.relation('account', { ...relation, description: 'The account.' }),
      status: of(SyncStatusEnum, 'How it ended: `succeeded`, `failed` or `cancelled`.'),
      startedAt: instant('Start time.'),
      finishedAt: instant('End time.'),
      rows: decimal('Line items read; 0 if it did not succeed and has loaded none of them.'),
      error: t.string({
        nullable: true,
        description: 'Why it failed, with file, row and column where known; null if it did not fail.',
        select: { error: true },
        resolve: ({ error }, _args, { spell }) => storedMessage(error, spell),
      }),
    }),
});

const SyncRunPage = pageType('SyncRun', SyncRunType);

builder.queryFields((t) => ({
  accountSyncs: t.field({
    ...pageField(SyncRunPage),
    description: 'Lists the ended syncs of an account in the last 90 days, newest first.',
    args: {
      id: t.arg.id({ required: true, description: 'UUID of the account.' }),
      ...listArgs('SyncRun', runSortFields),
    },
    ...readRoute('Accounts', '/accounts/{id}/syncs', { csv: 'data' }),
    resolve: selectedPage((ctx, { id, sortBy = null }, page) =>
      pageSyncs(ctx.deps, { scope: viewerOf(ctx).scope, accountId: id }, sortBy, page),
    ),
  }),
}));
