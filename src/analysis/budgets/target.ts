import type { Db } from '../../kit/db.ts';
import { arg, fix, forbidden, invalid } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { emailRule, parseEmail, unprintable, visibleLineRule } from '../../tenancy/login/input.ts';
import { unknownAccount, type OrgScope } from '../../tenancy/auth/scope.ts';
import { isAccount } from './target-store.ts';

/** Which spend a budget or an alert rule is about; null means any. */
export interface Target {
  readonly accountId: string | null;
  /** Slug. */
  readonly provider: string | null;
  /** FOCUS ServiceName. */
  readonly service: string | null;
}

/** Bounds of the addresses that a budget or an alert rule notifies. */
export const emailsRule = { maxItems: 20, items: emailRule } as const;
/** Bounds of a service's name. */
export const serviceRule = { ...visibleLineRule, minLength: 1, maxLength: 256 } as const;

/** Reads the name of a service; null stays. One that no bill has is taken: it may yet come.
 *  @throws {AppError} VALIDATION_ERROR */
export function parseService(service: string | null): string | null {
  return service === null ? null : parseWord(service, 'service', serviceRule);
}

/** Reads a name that is compared with those of bills, so that nothing of it is trimmed away.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseWord(text: string, field: string, rule: LengthRule): string {
  const word = parseLine(text, field, rule);
  if (word.trim() === '')
    throw invalid`${arg(field, text)} is blank${fix}give a name as bills have it, or leave it out`;
  return word;
}

/** Reads a text on one line, which may be blank.
 *  @param field how the client spells it
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

/** Reads addresses, each once, whatever their case.
 *  @throws {AppError} VALIDATION_ERROR naming the entry */
export function parseEmails(emails: readonly string[]): string[] {
  if (emails.length > emailsRule.maxItems)
    throw invalid`${arg('emails')} takes at most ${emailsRule.maxItems} addresses, not ${emails.length}${fix}use a mailing list`;
  return [...new Set(emails.map((email, index) => parseEmail(email, `emails[${index}]`)))];
}

/** What is made grants no more than its maker sees.
 *  @param kind in the plural, such as `budgets`
 *  @throws {AppError} VALIDATION_ERROR for an unknown account, and one outside the scope alike; FORBIDDEN for all accounts
 *  from who does not see all */
export async function checkTarget(db: Db, scope: OrgScope, accountId: string | null, kind: string): Promise<void> {
  if (accountId === null && scope.accountIds !== null)
    throw forbidden`${arg('account_id')} is required for your ${kind} because you have access to some accounts only${fix}set it to one of them`;
  if (accountId !== null && !(isUuid(accountId) && (await isAccount(db, scope, accountId))))
    throw unknownAccount(arg('account_id', accountId));
}
