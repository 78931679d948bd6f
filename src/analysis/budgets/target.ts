import { requireVirtualTag } from '../../facts/allocation/virtual-tags.ts';
import type { TagFilter } from '../../facts/costs/query.ts';
import { parseOwnProvider, parseProviders, providerRule } from '../../facts/provider.ts';
import type { Db } from '../../kit/db.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { keyMissing } from '../../kit/errors/refusals.ts';
import { isUuid } from '../../kit/ids.ts';
import { clearable, defaulted, given } from '../../kit/record-fields.ts';
import { tagKeyName } from '../../kit/tag-key.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { channelFields, channelsShown } from './channels.ts';
import { emailRule, lineRule, parseEmail, unprintable, visibleLineRule } from '../../tenancy/login/input.ts';

/** The spend that a budget or an alert rule covers; null means any. */
export interface Target {
  readonly accountId: string | null;
  /** Provider slug. */
  readonly provider: string | null;
  /** FOCUS ServiceName. */
  readonly service: string | null;
  /** FOCUS SubAccountId. */
  readonly subAccountId: string | null;
  /** A tag key, or `virtual:KEY` for a virtual tag. */
  readonly tagKey: string | null;
  /** Null with a key: any value. */
  readonly tagValue: string | null;
}

/** The fields of a target. */
export const targetNames = [
  'accountId',
  'provider',
  'service',
  'subAccountId',
  'tagKey',
  'tagValue',
] as const satisfies readonly (keyof Target)[];

/** Selects the costs that a target covers. */
export function askAbout({ accountId, provider, service, subAccountId, tagKey, tagValue }: Target) {
  const tag: TagFilter | null = tagKey === null ? null : { key: tagKey, carried: 'yes', values: only(tagValue) };
  return {
    accountIds: only(accountId),
    providers: only(provider),
    services: only(service),
    subAccountIds: only(subAccountId),
    tag,
  };
}

/** Converts a target to the arguments of a cost query. */
export function costArgsOf({ accountId, provider, service, subAccountId, tagKey, tagValue }: Target) {
  return {
    accountId: only(accountId),
    provider: only(provider),
    service: only(service),
    subAccountId: only(subAccountId),
    tagKey,
    tagValue: only(tagValue),
  };
}

function only(value: string | null): string[] | null {
  return value === null ? null : [value];
}

/** Filters of a list by what its records cover; null means any. */
export type TargetArgs = { readonly [Field in Exclude<keyof Target, 'tagKey'>]?: readonly string[] | null } & {
  readonly tagKey?: string | null;
};

/** Selects the records that cover one of the targets. Drops values with NUL: no stored text contains it, and PostgreSQL
 *  rejects it in parameters.
 *  @throws {AppError} VALIDATION_ERROR naming the provider */
export function aboutTargets({ accountId, provider, service, subAccountId, tagKey, tagValue }: TargetArgs) {
  const providers = parseProviders(provider);
  const among = (names: readonly string[]) => ({ in: names.filter((name) => !name.includes('\0')) });
  return {
    ...(accountId && { accountId: { in: accountId.filter(isUuid) } }),
    ...(providers && { provider: { in: [...providers] } }),
    ...(service && { service: among(service) }),
    ...(subAccountId && { subAccountId: among(subAccountId) }),
    ...(typeof tagKey === 'string' && {
      tagKey: { ...among([tagKeyName(tagKey)]), mode: 'insensitive' as const },
    }),
    ...(tagValue && { tagValue: among(tagValue) }),
  };
}

/** Checks the tag of a target inside the transaction that writes it.
 *  @param changed the written fields; without a tag key among them, its virtual tag is not checked again
 *  @throws {AppError} VALIDATION_ERROR for a tag value without a key, and for a virtual tag that does not exist or is disabled */
export async function checkTag(
  db: Db,
  scope: OrgScope,
  { tagKey, tagValue }: Target,
  changed: Partial<Target>,
): Promise<void> {
  if (tagKey === null && tagValue !== null) throw keyMissing('tag_value', tagValue);
  if (tagKey !== null && changed.tagKey !== undefined) await requireVirtualTag(db, scope, tagKey, 'tag_key');
}

/** Bounds of the email addresses that a budget or an alert rule notifies. */
const emailsRule = { maxItems: 20, items: emailRule } as const;
/** Bounds of a service's name. */
const serviceRule = { ...visibleLineRule, minLength: 1, maxLength: 256 } as const;

/** Bounds of a sub-account's id. */
const subAccountRule = { ...visibleLineRule, minLength: 1, maxLength: 512 } as const;
/** Bounds of a tag. */
const tagKeyRule = { ...visibleLineRule, minLength: 1, maxLength: 256 } as const;
const tagValueRule = { ...lineRule, minLength: 0, maxLength: 512 } as const;

/** Parses a service name. Names without bills are accepted: bills can still arrive.
 *  @throws {AppError} VALIDATION_ERROR */
function parseService(service: string): string {
  return parseWord(service, 'service', serviceRule);
}

/** Parses the id of a sub-account, with or without bills.
 *  @throws {AppError} VALIDATION_ERROR */
function parseSubAccount(id: string): string {
  return parseWord(id, 'sub_account_id', subAccountRule);
}

/** Parses a tag key or `virtual:KEY`.
 *  @throws {AppError} VALIDATION_ERROR */
function parseTagKey(key: string): string {
  const name = tagKeyName(parseWord(key, 'tag_key', tagKeyRule));
  if (name.trim() === '') throw invalid`${arg('tag_key', key)} must have text after the prefix`;
  return name;
}

/** Parses a tag value, which can be empty: clouds allow tags without a value.
 *  @throws {AppError} VALIDATION_ERROR */
function parseTagValue(value: string): string {
  return parseLine(value, 'tag_value', tagValueRule);
}

/** Parses a name that is compared with names on bills, and therefore not trimmed.
 *  @param field the client's spelling of the field
 *  @throws {AppError} VALIDATION_ERROR naming the field */
function parseWord(text: string, field: string, rule: LengthRule): string {
  const word = parseLine(text, field, rule);
  if (word.trim() === '') throw invalid`${arg(field, text)} is blank${fix}give a name as on the bill, or leave it out`;
  return word;
}

/** Parses a single-line text, which can be blank.
 *  @param field the client's spelling of the field
 *  @throws {AppError} VALIDATION_ERROR naming the field */
function parseLine(text: string, field: string, { minLength, maxLength }: LengthRule): string {
  const length = [...text].length;
  if (length < minLength || length > maxLength)
    throw invalid`${arg(field)} must have ${minLength} to ${maxLength} characters, not ${length}`;
  if (!text.isWellFormed() || unprintable.test(text)) throw invalid`${arg(field)} must not contain control characters`;
  return text;
}

interface LengthRule {
  readonly minLength: number;
  readonly maxLength: number;
}

/** Parses email addresses and removes duplicates, ignoring case.
 *  @throws {AppError} VALIDATION_ERROR naming the entry */
function parseEmails(emails: readonly string[]): string[] {
  if (emails.length > emailsRule.maxItems)
    throw invalid`${arg('emails')} takes at most ${emailsRule.maxItems} addresses, not ${emails.length}${fix}use a mailing list`;
  return [...new Set(emails.map((email, index) => parseEmail(email, `emails[${index}]`)))];
}

/** Fields that budgets and alert rules share: what they cover and whom they notify. */
export const targetFields = {
  accountId: clearable(null, given<string>),
  provider: clearable(null, parseOwnProvider, providerRule),
  service: clearable(null, parseService, serviceRule),
  subAccountId: clearable(null, parseSubAccount, subAccountRule),
  tagKey: clearable(null, parseTagKey, tagKeyRule),
  tagValue: clearable(null, parseTagValue, tagValueRule),
};
export const notifiedFields = {
  emails: clearable([], parseEmails, emailsRule),
  slack: defaulted(false, given<boolean>),
  ...channelFields,
};

/** API descriptions of the name and of these fields: see `recordInputs`. */
export const nameShown = { type: 'String', text: 'Display name, 1 to 100 characters on one line.' };

export const targetShown = {
  accountId: {
    type: 'ID',
    text: 'UUID of the connected account in scope; null for all accounts, only for callers with access to all. Replaces a restriction inherited from a former owner.',
  },
  provider: { type: 'String', text: 'Provider in scope, as a slug such as `aws`; null for all.' },
  service: { type: 'String', text: 'FOCUS ServiceName in scope; null for all.' },
  subAccountId: { type: 'String', text: 'FOCUS SubAccountId in scope, as on the bill; null for all.' },
  tagKey: {
    type: 'String',
    text: 'Only charges with this tag key, with or without the `user:` prefix of AWS, or `virtual:KEY` for a virtual tag; null for all charges.',
  },
  tagValue: {
    type: 'String',
    text: 'Only charges with this tag value; null for any value. Requires `tagKey`.',
  },
};

export const notifiedShown = {
  emails: {
    type: ['String'],
    text: 'Additional email addresses to notify, at most 20.',
    onUpdate: ' Replaces the current addresses.',
  },
  slack: { type: 'Boolean', text: 'Whether to notify the owner’s webhook as well.' },
  ...channelsShown,
};
