import { awsRules } from '../aws/input.ts';
import { azureRules } from '../azure/input.ts';
import { keywordsOf, list, listKeywordsOf, optional, prefixRule, readPrefix, type Rule, snake } from '../fields.ts';
import { gcpRules, mostScopes, readLocation } from '../gcp/input.ts';

type Text = string | null | undefined;
type Texts = readonly string[] | null | undefined;

/** Names that a guide is filled in with, as they were sent. */
export interface SentNames {
  readonly awsAccountId?: Text;
  readonly roleName?: Text;
  readonly kmsKey?: Text;
  readonly bucket?: Text;
  readonly prefix?: Text;
  readonly exportName?: Text;
  readonly region?: Text;
  readonly tenantId?: Text;
  readonly clientId?: Text;
  readonly subscriptionIds?: Texts;
  readonly billingScope?: Text;
  readonly resourceGroup?: Text;
  readonly storageAccount?: Text;
  readonly container?: Text;
  readonly billingProject?: Text;
  readonly dataset?: Text;
  readonly table?: Text;
  readonly location?: Text;
  readonly scopes?: Texts;
  readonly serviceAccount?: Text;
  /** True: costs are read from the provider's API, because there is no export. */
  readonly withoutExport?: boolean | null | undefined;
}

const mostSubscriptions = 50;

const textRules = {
  awsAccountId: awsRules.accountId,
  roleName: awsRules.roleName,
  kmsKey: awsRules.kmsKey,
  bucket: awsRules.bucket,
  exportName: awsRules.exportName,
  region: awsRules.region,
  tenantId: azureRules.tenantId,
  clientId: azureRules.clientId,
  billingScope: azureRules.billingScope,
  resourceGroup: { pattern: /^[\w()-][\w().-]{0,88}[\w()-]$|^[\w()-]$/, says: 'the name of a resource group' },
  storageAccount: azureRules.storageAccount,
  container: azureRules.container,
  billingProject: gcpRules.project,
  dataset: gcpRules.dataset,
  table: gcpRules.table,
  location: gcpRules.location,
  serviceAccount: gcpRules.serviceAccount,
} as const satisfies Partial<Record<keyof SentNames, Rule>>;

type TextName = keyof typeof textRules;

/** What each name must be, as JSON Schema keywords. */
export const nameKeywords = {
  ...(Object.fromEntries(Object.entries(textRules).map(([name, rule]) => [name, keywordsOf(rule)])) as {
    readonly [name in TextName]: ReturnType<typeof keywordsOf>;
  }),
  prefix: keywordsOf(prefixRule),
  subscriptionIds: listKeywordsOf(azureRules.subscriptionId, mostSubscriptions),
  scopes: listKeywordsOf(gcpRules.scope, mostScopes),
} as const;

/** The names, read as strictly as those of an account, so that what is pasted into a shell holds names and nothing else. */
export type Names = { readonly [name in TextName]: string | null } & {
  readonly prefix: string;
  readonly subscriptionIds: readonly string[];
  readonly scopes: readonly string[];
  readonly withoutExport: boolean;
};

/** Reads the names of a guide.
 *  @throws {AppError} VALIDATION_ERROR naming the parameter */
export function readNames(sent: SentNames): Names {
  const text = (name: TextName) => optional(snake(name), sent[name], textRules[name]);
  const location = text('location');
  return {
    awsAccountId: text('awsAccountId'),
    roleName: text('roleName'),
    kmsKey: text('kmsKey'),
    bucket: text('bucket'),
    exportName: text('exportName'),
    region: text('region'),
    tenantId: text('tenantId'),
    clientId: text('clientId'),
    billingScope: text('billingScope'),
    resourceGroup: text('resourceGroup'),
    storageAccount: text('storageAccount'),
    container: text('container'),
    billingProject: text('billingProject'),
    dataset: text('dataset'),
    table: text('table'),
    location: location && readLocation(location),
    serviceAccount: text('serviceAccount'),
    prefix: readPrefix('prefix', sent.prefix),
    subscriptionIds: list('subscription_ids', sent.subscriptionIds, azureRules.subscriptionId, mostSubscriptions),
    scopes: list('scopes', sent.scopes, gcpRules.scope, mostScopes),
    withoutExport: sent.withoutExport ?? false,
  };
}

/** A role to grant, where a provider has roles. */
export interface GuideRole {
  readonly role: string;
  /** What it is granted on. */
  readonly scope: string;
  readonly why: string;
}

/** A command that is ready to be pasted into a shell. */
export interface GuideCommand {
  readonly title: string;
  readonly command: string;
}

/** What to do at a provider before an account is connected. Everything it asks for only reads. */
export interface Guide {
  /** What to do, in order. */
  readonly steps: readonly string[];
  /** The minimal policy, where the provider has policies. */
  readonly policy: object | null;
  /** Who may assume a role, where the provider has such policies. */
  readonly trustPolicy: object | null;
  readonly roles: readonly GuideRole[];
  readonly commands: readonly GuideCommand[];
  /** The body that connects the account, in REST's spelling. */
  readonly request: object;
}

/** A text as one word of a POSIX shell, whatever it holds. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command whose words are separate, whatever they hold. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
