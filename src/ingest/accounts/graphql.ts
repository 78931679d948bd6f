import './setup/graphql.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { connectAccount, updateAccount } from './connect.ts';
import { CredentialsInput, SettingsInput } from './settings/graphql-types.ts';
import { AccountPage, AccountType, ProviderEnum, StatusEnum, SyncStatusEnum } from './graphql-types.ts';
import { accountSortFields } from './input.ts';
import { cancelSync, disconnectAccount, pageAccounts, readAccount, requestSync } from './run.ts';

const idArg = 'UUID of the account.';
const accounts = { tags: ['Accounts'] };

builder.queryFields((t) => ({
  accounts: t.field({
    type: AccountPage,
    description: 'The connected accounts that the caller may see, newest first, with how their syncs stand.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      provider: t.arg({
        type: [ProviderEnum],
        description: 'Only those connected in these ways.',
      }),
      status: t.arg({
        type: [StatusEnum],
        description: 'Only these; connected ones without it.',
      }),
      syncStatus: t.arg({
        type: [SyncStatusEnum],
        description: 'Only those whose latest sync stands so.',
      }),
      sortBy: t.arg.string({
        description: `Field to sort by: ${accountSortFields.join(', ')}; with \`-\` before it, descending. Newest first without it.`,
        extensions: {
          jsonSchema: {
            type: 'string',
            enum: accountSortFields.flatMap((field) => [field, `-${field}`]),
          },
        },
      }),
      ...pageArgs(),
    },
    extensions: {
      rest: {
        method: 'GET',
        path: '/accounts',
        status: 200,
        ...accounts,
        category: 'read',
        csv: 'data',
      } satisfies RestRoute,
    },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageAccounts(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  account: t.field({
    type: AccountType,
    description: 'One account, with how its latest sync stands.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: {
      rest: {
        method: 'GET',
        path: '/accounts/{id}',
        status: 200,
        ...accounts,
        category: 'read',
      } satisfies RestRoute,
    },
    resolve: (_root, { id }, ctx) => readAccount(ctx.deps, viewerOf(ctx).scope, id),
  }),
}));

builder.mutationFields((t) => ({
  connectAccount: t.field({
    type: AccountType,
    description: 'Connects an account and queues its first sync. Its source is looked at first. For Admins.',
    authScopes: { signedIn: true, can: 'accounts.write' },
    args: {
      name: t.arg.string({
        required: true,
        description: 'Display name, 1 to 100 characters.',
      }),
      provider: t.arg({
        type: ProviderEnum,
        required: true,
        description: 'How to connect it.',
      }),
      credentials: t.arg({
        type: CredentialsInput,
        description: 'What the provider needs to be read; none for a local `focus` folder. Never comes out again.',
      }),
      settings: t.arg({
        type: SettingsInput,
        description: 'Where its bills lie.',
      }),
    },
    extensions: {
      rest: {
        method: 'POST',
        path: '/accounts',
        status: 201,
        ...accounts,
        category: 'write',
        errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
      } satisfies RestRoute,
    },
    resolve: (_root, args, ctx) => connectAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  updateAccount: t.field({
    type: AccountType,
    description:
      'Changes what is named of an account. New credentials or settings connect a disconnected one again and queue a sync. For Admins.',
    authScopes: { signedIn: true, can: 'accounts.write' },
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      name: t.arg.string({
        description: 'New display name, 1 to 100 characters.',
      }),
      credentials: t.arg({
        type: CredentialsInput,
        description: 'New credentials for the same account at the provider, in place of the old. They are tried first.',
      }),
      settings: t.arg({
        type: SettingsInput,
        description: 'What changes of where its bills lie: what is named is replaced, null clears, the rest stays.',
      }),
    },
    extensions: {
      rest: {
        method: 'PATCH',
        path: '/accounts/{id}',
        status: 200,
        ...accounts,
        category: 'write',
        errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
      } satisfies RestRoute,
    },
    resolve: (_root, args, ctx) => updateAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  disconnectAccount: t.field({
    type: 'Boolean',
    description: 'Disconnects an account: its credentials are destroyed and its syncs stop. For Admins.',
    authScopes: { signedIn: true, can: 'accounts.write' },
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      purge: t.arg.boolean({
        description: 'True also deletes its figures, and the account itself. They stay without it.',
      }),
    },
    extensions: {
      rest: {
        method: 'DELETE',
        path: '/accounts/{id}',
        status: 204,
        ...accounts,
        category: 'write',
      } satisfies RestRoute,
    },
    async resolve(_root, { id, purge }, ctx) {
      await disconnectAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), { id, purge: purge ?? false });
      return true;
    },
  }),
  syncAccount: t.field({
    type: AccountType,
    description:
      'Queues a sync and answers the account to watch; one that is queued or running already is left as it is. For Admins.',
    authScopes: { signedIn: true, can: 'accounts.write' },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: {
      rest: {
        method: 'POST',
        path: '/accounts/{id}/sync',
        status: 202,
        ...accounts,
        category: 'write',
        errors: ['CONFLICT'],
      } satisfies RestRoute,
    },
    resolve: (_root, { id }, ctx) => requestSync(ctx.deps, viewerOf(ctx), actorOf(ctx), id),
  }),
  cancelSync: t.field({
    type: 'Boolean',
    description: 'Cancels the queued or running sync of an account. Months it has loaded stay. For Admins.',
    authScopes: { signedIn: true, can: 'accounts.write' },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: {
      rest: {
        method: 'DELETE',
        path: '/accounts/{id}/sync',
        status: 204,
        ...accounts,
        category: 'write',
        errors: ['CONFLICT'],
      } satisfies RestRoute,
    },
    async resolve(_root, { id }, ctx) {
      await cancelSync(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));
