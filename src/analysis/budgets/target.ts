import { parseOwnProvider, parseProviders, providerRule } from '../../facts/provider.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { clearable, defaulted, given } from '../../kit/record-fields.ts';
import { emailRule, parseEmail, unprintable, visibleLineRule } from '../../tenancy/login/input.ts';

/** The spend that a budget or an alert rule covers; null means any. */
export interface Target {
  readonly accountId: string | null;
  /** Provider slug. */
  readonly provider: string | null;
  /** FOCUS ServiceName. */
  readonly service: string | null;
}

/** Selects the costs that a target covers. */
export function askAbout({ accountId, provider, service }: Target) {
  const only = (value: string | null) => (value === null ? null : [value]);
  return { accountIds: only(accountId), providers: only(provider), services: only(service) };
}

/** Filters of a list by what its records cover; null means any. */
export type TargetArgs = { readonly [Field in keyof Target]?: readonly string[] | null };

/** Selects the records that cover one of the targets. Drops values with NUL: no stored text contains it, and PostgreSQL
 *  rejects it in parameters.
 *  @throws {AppError} VALIDATION_ERROR naming the provider */
export function aboutTargets({ accountId, provider, service }: TargetArgs) {
  const providers = parseProviders(provider);
  return {
    ...(accountId && { accountId: { in: accountId.filter(isUuid) } }),
    ...(providers && { provider: { in: [...providers] } }),
    ...(service && { service: { in: service.filter((name) => !name.includes('\0')) } }),
  };
}

/** Bounds of the email addresses that a budget or an alert rule notifies. */
const emailsRule = { maxItems: 20, items: emailRule } as const;
/** Bounds of a service's name. */
const serviceRule = { ...visibleLineRule, minLength: 1, maxLength: 256 } as const;

/** Parses a service name. Names without bills are accepted: bills can still arrive.
 *  @throws {AppError} VALIDATION_ERROR */
function parseService(service: string): string {
  return parseWord(service, 'service', serviceRule);
}

/** Parses a name that is compared with names on bills, and therefore not trimmed.
 *  @param field the client's spelling of the field
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseWord(text: string, field: string, rule: LengthRule): string {
  const word = parseLine(text, field, rule);
  if (word.trim() === '') throw invalid`${arg(field, text)} is blank${fix}give a name as on the bill, or leave it out`;
  return word;
}

/** Parses a single-line text, which can be blank.
 *  @param field the client's spelling of the field
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseLine(text: string, field: string, { minLength, maxLength }: LengthRule): string {
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
};
export const notifiedFields = {
  emails: clearable([], parseEmails, emailsRule),
  slack: defaulted(false, given<boolean>),
};

/** How the API shows these fields and the name: see `recordInputs`. */
export const nameShown = { type: 'String', text: 'Display name, 1 to 100 characters on one line.' };

export const targetShown = {
  accountId: {
    type: 'ID',
    text: 'UUID of the connected account in scope; null for all accounts, only for callers with access to all. Replaces a restriction inherited from a former owner.',
  },
  provider: { type: 'String', text: 'Provider in scope, as a slug such as `aws`; null for all.' },
  service: { type: 'String', text: 'FOCUS ServiceName in scope; null for all.' },
};

export const notifiedShown = {
  emails: {
    type: ['String'],
    text: 'Additional email addresses to notify, at most 20.',
    onUpdate: ' Replaces the current addresses.',
  },
  slack: { type: 'Boolean', text: 'Whether to notify the owner’s webhook as well.' },
};
