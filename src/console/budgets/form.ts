import type { Scope } from '../parts/choices/choices.tsx';
import { emailsFault, type RecipientChoice } from '../parts/form/recipients.tsx';
import type { Tone } from '../parts/page/card.tsx';
import type { BudgetDetails, BudgetRow } from './queries.ts';

/** What a form holds of a budget. */
export interface BudgetForm extends Scope, RecipientChoice {
  readonly name: string;
  /** Null while nothing is written. */
  readonly amount: number | null;
  readonly costMetric: BudgetDetails['costMetric'];
  readonly thresholds: readonly (number | null)[];
}

/** What is wrong with a form, by field; fields that are right are absent. */
export type Faults = Readonly<Partial<Record<'name' | 'amount' | 'account' | 'thresholds' | 'emails', string>>>;

/** Addresses that a budget takes. */
export const mostEmails = 20;
/** Thresholds that a budget takes. */
export const mostThresholds = 10;

/** A budget that is not written yet. */
export const blank: BudgetForm = {
  name: '',
  amount: null,
  accountId: null,
  provider: null,
  service: null,
  costMetric: 'EFFECTIVE',
  thresholds: [80, 100],
  emails: [],
  slack: false,
};

/** A budget as its form shows it. */
export function formOf({ alertThresholds, ...budget }: BudgetDetails): BudgetForm {
  const { name, amount, accountId, provider, service, costMetric, emails, slack } = budget;
  return { name, amount, accountId, provider, service, costMetric, thresholds: alertThresholds, emails, slack };
}

/** Judges a form as far as it can be before the API does.
 *  @param mustName whether an account has to be named */
export function faultsOf(form: BudgetForm, mustName: boolean): Faults {
  const thresholds = thresholdsFault(form.thresholds);
  const emails = emailsFault(form.emails, mostEmails);
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(!(form.amount !== null && form.amount > 0) && { amount: 'Enter an amount greater than 0' }),
    ...(mustName && form.accountId === null && { account: 'Choose an account' }),
    ...(thresholds && { thresholds }),
    ...(emails && { emails }),
  };
}

function thresholdsFault(thresholds: BudgetForm['thresholds']): string | null {
  if (thresholds.some((one) => one === null || !(one > 0 && one <= 1000)))
    return 'Each threshold is a percentage above 0 and at most 1000';
  return new Set(thresholds).size < thresholds.length ? 'Each threshold must be different' : null;
}

/** A form as the API takes it. */
export function valuesOf(form: BudgetForm) {
  const { thresholds, emails, ...rest } = form;
  return {
    ...rest,
    name: form.name.trim(),
    amount: form.amount ?? 0,
    alertThresholds: thresholds.filter((one) => one !== null),
    emails: [...emails],
  };
}

/** Which cost can be held against a budget, in words. */
export const costBases = {
  EFFECTIVE: { label: 'Effective cost', description: 'Commitments spread over what they cover' },
  BILLED: { label: 'Billed cost', description: 'As invoiced' },
  CONTRACTED: { label: 'Contracted cost', description: 'At negotiated prices, without commitments' },
  LIST: { label: 'List cost', description: 'At public prices' },
} as const satisfies Record<BudgetDetails['costMetric'], { label: string; description: string }>;

/** Every cost basis, the usual first. */
export const costBasisChoices = (['EFFECTIVE', 'BILLED', 'CONTRACTED', 'LIST'] as const).map((value) => ({
  value,
  label: costBases[value].label,
}));

/** The colour of a budget's meter. */
export const toneOf = { OK: 'good', WARNING: 'warn', EXCEEDED: 'bad' } as const satisfies Record<
  BudgetRow['status'],
  Tone
>;
