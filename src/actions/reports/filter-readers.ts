import { arg, argChoice, choice, fix, invalid, mention, not } from '../../kit/errors.ts';
import { blank, filledRule } from '../../kit/refusals.ts';

/** Reads the value of one filter, strictly.
 *  @param at its name, for messages
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export type FilterReader<Value> = (value: unknown, at: string) => Value;

/** The filters that a question takes, by their REST names. */
export type FilterSpec = Readonly<Record<string, FilterReader<unknown>>>;

/** What filters of a spec come to; null where one was left out. */
export type FiltersOf<Spec extends FilterSpec> = { readonly [Name in keyof Spec]: ReturnType<Spec[Name]> | null };

/** Bounds of a text: longer than every name that a cloud or a person gives. */
export const textRule = { ...filledRule, maxLength: 1_000 } as const;
/** Bounds of a list. */
export const listRule = { minItems: 1, maxItems: 1_000 } as const;

/** One text. */
export const text: FilterReader<string> = (value, at) => {
  const filled = anyText(value, at);
  if (filled.trim() === '') throw blank(arg(at, filled));
  return filled;
};

const anyText: FilterReader<string> = (value, at) => {
  if (typeof value !== 'string') throw invalid`${arg(at, not(kindOf(value), null))} must be a string`;
  if (value.length > textRule.maxLength)
    throw invalid`${arg(at)} has ${value.length} characters; at most ${textRule.maxLength} are allowed`;
  return value;
};

/** One text, or a list of them. */
export const texts: FilterReader<readonly string[]> = listOf(text);

/** As `texts`, of which each may be empty: clouds let a tag be without a value. */
export const tagValues: FilterReader<readonly string[]> = listOf(anyText);

/** True or false. */
export const flag: FilterReader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw invalid`${arg(at, not(kindOf(value), null))} must be true or false`;
  return value;
};

/** A number. */
export const number: FilterReader<number> = (value, at) => {
  if (typeof value !== 'number') throw invalid`${arg(at, not(kindOf(value), null))} must be a number`;
  return value;
};

/** One of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): FilterReader<Word> {
  return (value, at) => {
    const known = words.find((word) => word === value);
    if (known !== undefined) return known;
    const given = typeof value === 'string' ? argChoice(at, value) : arg(at, not(kindOf(value), null));
    throw invalid`${given} must be one of ${choice(at, ...words)}`;
  };
}

/** A value, or a list of at least one. */
export function listOf<Value>(read: FilterReader<Value>): FilterReader<readonly Value[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return [read(value, at)];
    if (value.length === 0) throw invalid`${arg(at)} must contain at least one value, or be left out`;
    if (value.length > listRule.maxItems)
      throw invalid`${arg(at)} has ${value.length} values; at most ${listRule.maxItems} are allowed`;
    return value.map((item: unknown, index) => read(item, `${at}[${index}]`));
  };
}

/** Reads the filters of a spec; null says the same as leaving one out.
 *  @throws {AppError} VALIDATION_ERROR naming the filter that is not known, or whose value is none */
export function readFilters<Spec extends FilterSpec>(
  spec: Spec,
  filters: Readonly<Record<string, unknown>>,
): FiltersOf<Spec> {
  for (const name of Object.keys(filters)) {
    if (!Object.hasOwn(spec, name))
      throw invalid`${arg(`filters.${name.slice(0, 80)}`)} is not a filter of this report${fix}use ${mention(...Object.keys(spec).map((known) => `filters.${known}`))}`;
  }
  const entries = Object.entries(spec).map(([name, read]) => {
    const value = filters[name] ?? null;
    return [name, value === null ? null : read(value, `filters.${name}`)];
  });
  // Each entry is what its reader made.
  return Object.fromEntries(entries) as FiltersOf<Spec>;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
