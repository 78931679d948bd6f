import type { Deps } from '../../kit/deps.ts';
import { microsToNumber, percentages, roundParts, type Amount } from '../../kit/money.ts';
import { addDays, dayOf } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { amountsBy, convertedOf, unconvertedCosts, unconvertedOf, type CostCell } from '../costs/cells.ts';
import { readLedger, type Ledger } from '../costs/ledger.ts';
import type { CostQuery } from '../costs/query.ts';
import { readCells } from '../costs/reading/read.ts';
import { compare } from '../../kit/sort.ts';
import { coverageOf, lastDays } from './coverage.ts';
import { parseRules, parseValue, type AllocationRuleInput } from './rules.ts';
import type { ValueRules } from './rule-sql.ts';

type PreviewDeps = Pick<Deps, 'pool' | 'engine' | 'clock'>;

/** Rules to try. */
export interface PreviewInput {
  readonly rules: readonly AllocationRuleInput[];
  readonly defaultValue: string;
}

const mostGroups = 20;
const mostValues = 200;
/** The key of rules that are not stored: no stored key has a slash. */
const draft = '/draft';

/** Evaluates rules over the charges of the last 30 complete days, without storing them.
 *  @throws {AppError} VALIDATION_ERROR naming the rule and the field; SERVICE_UNAVAILABLE when the engine is busy */
export async function previewVirtualTag(deps: PreviewDeps, scope: OrgScope, input: PreviewInput, signal?: AbortSignal) {
  const rules = { rules: parseRules(input.rules), defaultValue: parseValue(input.defaultValue, 'default_value') };
  const ledger = await readLedger(deps.pool, scope);
  const query: CostQuery = {
    ...lastDays(ledger, dayOf(deps.clock.now())),
    bucket: 'none',
    dimensions: [`virtual:${draft}`, 'sub_account', 'service'],
    include: [],
    exclude: [],
  };
  const drafts: ReadonlyMap<string, ValueRules> = new Map([[draft, rules]]);
  const slice = { ...ledger, drafts, accountIds: ledger.accounts.map(({ id }) => id) };
  const cells = await readCells(deps, slice, query, signal);
  return compose(query, ledger, cells, rules.defaultValue);
}

function compose({ range }: CostQuery, { currency }: Ledger, cells: readonly CostCell[], defaultValue: string) {
  const converted = convertedOf(cells);
  const byValue = amountsBy(converted, ({ keys }) => keys[0] ?? null);
  const { total, unallocated, coveragePercent } = coverageOf(byValue, defaultValue);
  const values = shown([...byValue], total);
  const rest = converted.filter(({ keys }) => keys[0] === defaultValue);
  const groups = amountsBy(rest, ({ keys }) => JSON.stringify(keys.slice(1)));
  return {
    startDate: range.start,
    endDate: addDays(range.end, -1),
    currency,
    totalCost: microsToNumber(total),
    unallocatedCost: microsToNumber(unallocated),
    coveragePercent,
    values: values.slice(0, mostValues),
    valueCount: values.length,
    unallocated: shown([...groups], unallocated)
      .slice(0, mostGroups)
      .map(({ value, ...cost }) => {
        const [subAccountId = null, service = null] = JSON.parse(value) as (string | null)[];
        return { subAccountId, service, ...cost };
      }),
    unconverted: unconvertedCosts(unconvertedOf(cells)),
  };
}

/** Rounds costs so that they add up to the total, largest first. */
function shown(costs: readonly (readonly [value: string, cost: Amount])[], total: bigint) {
  const ordered = costs.toSorted(([a, one], [b, other]) => compare(other, one) || compare(a, b));
  const rounded = roundParts(
    ordered.map(([, cost]) => cost),
    total,
  );
  const shares = percentages(rounded, total);
  return ordered.map(([value], index) => ({
    value,
    cost: microsToNumber(rounded[index] ?? 0n),
    percentage: shares[index] ?? null,
  }));
}
