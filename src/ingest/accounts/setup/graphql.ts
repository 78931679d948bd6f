import { answerType, json, listOf, of, orNull, text, texts } from '../../../graph/answers.ts';
import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import { readRoute } from '../../../graph/rest.ts';
import { nameKeywords } from '../../../providers/guide/names.ts';
import { ProviderEnum } from '../graphql-types.ts';
import { credentialWords, fieldsOf, settingWords } from '../settings/graphql-types.ts';
import { setupOf } from './run.ts';

const Role = answerType('SetupRole', 'A role to grant.', {
  role: text('Name of the role.'),
  scope: text('Scope of the grant.'),
  why: text('Purpose.'),
});

const Command = answerType('SetupCommand', 'A command to paste into a shell.', {
  title: text('Purpose of the command.'),
  command: text('The command, quoted for a POSIX shell.'),
});

const Template = answerType('SetupTemplate', 'A template in place of the commands.', {
  title: text('Title.'),
  name: text('File name.'),
  content: text('The file.'),
});

const Obstacle = answerType('SetupObstacle', 'A field of `POST /accounts` that this server rejects.', {
  field: text('Path of the field: `settings.path` or `credentials.role_arn`.'),
  reason: text('Why the server rejects the field.'),
});

const Setup = answerType(
  'AccountSetup',
  'Steps to prepare a provider before connecting an account. All permissions are read-only. Missing names are placeholders in CAPITALS.',
  {
    provider: of(ProviderEnum, 'The provider.'),
    steps: texts('Steps, in order.'),
    policy: orNull(json('Minimal policy to attach, where the provider has policies.')),
    trustPolicy: orNull(json('For AWS: trust policy of the role.')),
    trustExternalId: orNull(text('For AWS: external id required in the role’s trust policy.')),
    roles: listOf(Role, 'Roles to grant, where the provider has roles.'),
    commands: listOf(Command, 'Commands to run, in order.'),
    templates: listOf(
      Template,
      'Alternatives to the commands: a CloudFormation template and a Terraform configuration for AWS.',
    ),
    obstacles: listOf(Obstacle, 'Ways to connect that the configuration of this server excludes.'),
    request: json('Request body of `POST /accounts` that connects the account, with the field names of REST.'),
  },
);

const { source: _source, path: _path, endpoint: _endpoint, ...locationWords } = settingWords;

/** Descriptions of the names to fill in. */
const nameWords: Readonly<Record<keyof typeof nameKeywords, string>> = {
  ...locationWords,
  region: 'For `aws` and `focus`: the region, which also determines the partition.',
  awsAccountId: 'For `aws`: 12-digit id of the AWS account that owns the role.',
  roleName: 'For `aws`: name of the role. Default: `costkeep`.',
  kmsKey: 'For `aws`: ARN of the KMS key, if the bucket is encrypted with a customer managed key.',
  tenantId: credentialWords.tenantId,
  clientId: credentialWords.clientId,
  subscriptionIds: `${settingWords.subscriptionIds} For \`focus\`: id of the storage account’s subscription.`,
  resourceGroup: 'For `azure` and `focus`: resource group of the storage account.',
  serviceAccount: 'For `gcp`: email of the service account.',
};

builder.queryFields((t) => ({
  accountSetup: t.field({
    type: Setup,
    description:
      'Returns setup instructions for a provider. Steps, policies and commands are filled in with the given names. For `focus`: for a folder, or for the bucket or container that is named.',
    args: {
      provider: t.arg({ type: ProviderEnum, required: true, description: 'Provider to set up.' }),
      withoutExport: t.arg.boolean({
        description: 'True: without an export; costs are read from the provider’s API with less detail.',
      }),
      withAccessKey: t.arg.boolean({
        description:
          'For `aws`, true: uses an IAM user with an access key instead of a role, for a server that cannot assume one.',
      }),
      // The names' types are those of `SentNames`.
      ...(Object.fromEntries(
        fieldsOf(nameWords, nameKeywords).map(([name, field]) => [name, t.arg(field as never)]),
      ) as object),
    },
    ...readRoute('Accounts', '/accounts/setup'),
    resolve: (_root, { provider, ...names }, ctx) => setupOf(ctx.deps, viewerOf(ctx).scope, provider, names),
  }),
}));
