import { bounded } from '../../../graph/bounded.ts';
import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import type { RestRoute } from '../../../graph/rest.ts';
import { type GuideCommand, type GuideRole, nameKeywords } from '../../../providers/guide/names.ts';
import { ProviderEnum } from '../graphql-types.ts';
import { setupOf, type AccountSetup } from './run.ts';

const Role = builder.objectRef<GuideRole>('SetupRole').implement({
  description: 'A role to grant.',
  fields: (t) => ({
    role: t.exposeString('role', { description: 'Product name at the provider.' }),
    scope: t.exposeString('scope', { description: 'Scope of the grant.' }),
    why: t.exposeString('why', { description: 'Purpose.' }),
  }),
});

const Command = builder.objectRef<GuideCommand>('SetupCommand').implement({
  description: 'A command to paste into a shell.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'What the script does.' }),
    command: t.exposeString('command', { description: 'The command, quoted for a POSIX shell.' }),
  }),
});

const Setup = builder.objectRef<AccountSetup>('AccountSetup').implement({
  description:
    'Steps to prepare a provider before connecting an account. All permissions are read-only. Missing names are placeholders in CAPITALS.',
  fields: (t) => ({
    provider: t.expose('provider', { type: ProviderEnum, description: 'The provider.' }),
    steps: t.stringList({ description: 'Steps, in order.', resolve: ({ steps }) => [...steps] }),
    policy: t.expose('policy', {
      type: 'JSON',
      nullable: true,
      description: 'Minimal policy to attach, where the provider has policies.',
    }),
    trustPolicy: t.expose('trustPolicy', {
      type: 'JSON',
      nullable: true,
      description: 'For AWS: trust policy of the role.',
    }),
    trustExternalId: t.exposeString('trustExternalId', {
      nullable: true,
      description: 'For AWS: external id required in the role’s trust policy.',
    }),
    roles: t.field({
      type: [Role],
      description: 'Roles to grant, where the provider has roles.',
      resolve: ({ roles }) => [...roles],
    }),
    commands: t.field({
      type: [Command],
      description: 'Commands to run, in order.',
      resolve: ({ commands }) => [...commands],
    }),
    request: t.expose('request', {
      type: 'JSON',
      description: 'Request body of `POST /accounts` that connects the account, with the field names of REST.',
    }),
  }),
});

builder.queryFields((t) => ({
  accountSetup: t.field({
    type: Setup,
    description:
      'Returns setup instructions for a provider. Steps, policies and commands are filled in with the given names.',
    authScopes: { signedIn: true },
    args: {
      provider: t.arg({ type: ProviderEnum, required: true, description: 'Provider to set up.' }),
      withoutExport: t.arg.boolean({
        description: 'True: without an export; costs are read from the provider’s API with less detail.',
      }),
      awsAccountId: t.arg.string({
        ...bounded(nameKeywords.awsAccountId),
        description: 'For `aws`: 12-digit id of the AWS account that owns the role.',
      }),
      roleName: t.arg.string({
        ...bounded(nameKeywords.roleName),
        description: 'For `aws`: name of the role. Default: `costkeep`.',
      }),
      bucket: t.arg.string({ ...bounded(nameKeywords.bucket), description: 'For `aws` and `focus`: S3 bucket.' }),
      prefix: t.arg.string({ ...bounded(nameKeywords.prefix), description: 'Folder in the bucket or container.' }),
      exportName: t.arg.string({
        ...bounded(nameKeywords.exportName),
        description: 'For `aws`: name of the Data Export.',
      }),
      region: t.arg.string({
        ...bounded(nameKeywords.region),
        description: 'For `aws` and `focus`: the region, which also determines the partition.',
      }),
      kmsKey: t.arg.string({
        ...bounded(nameKeywords.kmsKey),
        description: 'For `aws`: ARN of the KMS key, if the bucket is encrypted with a customer managed key.',
      }),
      tenantId: t.arg.string({ ...bounded(nameKeywords.tenantId), description: 'For `azure`: directory (tenant) id.' }),
      clientId: t.arg.string({
        ...bounded(nameKeywords.clientId),
        description: 'For `azure`: application (client) id of the service principal, if it exists.',
      }),
      subscriptionIds: t.arg.stringList({
        ...bounded(nameKeywords.subscriptionIds),
        description: 'For `azure`: subscription ids.',
      }),
      billingScope: t.arg.string({
        ...bounded(nameKeywords.billingScope),
        description: 'For `azure`: resource id of the billing account, profile or section.',
      }),
      resourceGroup: t.arg.string({
        ...bounded(nameKeywords.resourceGroup),
        description: 'For `azure`: resource group of the storage account.',
      }),
      storageAccount: t.arg.string({
        ...bounded(nameKeywords.storageAccount),
        description: 'For `azure` and `focus`: storage account of the export.',
      }),
      container: t.arg.string({
        ...bounded(nameKeywords.container),
        description: 'For `azure` and `focus`: container in the storage account.',
      }),
      billingProject: t.arg.string({
        ...bounded(nameKeywords.billingProject),
        description: 'For `gcp`: project that runs queries.',
      }),
      dataset: t.arg.string({
        ...bounded(nameKeywords.dataset),
        description: 'For `gcp`: dataset of the billing export.',
      }),
      table: t.arg.string({
        ...bounded(nameKeywords.table),
        description: 'For `gcp`: table of the export, if not the default.',
      }),
      location: t.arg.string({ ...bounded(nameKeywords.location), description: 'For `gcp`: location of the dataset.' }),
      scopes: t.arg.stringList({
        ...bounded(nameKeywords.scopes),
        description: 'For `gcp`: organizations, folders or projects whose resources are listed.',
      }),
      serviceAccount: t.arg.string({
        ...bounded(nameKeywords.serviceAccount),
        description: 'For `gcp`: email of the service account.',
      }),
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
