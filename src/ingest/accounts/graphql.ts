import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, selectedPage } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { nameRule } from '../../tenancy/login/input.ts';
import { connectAccount, updateAccount } from './connect.ts';
import { CredentialsInput, SettingsInput } from './settings/graphql-types.ts';
import { AccountPage, AccountType, ProviderEnum, StatusEnum, SyncStatusEnum } from './graphql-types.ts';
import { accountSortFields } from './input.ts';
import { cancelSync, disconnectAccount, pageAccounts, readAccount, requestSync } from './run.ts';
import './setup/graphql.ts';

const idArg = 'UUID of the account.';
builder.queryFields((t) => ({
  accounts: t.field({
    ...pageField(AccountPage),
    description: 'Lists the connected accounts in the caller’s scope, newest first. Includes the state of their syncs.',
    args: {
      provider: t.arg({
        type: [ProviderEnum],
        description: 'Only accounts with these providers.',
      }),
      status: t.arg({
        type: [StatusEnum],
        description: 'Only accounts with these statuses. Default: connected accounts.',
      }),
      syncStatus: t.arg({
        type: [SyncStatusEnum],
        description: 'Only accounts whose latest sync has one of these statuses.',
      }),
      ...listArgs('Account', accountSortFields),
    },
    ...readRoute('Accounts', '/accounts', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageAccounts(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  account: t.prismaField({
    type: AccountType,
    description: 'Returns an account with the state of its latest sync.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...readRoute('Accounts', '/accounts/{id}'),
    resolve: (query, _root, { id }, ctx) => readAccount(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  connectAccount: t.field({
    type: AccountType,
    description: 'Connects an account. Checks that its source can be read, then queues the first sync. For Admins.',
    args: {
      input: t.arg({ type: ConnectAccountInput, required: true, description: 'The account to connect.' }),
    },
    ...writeRoute('Accounts', 'accounts.write', {
      path: '/accounts',
      status: 201,
      errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
    }),
    resolve: (_root, { input }, ctx) => connectAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), input),
  }),
  updateAccount: t.field({
    type: AccountType,
    description:
      'Updates an account. New credentials or settings reconnect a disconnected account and queue a sync. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateAccountInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Accounts', 'accounts.write', {
      method: 'PATCH',
      path: '/accounts/{id}',
      errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
    }),
    resolve: (_root, { id, input }, ctx) => updateAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id }),
  }),
  disconnectAccount: t.field({
    type: 'Boolean',
    description: 'Disconnects an account. Its credentials are deleted and its syncs stop. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      purge: t.arg.boolean({
        description: 'True: also deletes the account and its data. Default: keeps them.',
      }),
    },
    ...writeRoute('Accounts', 'accounts.write', { method: 'DELETE', path: '/accounts/{id}' }),
    resolve: (_root, { id, purge }, ctx) =>
      disconnectAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), { id, purge: purge ?? false }).then(() => true),
  }),
  syncAccount: t.field({
    type: AccountType,
    description:
      'Queues a sync of an account. A queued or running sync is not restarted, but a delayed one starts now. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Accounts', 'accounts.write', {
      path: '/accounts/{id}/sync',
      status: 202,
      errors: ['CONFLICT'],
    }),
    resolve: (_root, { id }, ctx) => requestSync(ctx.deps, viewerOf(ctx), actorOf(ctx), id),
  }),
  cancelSync: t.field({
    type: 'Boolean',
    description:
      'Cancels the queued or running sync of an account. Months that are already loaded are kept. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Accounts', 'accounts.write', {
      method: 'DELETE',
      path: '/accounts/{id}/sync',
      errors: ['CONFLICT'],
    }),
    resolve: (_root, { id }, ctx) => cancelSync(ctx.deps, viewerOf(ctx), actorOf(ctx), id).then(() => true),
  }),
}));

const ConnectAccountInput = builder.inputType('ConnectAccountInput', {
  description: 'An account to connect.',
  fields: (t) => ({
    name: t.string({
      ...bounded(nameRule),
      required: true,
      description: 'Display name, 1 to 100 characters.',
    }),
    provider: t.field({
      type: ProviderEnum,
      required: true,
      description: 'How the account is connected.',
    }),
    credentials: t.field({
      type: CredentialsInput,
      description: 'Credentials for the provider; none for a local `focus` folder or uploads. Write-only.',
    }),
    settings: t.field({
      type: SettingsInput,
      description: 'Location of the billing data.',
    }),
  }),
});

const UpdateAccountInput = builder.inputType('UpdateAccountInput', {
  description: 'Changes to an account: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({
      ...unclearable(nameRule),
      description: 'New display name, 1 to 100 characters.',
    }),
    credentials: t.field({
      ...unclearable(),
      type: CredentialsInput,
      description: 'New credentials for the same account at the provider, checked before they are saved.',
    }),
    settings: t.field({
      ...unclearable(),
      type: SettingsInput,
      description:
        'Changes to the location of the billing data: omitted settings stay unchanged, and null clears a setting.',
    }),
    ifUnmodifiedSince: t.field({
      type: 'DateTime',
      description:
        'The `updatedAt` that you have read: if the account has changed since, the update fails with `CONFLICT`. Send it with settings, which depend on each other.',
    }),
  }),
});
