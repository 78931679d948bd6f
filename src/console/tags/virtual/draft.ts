import type { VariablesOf } from '../../api/graphql.ts';
import type { CreateVirtualTag, VirtualTagRow } from '../queries.ts';

type StoredRule = NonNullable<VirtualTagRow['rules']>[number];
type StoredSplit = NonNullable<VirtualTagRow['splits']>[number];

/** Operator of a condition. */
export type Operator = StoredRule['conditions'][number]['operator'];
/** Transform of a dimension's value. */
export type Transform = NonNullable<StoredRule['valueFrom']>['transform'];
/** Method of a split. */
export type Method = StoredSplit['method'];

/** Limits of the API. */
export const most = { rules: 500, conditions: 10, values: 500, characters: 200, splits: 20 } as const;

/** The value of charges that no rule matches, by default. */
const unallocated = 'Unallocated';

/** Form state of a condition. */
export interface DraftCondition {
  readonly id: number;
  /** Empty until chosen. */
  readonly dimension: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Form state of a rule. */
export interface DraftRule {
  readonly id: number;
  readonly kind: 'value' | 'valueFrom';
  /** For the kind `value`. */
  readonly value: string;
  /** For the kind `valueFrom`; empty until chosen. */
  readonly dimension: string;
  readonly transform: Transform;
  /** For the transform `STRIP_PREFIX`. */
  readonly prefix: string;
  readonly conditions: readonly DraftCondition[];
}

/** Form state of a target with a fixed percentage. */
export interface DraftShare {
  readonly id: number;
  readonly value: string;
  /** Null while the field is empty. */
  readonly percent: number | null;
}

/** Form state of a split. */
export interface DraftSplit {
  readonly id: number;
  readonly name: string;
  readonly sourceValues: readonly string[];
  readonly method: Method;
  /** Whether every value that is not a source receives a part. */
  readonly isForAll: boolean;
  readonly targets: readonly string[];
  /** For the method `FIXED`. */
  readonly shares: readonly DraftShare[];
  /** For the method `METRIC`; null until chosen. */
  readonly metricId: string | null;
}

/** Form state of a virtual tag. */
export interface Draft {
  /** Empty: derived from the name. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly defaultValue: string;
  readonly enabled: boolean;
  readonly rules: readonly DraftRule[];
  readonly splits: readonly DraftSplit[];
}

let made = 0;
/** Identifies a rule, condition, split or share while it is edited. */
const nextId = () => (made += 1);

/** New condition. */
export function newCondition(part: Partial<DraftCondition> = {}): DraftCondition {
  return { dimension: '', operator: 'IN', values: [], ...part, id: nextId() };
}

/** New rule with a fixed value. */
export function newRule(part: Partial<DraftRule> = {}): DraftRule {
  const empty = { kind: 'value', value: '', dimension: '', transform: 'NONE', prefix: '' } as const;
  return { ...empty, conditions: [newCondition()], ...part, id: nextId() };
}

/** Returns a rule of another kind: a fixed value needs a condition, a value from a dimension does not. */
export function ofKind(rule: DraftRule, kind: DraftRule['kind']): DraftRule {
  const filled = rule.conditions.filter(({ dimension }) => dimension !== '');
  return { ...rule, kind, conditions: kind === 'value' && filled.length === 0 ? [newCondition()] : filled };
}

/** New target with a fixed percentage. */
export function newShare(part: Partial<DraftShare> = {}): DraftShare {
  return { value: '', percent: null, ...part, id: nextId() };
}

/** New split. */
export function newSplit(part: Partial<DraftSplit> = {}): DraftSplit {
  const empty = {
    name: '',
    sourceValues: [],
    method: 'PROPORTIONAL',
    isForAll: true,
    targets: [],
    shares: [],
    metricId: null,
  } as const;
  return { ...empty, ...part, id: nextId() };
}

/** Form state of a new virtual tag. */
export function newDraft(): Draft {
  const rules = [newRule()];
  return { key: '', name: '', description: '', defaultValue: unallocated, enabled: true, rules, splits: [] };
}

/** A definition as the API returns and accepts it: optional parts may be missing. */
export interface Definition {
  readonly key?: string | null | undefined;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly defaultValue?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly rules: readonly DefinedRule[];
  readonly splits?: readonly DefinedSplit[] | null | undefined;
}

interface DefinedRule {
  readonly value?: string | null | undefined;
  readonly valueFrom?:
    | {
        readonly dimension: string;
        readonly transform?: Transform | null | undefined;
        readonly prefix?: string | null | undefined;
      }
    | null
    | undefined;
  readonly conditions?:
    | readonly {
        readonly dimension: string;
        readonly operator: Operator;
        readonly values?: readonly string[] | null | undefined;
      }[]
    | null
    | undefined;
}

interface DefinedSplit {
  readonly name: string;
  readonly sourceValues: readonly string[];
  readonly method: Method;
  readonly targets?: readonly string[] | null | undefined;
  readonly shares?: readonly { readonly value: string; readonly percent: number | string }[] | null | undefined;
  readonly metricId?: string | null | undefined;
}

/** Converts a definition to its form state. */
export function draftOf({ key, name, description, defaultValue, enabled, rules, splits }: Definition): Draft {
  return {
    key: key ?? '',
    name,
    description: description ?? '',
    defaultValue: defaultValue ?? unallocated,
    enabled: enabled ?? true,
    rules: rules.map(draftRuleOf),
    splits: (splits ?? []).map(draftSplitOf),
  };
}

function draftRuleOf({ value, valueFrom, conditions }: DefinedRule): DraftRule {
  return newRule({
    kind: valueFrom ? 'valueFrom' : 'value',
    value: value ?? '',
    ...(valueFrom && {
      dimension: valueFrom.dimension,
      transform: valueFrom.transform ?? 'NONE',
      prefix: valueFrom.prefix ?? '',
    }),
    conditions: (conditions ?? []).map(({ values, ...rest }) => newCondition({ ...rest, values: values ?? [] })),
  });
}

function draftSplitOf({ shares, targets, metricId, ...rest }: DefinedSplit): DraftSplit {
  const isFixed = rest.method === 'FIXED';
  return newSplit({
    ...rest,
    // The API also lists the targets of fixed shares.
    targets: isFixed ? [] : (targets ?? []),
    isForAll: isFixed || (targets ?? []).length === 0,
    shares: (shares ?? []).map(({ value, percent }) => newShare({ value, percent: Number(percent) })),
    metricId: metricId ?? null,
  });
}

/** Whether an operator compares with values. */
export function takesValues(operator: Operator): boolean {
  return operator !== 'EXISTS' && operator !== 'MISSING';
}

/** Sum of percentages, which have at most 4 decimals; whole numbers add up exactly. */
export function percentOf(shares: readonly Pick<DraftShare, 'percent'>[]): number {
  return shares.reduce((total, { percent }) => total + Math.round((percent ?? 0) * 10_000), 0) / 10_000;
}

type Input = VariablesOf<typeof CreateVirtualTag>['input'];

/** Converts rules to the API's input. */
export function ruleInputs(rules: readonly DraftRule[]): Input['rules'] {
  return rules.map(({ kind, value, dimension, transform, prefix, conditions }) => ({
    ...(kind === 'value'
      ? { value: value.trim() }
      : { valueFrom: { dimension, transform, ...(transform === 'STRIP_PREFIX' && { prefix }) } }),
    conditions: conditions.map((condition) => ({
      dimension: condition.dimension,
      operator: condition.operator,
      values: takesValues(condition.operator) ? [...condition.values] : [],
    })),
  }));
}

function splitInputs(splits: readonly DraftSplit[]): NonNullable<Input['splits']> {
  return splits.map(({ name, sourceValues, method, isForAll, targets, shares, metricId }) => ({
    name: name.trim(),
    sourceValues: [...sourceValues],
    method,
    targets: method === 'FIXED' || isForAll ? [] : [...targets],
    shares:
      method === 'FIXED' ? shares.map(({ value, percent }) => ({ value: value.trim(), percent: percent ?? 0 })) : [],
    ...(method === 'METRIC' && { metricId }),
  }));
}

/** Converts form state to the API's input for a change, which has no key. */
export function inputOf({ name, description, defaultValue, enabled, rules, splits }: Draft) {
  return {
    name: name.trim(),
    description: description.trim(),
    defaultValue: defaultValue.trim(),
    enabled,
    rules: ruleInputs(rules),
    splits: splitInputs(splits),
  };
}

/** Values that the draft names: those of rules with a fixed value, and the default value. */
export function namedValues({ rules, defaultValue }: Pick<Draft, 'rules' | 'defaultValue'>): string[] {
  const fixed = rules.flatMap(({ kind, value }) => (kind === 'value' && value.trim() !== '' ? [value.trim()] : []));
  return [...new Set([...fixed, defaultValue.trim()])].filter((value) => value !== '');
}
