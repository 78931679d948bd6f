import { useMemo } from 'react';
import { AnomaliesQuery } from '../anomalies/queries.ts';
import { useAnswer } from '../api/use-api.ts';
import type { Flag } from '../charts/stack-shapes.tsx';
import { shortDays, signedMoney } from '../words/format.ts';
import type { Filter, Question } from './question.ts';
import type { Bar } from './stacks.ts';
import { isPrefix } from './dimensions.ts';

/** Anomaly beside a chart. */
export interface FlaggedAnomaly extends Flag {
  readonly id: string;
  readonly service: string;
  /** Its days, such as `Nov 3–5`. */
  readonly days: string;
}

/** Filters that lists of anomalies support, too. */
const shared = { account: 'accountId', provider: 'provider', service: 'service' } as const;

/** Anomalies of the bars, largest first. None with other filters: it is then unknown whether they concern the costs shown. */
export function useAnomalyFlags({ range, filters }: Question, bars: readonly Bar[]): FlaggedAnomaly[] {
  const asked = filters.map(askedBy);
  const { data } = useAnswer(
    AnomaliesQuery,
    {
      startDate: range.from,
      endDate: range.to,
      sortBy: 'IMPACT_DESC',
      perPage: 100,
      ...Object.fromEntries(asked.flatMap((one) => (one ? [one] : []))),
    },
    { pause: asked.includes(null) },
  );
  const found = asked.includes(null) ? undefined : data?.anomalies?.data;
  return useMemo(
    () =>
      (found ?? []).flatMap(({ id, service, startDate, endDate, converted, currency, impact }) => {
        const at = bars.findIndex(({ days }) => days.from <= startDate && startDate <= days.to);
        const value = converted ? signedMoney(converted.impact, converted.currency) : signedMoney(impact, currency);
        // The amount covers all days of the anomaly, so its name lists them.
        const anomalyDays = shortDays(startDate, endDate);
        const name = `Anomaly: ${service}${startDate === endDate ? '' : `, ${anomalyDays}`}`;
        return at === -1 ? [] : [{ id, at, service, days: anomalyDays, name, value }];
      }),
    [found, bars],
  );
}

function askedBy({ dimension, isExcluded, values }: Filter): readonly [string, readonly string[]] | null {
  const name = Object.entries(shared).find(([key]) => key === dimension)?.[1];
  return name === undefined || isExcluded || values.some(isPrefix) ? null : [name, values];
}
