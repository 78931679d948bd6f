import { snakeOf } from '../../kit/text/case.ts';
import { awsRules, azureRules, type Rule } from '../../kit/text/cloud-names.ts';
import { keywordsByName, list, listKeywordsOf, optional, prefixRule, readPrefix } from '../fields.ts';
import { gcpRules, mostScopes, readLocation } from '../gcp/input.ts';
import { settingRules } from '../input.ts';

const mostSubscriptions = 50;

const { prefix: _prefix, ...settingTexts } = settingRules;

const textRules = {
  ...settingTexts,
  region: awsRules.region,
  awsAccountId: awsRules.accountId,
  roleName: awsRules.roleName,
  kmsKey: awsRules.kmsKey,
  tenantId: azureRules.tenantId,
  clientId: azureRules.clientId,
  resourceGroup: { pattern: /^[\w()-][\w().-]{0,88}[\w()-]$|^[\w()-]$/, says: 'the name of a resource group' },
  serviceAccount: gcpRules.serviceAccount,
} as const satisfies Record<string, Rule>;

type TextName = keyof typeof textRules;

/** Names to fill into a guide, as sent. */
export type SentNames = { readonly [name in TextName | 'prefix']?: string | null | undefined } & {
  readonly [name in 'subscriptionIds' | 'scopes']?: readonly string[] | null | undefined;
} & {
  /** True: there is no export; costs come from the provider's API. */
  readonly withoutExport?: boolean | null | undefined;
  /** True: an access key instead of a role. */
  readonly withAccessKey?: boolean | null | undefined;
};

/** Rules of the names, as JSON Schema keywords. */
export const nameKeywords = {
  ...keywordsByName({ ...textRules, prefix: prefixRule }),
  subscriptionIds: listKeywordsOf(azureRules.subscriptionId, mostSubscriptions),
  scopes: listKeywordsOf(gcpRules.scope, mostScopes),
};

/** Names validated as strictly as an account's settings, so that commands pasted into a shell contain nothing else. */
export type Names = { readonly [name in TextName]: string | null } & {
  readonly prefix: string;
  readonly subscriptionIds: readonly string[];
  readonly scopes: readonly string[];
  readonly withoutExport: boolean;
  readonly withAccessKey: boolean;
};

/** Validates the names of a guide.
 *  @throws {AppError} VALIDATION_ERROR naming the parameter */
export function readNames(sent: SentNames): Names {
  const names = Object.keys(textRules) as TextName[];
  const texts = Object.fromEntries(names.map((name) => [name, optional(snakeOf(name), sent[name], textRules[name])]));
  return {
    ...(texts as { readonly [name in TextName]: string | null }),
    location: texts['location'] ? readLocation(texts['location']) : null,
    prefix: readPrefix('prefix', sent.prefix),
    subscriptionIds: list('subscription_ids', sent.subscriptionIds, azureRules.subscriptionId, mostSubscriptions),
    scopes: list('scopes', sent.scopes, gcpRules.scope, mostScopes),
    withoutExport: sent.withoutExport ?? false,
    withAccessKey: sent.withAccessKey ?? false,
  };
}

/** A role to grant, where the provider has roles. */
export interface GuideRole {
  readonly role: string;
  /** Resource of the grant. */
  readonly scope: string;
  readonly why: string;
}

/** A command, ready to paste into a shell. */
export interface GuideCommand {
  readonly title: string;
  readonly command: string;
}

/** A template in place of the commands. */
export interface GuideTemplate {
  readonly title: string;
  /** File name. */
  readonly name: string;
  readonly content: string;
}

/** Setup instructions for a provider. All permissions are read-only. */
export interface Guide {
  /** Steps in order. */
  readonly steps: readonly string[];
  /** The minimal policy, where the provider has policies. */
  readonly policy: object | null;
  /** Trust policy of the role, where the provider has them. */
  readonly trustPolicy: object | null;
  readonly roles: readonly GuideRole[];
  readonly commands: readonly GuideCommand[];
  /** Alternatives to the commands. */
  readonly templates: readonly GuideTemplate[];
  /** Request body that connects the account, with the field names of REST. */
  readonly request: object;
}

/** Quotes any text as one word for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Joins words into a command, each quoted. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
