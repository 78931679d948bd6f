import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import type { RestRoute } from '../../../graph/rest.ts';
import type { GuideCommand, GuideRole } from '../../../providers/guide/words.ts';
import { ProviderEnum } from '../graphql-types.ts';
import { setupOf, type AccountSetup } from './run.ts';

const Role = builder.objectRef<GuideRole>('SetupRole').implement({
  description: 'A role to grant.',
  fields: (t) => ({
    role: t.exposeString('role', { description: 'Its name at the provider.' }),
    scope: t.exposeString('scope', { description: 'What to grant it on.' }),
    why: t.exposeString('why', { description: 'What it is needed for.' }),
  }),
});

const Command = builder.objectRef<GuideCommand>('SetupCommand').implement({
  description: 'A command that is ready to be pasted into a shell.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'What it does.' }),
    command: t.exposeString('command', { description: 'The command, quoted for a POSIX shell.' }),
  }),
});

const Setup = builder.objectRef<AccountSetup>('AccountSetup').implement({
  description:
    'What to do at the provider before an account is connected. Everything it asks for is read-only. Names that were not given are placeholders in CAPITALS.',
  fields: (t) => ({
    provider: t.expose('provider', { type: ProviderEnum, description: 'The provider asked for.' }),
    steps: t.stringList({ description: 'What to do, in order.', resolve: ({ steps }) => [...steps] }),
    policy: t.expose('policy', {
      type: 'JSON',
      nullable: true,
      description: 'The minimal policy to attach, where the provider has policies.',
    }),
    trustPolicy: t.expose('trustPolicy', {
      type: 'JSON',
      nullable: true,
      description: 'For AWS: who may assume the role, and with which external id.',
    }),
    trustExternalId: t.exposeString('trustExternalId', {
      nullable: true,
      description: 'For AWS: the external id that the role’s trust policy must name.',
    }),
    roles: t.field({
      type: [Role],
      description: 'The roles to grant, where the provider has roles.',
      resolve: ({ roles }) => [...roles],
    }),
    commands: t.field({
      type: [Command],
      description: 'What to run, in order.',
      resolve: ({ commands }) => [...commands],
    }),
    request: t.expose('request', {
      type: 'JSON',
      description: 'Body of `POST /accounts` that connects the account, in REST’s spelling.',
    }),
  }),
});

builder.queryFields((t) => ({
  accountSetup: t.field({
    type: Setup,
    description: 'What to prepare at a provider before its account is connected, filled in with your names.',
    authScopes: { signedIn: true },
    args: {
      provider: t.arg({ type: ProviderEnum, required: true, description: 'The provider to prepare.' }),
      withoutExport: t.arg.boolean({
        description: 'True: there is no export, and costs are read from the provider’s API with less detail.',
      }),
      awsAccountId: t.arg.string({ description: 'For `aws`: id of the account that the role is in, 12 digits.' }),
      roleName: t.arg.string({ description: 'For `aws`: name of the role; `costkeep` without it.' }),
      bucket: t.arg.string({ description: 'For `aws` and `focus`: the bucket.' }),
      prefix: t.arg.string({ description: 'Folder in the bucket or container.' }),
      exportName: t.arg.string({ description: 'For `aws`: name of the Data Export.' }),
      region: t.arg.string({ description: 'For `aws` and `focus`: the region; it tells the partition as well.' }),
      kmsKey: t.arg.string({
        description: 'For `aws`: ARN of the key, where the bucket is encrypted with one of your own.',
      }),
      tenantId: t.arg.string({ description: 'For `azure`: directory (tenant) id.' }),
      clientId: t.arg.string({
        description: 'For `azure`: application (client) id of the service principal, once there is one.',
      }),
      subscriptionIds: t.arg.stringList({ description: 'For `azure`: the subscriptions.' }),
      billingScope: t.arg.string({
        description: 'For `azure`: resource id of the billing account, profile or section.',
      }),
      resourceGroup: t.arg.string({ description: 'For `azure`: resource group of the storage account.' }),
      storageAccount: t.arg.string({ description: 'For `azure` and `focus`: storage account of the export.' }),
      container: t.arg.string({ description: 'For `azure` and `focus`: its container.' }),
      billingProject: t.arg.string({ description: 'For `gcp`: project in which queries run.' }),
      dataset: t.arg.string({ description: 'For `gcp`: dataset of the billing export.' }),
      table: t.arg.string({ description: 'For `gcp`: its table, where it is to be a certain one.' }),
      location: t.arg.string({ description: 'For `gcp`: location of the dataset.' }),
      scopes: t.arg.stringList({
        description: 'For `gcp`: organizations, folders or projects whose resources are listed.',
      }),
      serviceAccount: t.arg.string({ description: 'For `gcp`: email of the service account.' }),
    },
    extensions: {
      rest: {
        method: 'GET',
        path: '/accounts/setup',
        status: 200,
        tags: ['Accounts'],
        category: 'read',
      } satisfies RestRoute,
    },
    resolve: (_root, { provider, ...names }, ctx) => setupOf(ctx.deps, viewerOf(ctx).scope, provider, names),
  }),
}));
