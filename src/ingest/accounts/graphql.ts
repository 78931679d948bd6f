import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import {
  AccountPage,
  AccountType,
  ProviderEnum,
  SettingsInput,
  Setup,
  StatusEnum,
  SyncStatusEnum,
} from './graphql-types.ts';
import { accountSortFields } from './input.ts';
import {
  cancelSync,
  connectAccount,
  disconnectAccount,
  pageAccounts,
  readAccount,
  requestSync,
  updateAccount,
} from './run.ts';
import { setupOf } from './setup.ts';

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
  accountSetup: t.field({
    type: Setup,
    description: 'What to prepare at a provider before its account is connected.',
    authScopes: { signedIn: true },
    args: {
      provider: t.arg({
        type: ProviderEnum,
        required: true,
        description: 'The provider to prepare.',
      }),
    },
    extensions: {
      rest: {
        method: 'GET',
        path: '/accounts/setup',
        status: 200,
        ...accounts,
        category: 'read',
      } satisfies RestRoute,
    },
    resolve: (_root, { provider }, ctx) => setupOf(ctx.deps, viewerOf(ctx).scope, provider),
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
        type: 'JSON',
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
        errors: ['CONFLICT'],
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
        type: 'JSON',
        description: 'New credentials, in place of the old.',
      }),
      settings: t.arg({
        type: SettingsInput,
        description: 'New place of its bills.',
      }),
    },
    extensions: {
      rest: {
        method: 'PATCH',
        path: '/accounts/{id}',
        status: 200,
        ...accounts,
        category: 'write',
        errors: ['CONFLICT'],
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
