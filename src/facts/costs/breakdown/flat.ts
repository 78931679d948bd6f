import { groupsRule, type DimensionInput, type FilterInput, type FiltersInput } from './question.ts';
import { chargeCategories } from '../../../engine/codebook.ts';
import {
  dimensionInfo,
  dimensionNames,
  parseDimension,
  tagKeyOf,
  virtualKeyOf,
  type DimensionName,
} from '../dimensions.ts';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';

// In GraphQL, dimensions and filters are input objects; a query string has one parameter per dimension instead.

/** Matches charges without a value. */
const noValue = '(none)';

/** A parameter: a list of strings in the query, or a single string in the path. */
interface FlatParameter {
  readonly name: string;
  readonly description: string;
  /** Bounds that `question.ts` and `dimensions.ts` enforce. */
  readonly jsonSchema: Readonly<Record<string, unknown>> & { readonly items?: object };
}

const dimensionPattern = `${dimensionNames.join('|')}|tag:.*[^\\s:]|virtual:[^\\s]+`;
/** Non-empty text that is not a bare `*`. */
const valuePattern = '\\*[\\s\\S]+|[^*][\\s\\S]*';
/** Same as `valuePattern`, but not blank. */
const filledPattern = '\\s*(\\*[\\s\\S]+|[^*\\s][\\s\\S]*)';
const categories = chargeCategories.flatMap((name) => [name.toLowerCase(), name]);
/** A value of a virtual tag is never blank. */
const virtualRule = { items: { pattern: `^[^:\\\\\\s](\\\\.|[^:\\\\])*(:(${filledPattern}))?$` } };
const tagRule = { items: { pattern: `^[^:\\\\\\s](\\\\.|[^:\\\\])*(:(${valuePattern})?)?$` } };

function valuesRule(dimension: DimensionName) {
  const pattern = dimension === 'charge_category' ? [...categories, '\\(none\\)'].join('|') : filledPattern;
  return { items: { pattern: `^(${pattern})$` } };
}
type Given = Readonly<Record<string, readonly string[] | undefined>>;

/** `group_by` as text, and one parameter per filter. */
export const breakdownParameters = {
  replaces: ['group_by', 'filters'],
  parameters: [
    {
      name: 'group_by',
      description: `Up to three dimensions: ${dimensionNames.map((name) => `\`${name}\``).join(', ')}, \`tag:KEY\`, or \`virtual:KEY\` for a virtual tag.`,
      jsonSchema: { ...groupsRule, uniqueItems: true, items: { pattern: `^(${dimensionPattern})$` } },
    },
    ...filterParameters(),
  ],
  read: (given: Given) => ({ ...groupsIn(given), ...filtersIn(given) }),
};

/** A dimension in the path, and one parameter per filter. */
export const valuesParameters = {
  replaces: ['dimension', 'filters'],
  parameters: [
    {
      name: 'dimension',
      description: `The dimension: one of those of \`GET /costs\`, \`tag:KEY\`, \`virtual:KEY\`, or \`tag\` for the tag keys.`,
      jsonSchema: { pattern: `^(${dimensionPattern}|tag)$` },
    },
    ...filterParameters(),
  ],
  read: (given: Given) => {
    const text = given['dimension']?.[0] ?? '';
    return { dimension: text === 'tag' ? { dimension: 'tag' } : inputOf(text, 'dimension'), ...filtersIn(given) };
  },
};

/** Returns only the filter parameters. */
export function filterParameters(): readonly FlatParameter[] {
  const named = dimensionNames.flatMap((name) => {
    const { description } = dimensionInfo(name);
    return [
      {
        name,
        description: `${description}. Only charges with one of these values. A trailing \`*\` matches a prefix, \`\\*\` is a literal asterisk; \`${noValue}\` matches charges without a value, \`\\${noValue}\` the text itself.`,
        jsonSchema: valuesRule(name),
      },
      {
        name: `exclude_${name}`,
        description: `Excludes charges with one of these values, in the syntax of \`${name}\`.`,
        jsonSchema: valuesRule(name),
      },
    ];
  });
  return [
    ...named,
    {
      name: 'tag',
      description: `Only charges with one of these tags, as \`KEY:VALUE\`; a colon in the key is written \`\\:\`. \`KEY\` without a colon: charges with the key, whatever its value; \`KEY:\`: charges with an empty value. Several keys must all match.`,
      jsonSchema: tagRule,
    },
    {
      name: 'exclude_tag',
      description:
        'Excludes charges with one of these tags, in the syntax of `tag`. `KEY` without a colon excludes all charges with the key.',
      jsonSchema: tagRule,
    },
    {
      name: 'virtual',
      description:
        'Only charges with one of these values of a virtual tag, as `KEY:VALUE`. Several keys must all match.',
      jsonSchema: virtualRule,
    },
    {
      name: 'exclude_virtual',
      description: 'Excludes charges with one of these values of a virtual tag, in the syntax of `virtual`.',
      jsonSchema: virtualRule,
    },
  ];
}

/** Parses the filters of a query string.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function filtersIn(given: Given): { filters?: FiltersInput } {
  const sides = { include: sideOf(given, ''), exclude: sideOf(given, 'exclude_') };
  return sides.include.length + sides.exclude.length === 0 ? {} : { filters: sides };
}

function sideOf(given: Given, prefix: '' | 'exclude_'): FilterInput[] {
  const named = dimensionNames.flatMap((dimension): FilterInput[] => {
    const values = given[`${prefix}${dimension}`];
    return values === undefined ? [] : [{ dimension, values: values.map(valueOf) }];
  });
  return [
    ...named,
    ...(given[`${prefix}tag`] ?? []).map((text) => keyedFilter(text, 'tag', `${prefix}tag`)),
    ...(given[`${prefix}virtual`] ?? []).map((text) => keyedFilter(text, 'virtualTag', `${prefix}virtual`)),
  ];
}

function valueOf(text: string): string | null {
  if (text === noValue) return null;
  return text === `\\${noValue}` ? noValue : text;
}

function keyedFilter(text: string, kind: 'tag' | 'virtualTag', at: string): FilterInput {
  const parts = /^((?:[^:\\]|\\.)*)(?::(.*))?$/su.exec(text);
  const key = (parts?.[1] ?? text).replaceAll('\\:', ':');
  if (key.trim() === '') throw invalid`${arg(at, text)} lacks the key${fix}write ${at}=KEY:VALUE`;
  const value = parts?.[2];
  return { [kind]: key, ...(value !== undefined && { values: [valueOf(value)] }) };
}

function groupsIn(given: Given): { group_by?: DimensionInput[] } {
  const texts = given['group_by'];
  return texts === undefined ? {} : { group_by: texts.map((text) => inputOf(text, 'group_by')) };
}

function inputOf(text: string, at: string): DimensionInput {
  const dimension = parseDimension(text, at);
  const [tag, virtualTag] = [tagKeyOf(dimension), virtualKeyOf(dimension)];
  if (tag !== null) return { tag };
  return virtualTag === null ? { dimension: dimension as DimensionInput['dimension'] } : { virtualTag };
}
