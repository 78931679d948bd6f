import type { Scope } from '../parts/scope.tsx';
import { emailsFault, type RecipientChoice } from '../parts/recipient-fields.tsx';
import type { AlertRule } from './queries.ts';

/** What a form holds of a rule. */
export interface RuleForm extends Scope, RecipientChoice {
  readonly name: string;
  readonly metric: AlertRule['metric'];
  readonly operator: AlertRule['operator'];
  /** Null while nothing is written. */
  readonly threshold: number | null;
  readonly tagKey: string | null;
  /** Null: any value. */
  readonly tagValue: string | null;
  readonly enabled: boolean;
}

/** What is wrong with a form, by field. */
export type Faults = Readonly<Partial<Record<'name' | 'threshold' | 'account' | 'emails', string>>>;

/** Addresses that a rule takes. */
export const mostEmails = 20;

/** A rule that is not written yet. */
export const blank: RuleForm = {
  name: '',
  metric: 'DAILY_COST',
  operator: 'GT',
  threshold: null,
  accountId: null,
  provider: null,
  service: null,
  tagKey: null,
  tagValue: null,
  emails: [],
  slack: false,
  enabled: true,
};

/** A rule as its form shows it. */
export function formOf(rule: AlertRule): RuleForm {
  const { name, metric, operator, threshold, accountId, provider, service } = rule;
  const { tagKey, tagValue, emails, slack, enabled } = rule;
  return {
    name,
    metric,
    operator,
    threshold,
    accountId,
    provider,
    service,
    tagKey,
    tagValue,
    emails,
    slack,
    enabled,
  };
}

/** Judges a form as far as it can be before the API does.
 *  @param mustName whether an account has to be named */
export function faultsOf(form: RuleForm, mustName: boolean): Faults {
  const emails = emailsFault(form.emails, mostEmails);
  return {
    ...(form.name.trim() === '' && { name: 'Give it a name' }),
    ...(form.threshold === null && { threshold: 'Write a threshold' }),
    ...(mustName && form.accountId === null && { account: 'Choose an account' }),
    ...(emails && { emails }),
  };
}

/** A form as the API takes it. */
export function valuesOf(form: RuleForm) {
  const tagValue = form.tagKey === null || form.tagValue === null ? null : form.tagValue.trim() || null;
  return { ...form, name: form.name.trim(), threshold: form.threshold ?? 0, tagValue, emails: [...form.emails] };
}

/** Those fields that differ: naming an account, even the same, would take off what limits the rules of owners who left. */
export function changesOf(before: RuleForm, after: RuleForm): Partial<ReturnType<typeof valuesOf>> {
  const old: Readonly<Record<string, unknown>> = valuesOf(before);
  const changed = Object.entries(valuesOf(after)).filter(
    ([key, value]) => JSON.stringify(old[key]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}
