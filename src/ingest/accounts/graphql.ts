import { CloudProvider, AccountStatus, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { dayOf } from '../../kit/period.ts';
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
import { setupOf, type AccountSetup } from './setup.ts';
import { settingsOf, type Account } from './store.ts';

/** Upper-case names for GraphQL over the database's values. */
function enumValues<V extends string>(values: Record<string, V>, descriptions: Record<V, string>) {
  return Object.fromEntries(
    Object.values(values).map((value) => [value.toUpperCase(), { value, description: descriptions[value] }]),
  );
}

const ProviderEnum = builder.enumType('AccountProvider', {
  description: 'How an account is connected.',
  values: enumValues(CloudProvider, {
    aws: 'Amazon Web Services.',
    azure: 'Microsoft Azure.',
    gcp: 'Google Cloud.',
    focus: 'A FOCUS export, whoever made it.',
  }),
});

const StatusEnum = builder.enumType('AccountStatus', {
  description: 'Whether an account is connected.',
  values: enumValues(AccountStatus, {
    connected: 'It is synced by schedule and on request.',
    disconnected: 'Its credentials are destroyed and nothing syncs it; its history stays in the figures.',
  }),
});

const SyncStatusEnum = builder.enumType('SyncStatus', {
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
      description: 'What it does: `listing`, `reading` or `loading`; null while it waits.',
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

const Settings = builder.objectRef<{ path: string }>('AccountSettings').implement({
  description: 'Where the bills of an account lie.',
  fields: (t) => ({
    path: t.exposeString('path', {
      description: 'Folder or file below FOCUS_ROOT.',
    }),
  }),
});

const SettingsInput = builder.inputType('AccountSettingsInput', {
  description: 'Where the bills of an account lie.',
  fields: (t) => ({
    path: t.string({
      description: 'For `focus`: folder or file of the export, relative to FOCUS_ROOT.',
    }),
  }),
});

const AccountType = builder.objectRef<Account>('Account').implement({
  description: 'A connected cloud account, or a FOCUS export.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the account.' }),
    name: t.exposeString('name', { description: 'Its display name.' }),
    provider: t.expose('provider', {
      type: ProviderEnum,
      description: 'How it is connected.',
    }),
    externalId: t.exposeString('externalId', {
      description: 'What the provider calls it; for `focus`, the path of the export.',
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
      resolve: (account) => settingsOf(account.settings),
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

const AccountPage = pageType('Account', AccountType);

const Setup = builder.objectRef<AccountSetup>('AccountSetup').implement({
  description: 'What to do at the provider before an account is connected. Everything it asks for is read-only.',
  fields: (t) => ({
    provider: t.expose('provider', {
      type: ProviderEnum,
      description: 'The provider asked for.',
    }),
    steps: t.exposeStringList('steps', {
      description: 'What to do, in order.',
    }),
    policy: t.expose('policy', {
      type: 'JSON',
      nullable: true,
      description: 'The minimal policy to attach, where the provider has policies.',
    }),
    roles: t.exposeStringList('roles', {
      description: 'The roles to grant, where the provider has roles.',
    }),
    trustExternalId: t.exposeString('trustExternalId', {
      nullable: true,
      description: 'For AWS: the external id that the role’s trust policy must name.',
    }),
  }),
});

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
    authScopes: { signedIn: true, can: 'accounts.write' },
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
    resolve: (_root, { id, ...input }, ctx) => updateAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), id, input),
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
      await disconnectAccount(ctx.deps, viewerOf(ctx), actorOf(ctx), id, purge ?? false);
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
